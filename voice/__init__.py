"""The voice table: media, speech, the running table, its web app, storage and the command line."""
