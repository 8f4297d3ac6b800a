"""A game's protocol for people and their programs: where a game is found, and how its review is written."""
