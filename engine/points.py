"""Points at a game's end, in the parts that a protocol sheet has columns for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


@dataclass(frozen=True, slots=True)
class Ending:
    """What points are reckoned from: a game tells it at its end, and so does its log.

    mafia: the seats of the mafia, of seats 1 to `seats`. winner: `town`, `mafia` or `draw`. best_moves: the seats that
    a best move named, by who made it. removed: the seats that left by removal.
    """

    seats: int
    mafia: Collection[int]
    winner: str
    best_moves: Mapping[int, Collection[int]]
    removed: Collection[int]


@dataclass(frozen=True, slots=True)
class PointsParts:
    """One seat's points in their parts."""

    outcome: float
    best_move: float
    removal: float

    @property
    def total(self) -> float:
        """The sum, to one decimal (contract, "Decisions where the seeds are silent")."""
        return round(self.outcome + self.best_move + self.removal, 1) + 0.0  # no minus nought
