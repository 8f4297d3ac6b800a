"""The outgoing timeline of one slot, which all its listeners hear: many speakers, one stream."""

from __future__ import annotations

from .rtp import FRAME_SAMPLES, OPUS_HZ, difference

MAX_GAP = 100
"""A jump of more than this many sequence numbers (2 s) is not loss: the run begins anew."""
MAX_STEP = 2 * OPUS_HZ
"""The same for the timestamp."""
_PLACES = (1 << (MAX_GAP + 1)) - 1


class Munger:
    """Rewrites sequence numbers and timestamps so that a slot's listeners get one steady stream.

    Inside a run (one source, without a filler in between) the numbers are only shifted, so real loss and reordering
    stay visible to the listeners' jitter buffers. At a change of the source the stream goes on at the next number and
    at the time that has passed. Packets older than the start of their run are dropped: they would fall back onto
    numbers already used. No number is used twice, which would be two texts under one SRTP keystream (RFC 3711, 9.1).
    """

    __slots__ = (
        "_at",
        "_first",
        "_shift",
        "_shift_time",
        "_source",
        "_top",
        "_top_time",
        "_used",
        "sequence",
        "timestamp",
    )

    def __init__(self, sequence: int, timestamp: int) -> None:
        self.sequence = sequence & 0xFFFF
        """The last (highest) number given out."""
        self.timestamp = timestamp & 0xFFFFFFFF
        self._at: float | None = None
        self._source = 0
        self._first = 0
        self._top = 0
        self._top_time = 0
        self._shift = 0
        self._used = 0
        self._shift_time = 0

    def _advance(self, now: float) -> int:
        """The timestamp of a packet that follows the last one, at `now`."""
        frames = 1 if self._at is None else max(1, round((now - self._at) * 50))
        return (self.timestamp + frames * FRAME_SAMPLES) & 0xFFFFFFFF

    def map(self, source: int, sequence: int, timestamp: int, now: float) -> tuple[int, int, bool] | None:
        """Sequence, timestamp and marker for a packet of `source` (any number but 0); None if it is to be dropped."""
        if source == self._source:
            ahead = difference(sequence, self._top & 0xFFFF, 16)
            if ahead <= 0:
                # Late: send it only if its place in this run is free, which is where a listener still may use it.
                if ahead < -MAX_GAP or self._top + ahead < self._first:
                    return None
                step = difference(timestamp, self._top_time, 32)
                place = 1 << -ahead
                if self._used & place or not -MAX_STEP < step < 0:
                    return None
                self._used |= place
                return (sequence + self._shift) & 0xFFFF, (timestamp + self._shift_time) & 0xFFFFFFFF, False
            if ahead <= MAX_GAP and 0 < difference(timestamp, self._top_time, 32) <= MAX_STEP:
                self._top += ahead
                self._used = (self._used << ahead | 1) & _PLACES
                self._top_time = timestamp
                self.sequence = (sequence + self._shift) & 0xFFFF
                self.timestamp = (timestamp + self._shift_time) & 0xFFFFFFFF
                self._at = now
                return self.sequence, self.timestamp, False
        out, out_time = self.fill(now)
        self._source = source
        self._first = self._top = sequence
        self._used = 1
        self._top_time = timestamp
        self._shift = out - sequence
        self._shift_time = out_time - timestamp
        return out, out_time, True

    def fill(self, now: float) -> tuple[int, int]:
        """Sequence and timestamp for a packet of the server's own; it ends the run."""
        self.timestamp = self._advance(now)
        self.sequence = (self.sequence + 1) & 0xFFFF
        self._at = now
        self._source = 0
        return self.sequence, self.timestamp

    def cut(self) -> None:
        """What comes next is a new run, whoever it is of: something of the source was left out."""
        self._source = 0
