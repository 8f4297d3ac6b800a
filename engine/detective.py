"""The detective's check: is this seat of the mafia?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import night
from engine.errors import Refusal

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table

CARD = "detective"


def check(table: Table, command: Command) -> None:
    """The detective picks any living seat, the own one included."""
    night.by_card(table, command, CARD)
    night.pick_alone(table, command)


def check_another(table: Table, command: Command) -> None:
    """The same, but for the own seat."""
    night.by_card(table, command, CARD)
    if command.target == command.seat:
        raise Refusal("the detective checks another seat")
    night.pick_alone(table, command)


def tell(table: Table) -> None:
    """The pick that stands at the end of the phase is answered."""
    for seat, target in table.state.picks.items():
        night.answer(table, seat, target, "mafia" if table.is_mafia(target) else "not_mafia")
