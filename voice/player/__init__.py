"""A player without a browser: sits down over HTTP, plays over the WebSocket, speaks and hears over WebRTC."""
