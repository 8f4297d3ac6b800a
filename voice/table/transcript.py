"""What was said in a game, in order, for those who took part in it.

`may_read` alone decides who that is, and the engine's allow-list (`engine.view`) what of the events they are shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.review.log import event_of
from engine.view import view
from voice.table.records import Entry, Json, Spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.events import Event

TURNS = ("night", "day")


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who has shown the token of a seat: of which table, and which seat (None in the lobby).

    `left`: they gave the seat up.
    """

    table: str
    seat: int | None
    left: bool = False


def may_read(reader: Reader | None, table: str, *, over: bool) -> bool:
    """Whether the words spoken at `table` are for `reader`: for who held a seat in that very game, and nobody else.

    Who gave the seat up reads them when the game is over, and does not listen to it meanwhile.

    Without a seat token (None) one is nobody: so are moderators, who have the lines of their cases with those around,
    and captions while the table is at work (`Journal.close`).
    """
    held = reader is not None and reader.table == table and reader.seat is not None
    return held and reader is not None and (over or not reader.left)


def transcript(entries: Iterable[Entry], seat: int) -> list[Json]:
    """Lines and what was said by button, each with its night or day, in the order in which they were begun.

    Lines whose words are deleted are left out.
    """
    turns: list[tuple[float, str, int]] = []
    said: list[tuple[float, Json]] = []
    for entry in entries:
        if isinstance(entry.body, Spoken):
            if entry.body.text:
                said.append((entry.body.start, _line(entry.body)))
            continue
        for event in map(event_of, entry.body.events):
            if event.name in TURNS:
                number = event.fields["number"]
                assert isinstance(number, int), "the form of the event says so"
                turns.append((event.t, event.name, number))
            elif (found := _said(event, seat)) is not None:
                said.append((event.t, found))
    said.sort(key=lambda each: each[0])
    return [{**what, "turn": _turn(turns, t)} for t, what in said]


def _line(line: Spoken) -> Json:
    return {
        "kind": "line",
        "line": line.line,
        "seat": line.seat,
        "text": line.text,
        "start": line.start,
        "end": line.end,
        "by": line.by,
    }


def _said(event: Event, seat: int) -> Json | None:
    shown = view(event, seat) if event.name == "said" else None
    if shown is None:
        return None
    return {
        "kind": "said",
        "seat": shown["seat"],
        "say": shown["kind"],
        "target": shown.get("target"),
        "card": shown.get("card"),
        "start": event.t,
    }


def _turn(turns: Sequence[tuple[float, str, int]], t: float) -> Json | None:
    """In which night or day it was."""
    for since, name, number in reversed(turns):
        if since <= t:
            return {"name": name, "number": number}
    return None
