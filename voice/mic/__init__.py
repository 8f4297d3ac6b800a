"""A player in the terminal: microphone, loudspeaker, captions and keys."""
