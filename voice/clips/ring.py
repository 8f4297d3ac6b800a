"""What was said at one table a moment ago, in memory alone: Opus packets that the gate let through, not decoded."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from voice.media.packet import AcceptedPacket

MOST_BYTES: Final = 4 * 1024 * 1024
"""Of one table: thirteen voices for more than half a minute; a client that sends more shortens the memory."""
OVERHEAD_BYTES: Final = 200  # of a packet as an object
MARGIN_S: Final = 0.3  # before a line's first sound and after its last: breath, and what the clocks differ by
LONGEST_S: Final = 20.0  # of one clip; an utterance is cut long before


class Ring:
    """The packets of the last `keep_s` seconds, by arrival (monotonic s). With 0 nothing is ever kept."""

    def __init__(self, keep_s: float) -> None:
        self._keep_s = keep_s
        self._packets: deque[AcceptedPacket] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._packets)

    def keep(self, packet: AcceptedPacket) -> None:
        """Remember one more, and forget what is too old or too much."""
        if self._keep_s <= 0:
            return
        self._packets.append(packet)
        self._bytes += len(packet.payload) + OVERHEAD_BYTES
        self.forget(packet.arrival)

    def forget(self, now_s: float) -> None:
        """Drop what is too old, also where nothing new comes."""
        while self._packets and (self._bytes > MOST_BYTES or self._packets[0].arrival < now_s - self._keep_s):
            self._bytes -= len(self._packets.popleft().payload) + OVERHEAD_BYTES

    def clear(self) -> None:
        """Forget all of it."""
        self._packets.clear()
        self._bytes = 0

    def cut(self, seat: int, start_s: float, end_s: float) -> Sequence[AcceptedPacket]:
        """What came of one seat while it said a line; LONGEST_S at most, its end. Empty where it is forgotten."""
        since = max(start_s - MARGIN_S, end_s + MARGIN_S - LONGEST_S)
        return [each for each in self._packets if each.seat == seat and since <= each.arrival <= end_s + MARGIN_S]
