"""What a host must have: each thing checked for real, with what to do where it is missing."""
