"""What somebody who comes to a table is told of it first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voice.table import frames, lobby

if TYPE_CHECKING:
    from voice.table.audience import Outlet
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


def show(table: Table, person: str | None, outlet: Outlet) -> None:
    """Send a new connection what is so at the moment and not numbered, but for the lobby of who sits there."""
    running = table.running
    if running is None:
        if person is None:
            outlet.put("lobby", lobby.frame(table))
        return
    outlet.put("link", frames.link(running.voices.linked))
    for count, (change, seats) in running.voices.slots.items():
        outlet.put(f"slots {count}", frames.slots(change, seats))
    if running.voices.captions is not None:
        outlet.put("captions", frames.captions(*running.voices.captions))
    if person is not None:
        running.offers.show(person, outlet, table.now())
