"""The morning after a night, in games without best move and last words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.table import Table


def morning(table: Table, killed: int | None) -> None:
    """The morning's outcome and nothing else, then the next day unless that decides."""
    table.emit("morning", "all", {"killed": killed})
    if killed is not None:
        table.leave(killed, "shot")
    if table.decide():
        table.finish()
    else:
        table.turn("day")
