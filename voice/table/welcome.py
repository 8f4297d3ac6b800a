"""What somebody who comes to a table is told of it first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voice.table.records import Json
    from voice.table.table import Table


def of(table: Table, person: str | None) -> Json:
    """The fields of `welcome` that the table knows, for a person or (None) a moderator."""
    return {
        "table": table.id,
        "name": table.name,
        "lang": table.lang,
        "ruleset": table.ruleset,
        "code": table.rules.code,
        "state": table.state,
        "role": "moderator" if person is None else "player",
        "you": person,
        "owner": table.owner,
        "seat": None if person is None else table.people[person].seat,
        "seats": table.seats,
        "numbers": table.rules.numbers,
        "deck": table.rules.deck,
        "stoppable": table.rules.stoppable,
        "now": table.now(),
    }
