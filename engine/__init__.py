"""The rules engine: commands and time in, events out. No clock, file, socket or global chance.

Here is what most programs need; docs/engine.md shows it at work. Beside it: `engine.view` (what a viewer may see),
`engine.bots`, `engine.selfplay`, `engine.simulate`, `engine.review`, `engine.rulebook`, `engine.rulesets`.
"""

from engine.code import code_of, read_code
from engine.errors import GameError
from engine.events import Event
from engine.game import Game
from engine.legal import legal_commands
from engine.replay import Start, refold

__all__ = ["Event", "Game", "GameError", "Start", "code_of", "legal_commands", "read_code", "refold"]
