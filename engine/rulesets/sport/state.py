"""What a game of sport Mafia remembers beside what every game does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.rulesets.sport.numbers import SportNumbers

if TYPE_CHECKING:
    from engine.table import Table


@dataclass(slots=True)
class SportState:
    """order: the standing shooting order. checked: seats the don has checked.

    idle_nights: shooting nights in a row without anybody leaving. opener: who opened the present day, 0 before day 1.
    nominated: how often each seat has nominated today. day_1_leavers: how many day 1's vote took.
    skips: seats whose next speech is skipped. waiting: seats to be removed, in the order of their fourth fouls.
    removed: seats that were. cancelled_day: the last day whose vote a removal cancelled before it began.
    owed: best move and last words still to be given, as (phase, seat). after_owed: the turn that follows them.
    best_moves: the seats named, by who named them.
    """

    order: list[int] = field(default_factory=list)
    checked: set[int] = field(default_factory=set)
    idle_nights: int = 0
    opener: int = 0
    nominated: dict[int, int] = field(default_factory=dict)
    day_1_leavers: int = 0
    skips: set[int] = field(default_factory=set)
    waiting: list[int] = field(default_factory=list)
    removed: set[int] = field(default_factory=set)
    cancelled_day: int = 0
    owed: list[tuple[str, int]] = field(default_factory=list)
    after_owed: str = ""
    best_moves: dict[int, tuple[int, ...]] = field(default_factory=dict)


def sport(table: Table) -> SportState:
    """The game's own state."""
    own: SportState = table.state.own
    return own


def numbers(table: Table) -> SportNumbers:
    """The game's table of numbers."""
    values = table.state.numbers
    assert isinstance(values, SportNumbers)
    return values
