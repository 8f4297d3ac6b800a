"""Machine-learning models: found, verified and wrapped. Knows nothing of the game or of the table."""
