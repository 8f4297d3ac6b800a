"""The bots of a table: each sees what its seat may see, and acts at its own times.

Every seat has one from the deal on, so that the bot which takes over from a person knows what that person was shown;
only those of `play.bots` are asked to act.
"""

from __future__ import annotations

import heapq
from itertools import count
from typing import TYPE_CHECKING

from engine import GameError
from engine.bots import Bot, Move, bot_for
from engine.view import view
from voice.table.play import refold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.numbers import Numbers
    from voice.table.journal import Item
    from voice.table.play import Play
    from voice.table.records import Entry

__all__ = ["Bots", "Move", "brought_back", "seat_bot"]


def seat_bot(ruleset: str, seat: int, lang: str, seed: int, numbers: Numbers) -> Bot:
    """A bot that thinks, or for a ruleset that has none such, one that draws its acts by lot.

    Raises GameError where the ruleset has no bots at all.
    """
    try:
        return bot_for(ruleset, seat, lang, seed, numbers)
    except GameError:
        return bot_for(ruleset, seat, lang, seed, numbers, kind="random")


class Bots:
    """All bots of one table; the same play gives the same moves, so that a game brought back goes on as it was."""

    def __init__(self, lang: str, play: Play) -> None:
        self._play = play
        self._bots = {
            seat: seat_bot(play.started.ruleset, seat, lang, play.started.seed, play.game.numbers)
            for seat in range(1, len(play.game.cards) + 1)
        }
        self._order = count()
        self._moves: list[tuple[float, int, int, Move]] = []

    def see(self, items: Sequence[Item]) -> None:
        """What one step of the game came to. To be called after each step, before the next."""
        for item in items:
            if item.event is None:
                continue
            for seat, bot in self._bots.items():
                seen = view(item.event, seat)
                if seen is not None:
                    bot.see(seen)
        if items:
            for seat in sorted(self._play.bots):
                for move in self._bots[seat].act(self._play.game.now):
                    heapq.heappush(self._moves, (move.at, next(self._order), seat, move))

    def due(self) -> float | None:
        """The table time of the next move; None where no bot means to move."""
        while self._moves and self._moves[0][3].phase != self._play.phase:
            heapq.heappop(self._moves)
        return self._moves[0][0] if self._moves else None

    def pop(self) -> tuple[int, Move]:
        """Take the next move, and whose it is."""
        _, _, seat, move = heapq.heappop(self._moves)
        return seat, move

    def forget(self, until: float) -> None:
        """Drop the moves of before table time `until`: they were made before the server went down."""
        while self._moves and self._moves[0][0] <= until:
            heapq.heappop(self._moves)


def brought_back(entries: Sequence[Entry], lang: str) -> tuple[Play, Bots, list[Sequence[Item]]]:
    """A stored game folded again, with its bots as they were, and what each step came to.

    Raises LogCorruptError where the log does not fold.
    """
    steps: list[Sequence[Item]] = []
    bots: Bots | None = None

    def see(play: Play, items: Sequence[Item]) -> None:
        nonlocal bots
        if bots is None:
            bots = Bots(lang, play)
        bots.see(items)
        steps.append(items)

    play = refold(entries, see)
    assert bots is not None, "a log that folds has a deal"
    return play, bots, steps
