"""Sport Mafia: the club game."""
