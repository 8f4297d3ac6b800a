"""Child processes of the server and what they say to it: started, watched, talked to over a socket pair."""
