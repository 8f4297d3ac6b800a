"""A stored game, folded again: the same start and the same inputs give the same events, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from engine.game import Game

if TYPE_CHECKING:
    from engine.events import Event

Input: TypeAlias = tuple[float, Mapping[str, object] | None]
"""A table time and the command given then; None where the game was only told the time."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a game was started with; the arguments of `Game.start`."""

    ruleset: str
    options: Mapping[str, object] = field(default_factory=dict)
    seed: int = 0
    cards: Sequence[str] | None = None
    bots: Sequence[int] = ()

    def game(self) -> tuple[Game, list[Event]]:
        """Starts the game. Raises what `Game.start` raises."""
        return Game.start(self.ruleset, self.options, self.seed, self.cards, self.bots)


def refold(start: Start, inputs: Iterable[Input]) -> tuple[Game, list[Event]]:
    """The game after `inputs`, in their order, and every event from the deal on.

    Raises:
        GameError: the start is not valid.
    """
    game, events = start.game()
    for t, command in inputs:
        events += game.advance(t) if command is None else game.command(command, t)
    return game, events
