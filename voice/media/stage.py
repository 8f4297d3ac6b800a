"""The slots of a table, as those of its listeners hear them who take the same number of streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .slot import Slots
from .writer import SlotWriter

if TYPE_CHECKING:
    from .link import Link

TAIL_FRAMES = 5
"""After a speaker lost a slot: silence at 20 ms, so that the listeners' decoders fade out, then a DTX frame."""


class Stage:
    """Who is heard in which slot, and each slot's way out. All listeners of one stage have its number of slots."""

    __slots__ = ("_links", "_slots", "_told", "_writers")

    def __init__(self, count: int) -> None:
        self._slots = Slots(count)
        self._writers = tuple(SlotWriter(slot) for slot in range(count))
        self._links: list[Link] = []
        self._told = -1

    def add(self, link: Link) -> None:
        """A new listener."""
        self._links.append(link)
        for writer in self._writers:
            writer.add(link)

    def remove(self, link: Link) -> None:
        """It hears no more."""
        if link in self._links:
            self._links.remove(link)
            for writer in self._writers:
                writer.remove(link)

    @property
    def empty(self) -> bool:
        """Does nobody listen?"""
        return not self._links

    def news(self) -> tuple[int | None, ...] | None:
        """Who has each slot, if that changed since the last call."""
        if self._told == self._slots.changes:
            return None
        self._told = self._slots.changes
        return self._slots.seats

    # Which slot a packet goes to, and its way there

    def alone(self, seat: int, now: float) -> SlotWriter:
        """Where a packet of the only open seat goes."""
        return self._writers[self._slots.alone(seat, now)]

    def take(self, seat: int, loudness: float, now: float) -> SlotWriter | None:
        """Where a packet of one of several open seats goes; None if it is not heard."""
        slot = self._slots.take(seat, loudness, now)
        return None if slot is None else self._writers[slot]

    def keep(self, seats: frozenset[int]) -> float:
        """These are open: the slots of all others are free. When the first frame of silence is due; 0 for never."""
        return self._end(self._slots.keep(seats))

    def rest(self, now: float) -> float:
        """Those who are silent for long have no slot; what is given back is as with `keep`."""
        return self._end(self._slots.rest(now))

    def _end(self, slots: list[int]) -> float:
        return min((due for slot in slots if (due := self._writers[slot].end_run(TAIL_FRAMES))), default=0.0)

    # Silence

    def fill(self, now: float) -> float:
        """DTX frames to those who have heard nothing for a while; when the next is due."""
        return min(writer.fill(now) for writer in self._writers)

    def tail(self, now: float) -> bool:
        """One frame of silence where a speaker lost the slot; True if more are to come."""
        more = False
        for writer in self._writers:
            more = writer.tail(now) or more
        return more
