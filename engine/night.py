"""Night picks: kept until their phase ends, and only the one that stands then was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table


def pick(table: Table, command: Command, to: tuple[int, ...]) -> None:
    """Notes an allowed pick, in place of the seat's earlier one, and tells it to `to`."""
    table.state.picks[command.seat] = command.target
    table.emit("pick", to, {"seat": command.seat, "target": command.target})


def agreed(table: Table, pickers: list[int]) -> int | None:
    """The one seat that all `pickers` have picked, or None."""
    targets = {table.state.picks.get(seat) for seat in pickers}
    return targets.pop() if len(targets) == 1 else None


def begin(table: Table, name: str) -> None:
    """Begins a night phase in which nothing is picked yet."""
    table.state.picks.clear()
    table.begin(name)
