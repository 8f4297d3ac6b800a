"""What a game of quick Mafia remembers beside what every game does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.rulesets.quick.numbers import QuickNumbers

if TYPE_CHECKING:
    from engine.table import Table


@dataclass(slots=True)
class QuickState:
    """idle_cycles: days with the night after them, in a row, without anybody leaving.

    left: whether anybody has left in the running cycle.
    """

    idle_cycles: int = 0
    left: bool = False


def quick(table: Table) -> QuickState:
    """The game's own state."""
    own: QuickState = table.state.own
    return own


def numbers(table: Table) -> QuickNumbers:
    """The game's table of numbers."""
    values = table.state.numbers
    assert isinstance(values, QuickNumbers)
    return values
