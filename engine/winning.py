"""Who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.table import Table


def parity(table: Table) -> str | None:
    """The town without any mafia left, the mafia with as many seats as the others or more, else None."""
    mafia = len(table.living_mafia())
    if not mafia:
        return "town"
    return "mafia" if 2 * mafia >= len(table.state.living) else None
