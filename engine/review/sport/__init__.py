"""What a review knows of sport Mafia alone."""
