"""The mafia's shot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import night
from engine.errors import Refusal

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table


def shoot(table: Table, command: Command) -> None:
    """The mafia picks any living seat but its own."""
    night.by_mafia(table, command)
    if command.target == command.seat:
        raise Refusal("the mafia does not shoot itself")
    night.pick_alone(table, command)
