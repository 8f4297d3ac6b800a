"""One slot's way out: one timeline for all its listeners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .listener import FILL_S, Listener
from .munger import Munger

if TYPE_CHECKING:
    from .link import Link


class SlotWriter:
    """Sends one stream of speech to any number of listeners, each over its own link.

    What comes is put in order once (see `Munger`): duplicates, late packets, changes of the speaker. Each listener then
    differs by a shift alone. Nothing is queued: `forward` encrypts and sends before it returns.
    """

    __slots__ = ("_listeners", "_munger", "_run", "_slot")

    def __init__(self, slot: int = 0) -> None:
        self._slot = slot
        self._munger = Munger(0, 0)
        self._listeners: list[Listener] = []
        self._run = 0

    def add(self, link: Link) -> Listener:
        """A new listener."""
        listener = Listener(link, self._slot)
        self._listeners.append(listener)
        return listener

    def remove(self, link: Link) -> None:
        """It hears no more; whoever is no listener is none after either."""
        self._listeners = [listener for listener in self._listeners if listener.link is not link]

    def forward(
        self, source: int, sequence: int, timestamp: int, payload: bytes, now: float, speaker: Link | None
    ) -> int:
        """Send a packet of `source` to all but the speaker itself; how many it was sent to."""
        munger = self._munger
        out = munger.map(source, sequence, timestamp, now)
        if out is None:
            return 0
        number, time, begins = out
        if begins:
            self._run += 1
        run, slot = self._run, self._slot
        late = number != munger.sequence
        sent = 0
        for listener in self._listeners:
            link = listener.link
            if link is speaker or not link.connected:
                continue
            if late:
                if listener.run == run and listener.heard(number):
                    sent += link.send(
                        (number + listener.shift) & 0xFFFF,
                        (time + listener.shift_time) & 0xFFFFFFFF,
                        False,
                        payload,
                        now,
                        slot,
                    )
                continue
            if listener.run != run:
                listener.begin(run, number, time, now)
                sent += link.send(listener.sequence, listener.timestamp, True, payload, now, slot)
                continue
            listener.sent_at = now
            listener.tail_left = 0
            listener.sequence = place = (number + listener.shift) & 0xFFFF
            listener.timestamp = at = (time + listener.shift_time) & 0xFFFFFFFF
            sent += link.send(place, at, False, payload, now, slot)
        return sent

    def fill(self, now: float) -> float:
        """DTX frames to those who have heard nothing for a while; when the next is due."""
        due = now + FILL_S
        for listener in self._listeners:
            due = min(due, listener.fill(now))
        return due

    def end_run(self, frames: int) -> float:
        """The speaker has lost the slot: `frames` of silence follow, the first at the time returned; 0 for none."""
        self._munger.cut()
        return min((due for listener in self._listeners if (due := listener.end_run(frames))), default=0.0)

    def tail(self, now: float) -> bool:
        """One frame of that silence; True if more are to come."""
        more = False
        for listener in self._listeners:
            more = listener.tail(now) or more
        return more
