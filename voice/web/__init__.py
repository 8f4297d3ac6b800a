"""The server's door: HTTP to create, join and moderate; one WebSocket a client; the browser app's files."""
