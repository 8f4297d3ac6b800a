"""One listener of a slot: where its own stream stands."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from .rtp import DTX, FRAME_S, FRAME_SAMPLES, SILENCE, difference

if TYPE_CHECKING:
    from .link import Link

FILL_S = 0.4
"""After so long without a packet one DTX frame goes out: without it a browser counts every silent second between two
speakers as concealed loss (measured: 105 318 of 144 000 samples without, 0 with it)."""
EARLY_S = 0.1
"""So much earlier it may go, so that many go at once."""


class Listener:
    """One of a link's streams, which goes on through all runs of the slot: it never restarts and uses no number twice.

    Within a run the slot's numbers are shifted by `shift`; at its first packet of a run, and after a filler of its
    own, the listener goes on at its next number and at the time that has passed.
    """

    __slots__ = ("first", "link", "run", "sent_at", "sequence", "shift", "shift_time", "slot", "tail_left", "timestamp")

    def __init__(self, link: Link, slot: int) -> None:
        self.link = link
        self.slot = slot
        self.run = 0
        """The run of the slot that it is in; 0 for none."""
        self.first = 0
        """The slot's number of its first packet of this run."""
        self.shift = 0
        self.shift_time = 0
        # The lower half of the range: a sequence that wraps early confuses an SRTP receiver (RFC 3711, 3.3.1).
        self.sequence = random.randrange(1, 0x8000)
        self.timestamp = random.randrange(1 << 32)
        self.sent_at = 0.0
        self.tail_left = 0

    def _next(self, now: float) -> tuple[int, int]:
        """Number and time of a packet that follows its last one, at `now`."""
        frames = max(1, round((now - self.sent_at) * 50)) if self.sent_at else 1
        self.sent_at = now
        self.sequence = (self.sequence + 1) & 0xFFFF
        self.timestamp = (self.timestamp + frames * FRAME_SAMPLES) & 0xFFFFFFFF
        return self.sequence, self.timestamp

    def begin(self, run: int, sequence: int, timestamp: int, now: float) -> None:
        """Enter a run at this packet of the slot."""
        out, out_time = self._next(now)
        self.run = run
        self.first = sequence
        self.shift = out - sequence
        self.shift_time = out_time - timestamp
        self.tail_left = 0

    def heard(self, sequence: int) -> bool:
        """Was it in this run already when that number of the slot came? What is older falls on numbers it used."""
        return difference(sequence, self.first, 16) > 0

    def fill(self, now: float) -> float:
        """Send a DTX frame if it is time; when the next is due. A further stream begins with its first speaker."""
        if self.slot and not self.sent_at:
            return now + FILL_S
        if self.link.connected and now - self.sent_at >= FILL_S - EARLY_S - 0.001:
            self._own(DTX, now)
        return max(now, self.sent_at) + FILL_S

    def end_run(self, frames: int) -> float:
        """The speaker was closed: `frames` of silence are to follow, the first at the time returned; 0 for none."""
        if not self.run:
            return 0.0
        self.tail_left = frames
        return self.sent_at + FRAME_S

    def tail(self, now: float) -> bool:
        """Send one silence frame of the tail; True if more are to come."""
        if self.tail_left == 0 or not self.link.connected:
            return False
        self.tail_left -= 1
        self._own(SILENCE if self.tail_left else DTX, now)
        return self.tail_left > 0

    def _own(self, payload: bytes, now: float) -> None:
        self.run = 0
        sequence, timestamp = self._next(now)
        self.link.send(sequence, timestamp, False, payload, now, self.slot)
