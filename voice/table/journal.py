"""What each viewer is sent: the log's items that the viewer may know, numbered for that viewer alone.

A viewer is a seat number or "moderator". Kept per viewer are only the places of its items; a message is made when it
is asked for, through the engine's allow-list (`engine.view.view`), so that a resumed client gets the same bytes.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.view import MODERATOR, Viewer, view
from voice.table import frames

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine import Event
    from voice.table.records import Json, Spoken

__all__ = ["MODERATOR", "Item", "Journal", "Viewer"]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that happened: an engine's event, a line, or (with neither) the seating."""

    phase: int
    now: float
    event: Event | None = None
    line: Spoken | None = None


class Journal:
    """The items of one table, and who may see which."""

    def __init__(self, ruleset: str, seats: int) -> None:
        """`ruleset`: its name; `seats`: how many seats the table has."""
        self._ruleset = ruleset
        self._items: list[Item] = []
        self._visible: dict[Viewer, array[int]] = {viewer: array("L") for viewer in (*range(1, seats + 1), MODERATOR)}
        self._people: Mapping[str, Json] = {}
        self._closed = 0

    def seat(self, people: Mapping[str, Json]) -> None:
        """`people`: by seat, name and whether it is a bot; shown by the item without event and line."""
        self._people = people

    def publish(self, items: Iterable[Item]) -> None:
        """Add what has happened; from now on `frames` has it."""
        for item in items:
            place = len(self._items)
            self._items.append(item)
            for viewer, places in self._visible.items():
                if item.event is None or view(item.event, viewer) is not None:
                    places.append(place)

    def close(self) -> None:
        """The game is over and its table was closed: what was said so far is for who took part, not for moderators."""
        self._closed = len(self._items)

    def last(self, viewer: Viewer) -> int:
        """The number of the viewer's last message; 0 where there is none yet."""
        return len(self._visible[viewer])

    def messages(self, viewer: Viewer, after: int, limit: int) -> list[bytes]:
        """At most `limit` of the viewer's messages after number `after`, in order."""
        places = self._visible[viewer][after : after + limit]
        return [self._message(place, viewer, after + 1 + i) for i, place in enumerate(places)]

    def _message(self, place: int, viewer: Viewer, n: int) -> bytes:
        item = self._items[place]
        if item.event is not None:
            event = view(item.event, viewer)
            assert event is not None, "only what may be seen is in _visible"
            return frames.event(n, item.phase, item.now, event)
        if item.line is not None:
            wordless = viewer == MODERATOR and place < self._closed
            return frames.line(n, item.phase, replace(item.line, text="") if wordless else item.line)
        return frames.seated(n, None if viewer == MODERATOR else viewer, self._ruleset, self._people)
