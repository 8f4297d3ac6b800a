"""The speech processes under trial: killed in the middle of their work, and at work for long."""
