"""What one turn of a table came to, before anybody is told: it is written first, then published."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from voice.store.store import append
from voice.table.records import to_row

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Executable

    from voice.table.flagging import Opinion
    from voice.table.journal import Item
    from voice.table.play import Outcome
    from voice.table.records import Entry, Spoken


@dataclass(slots=True)
class Batch:
    """`entries` and `statements` are written in one transaction; then `items` are shown and `after` is called.

    `judged`: the lines that people spoke, with what the rules said of each.
    """

    entries: list[Entry] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    statements: list[Executable] = field(default_factory=list)
    after: list[Callable[[], None]] = field(default_factory=list)
    judged: list[tuple[Spoken, Opinion]] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Take over what the game came to."""
        self.entries += outcome.entries
        self.items += outcome.items

    def writes(self, table: str) -> list[Executable]:
        """All that must be on the disk before anybody is told."""
        rows = [to_row(entry) for entry in self.entries]
        return [*([append(table, rows)] if rows else []), *self.statements]
