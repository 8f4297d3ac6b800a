"""The doctor's protection, and the morning of a night that has one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import night
from engine.errors import Refusal

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table

CARD = "doctor"


@dataclass(slots=True)
class Protection:
    """What a game with a doctor remembers: the seat whose protection stood the night before, or None."""

    last: int | None = None


def _protection(table: Table) -> Protection:
    own: Protection = table.state.own
    return own


def protect(table: Table, command: Command) -> None:
    """The doctor picks any living seat, the own one included, but not the one of the night before."""
    night.by_card(table, command, CARD)
    if command.target == _protection(table).last:
        raise Refusal("this seat was protected the night before")
    night.pick_alone(table, command)


def settle(table: Table) -> bool:
    """The pick that stands is the night's protection; none frees last night's seat.

    Returns whether it saved the target.
    """
    target, last = table.state.target, None
    for picked in table.state.picks.values():
        last = picked
    _protection(table).last = last
    return target is not None and target == last
