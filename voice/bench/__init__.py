"""What `voicetable bench` measures on this machine, and the one form in which every bench reports it."""
