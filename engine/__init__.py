"""The rules engine: commands and time in, events out. No clock, file, socket or global chance."""

from engine.errors import GameError
from engine.events import Event
from engine.game import Game

__all__ = ["Event", "Game", "GameError"]
