"""What the tap has counted of each seat, over all its lives: it counts from nothing when it is started again."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from voice.speech.wire import SeatCounts


class TapCounts:
    """Counts by stream and seat."""

    def __init__(self) -> None:
        self._past: dict[tuple[int, int], Counter[str]] = {}
        self._live: dict[tuple[int, int], Counter[str]] = {}

    def told(self, message: SeatCounts) -> None:
        """The tap told what it has counted of a seat since it began."""
        self._live[message.stream, message.seat] = Counter(message.counts)

    def began_anew(self) -> None:
        """The tap is gone, and the next counts from nothing."""
        for key, count in self._live.items():
            self._past.setdefault(key, Counter()).update(count)
        self._live.clear()

    def forget(self, stream: int) -> None:
        """A stream is closed."""
        for counts in (self._past, self._live):
            for key in [key for key in counts if key[0] == stream]:
                del counts[key]

    def with_those(self, others: Mapping[int, Counter[str]], stream: int) -> dict[int, dict[str, int]]:
        """A stream's counts by seat, together with others of its seats."""
        seats: dict[int, Counter[str]] = {}
        for counts in (self._past, self._live):
            for (number, seat), count in counts.items():
                if number == stream:
                    seats.setdefault(seat, Counter()).update(count)
        for seat, count in others.items():
            seats.setdefault(seat, Counter()).update(count)
        return {seat: dict(count) for seat, count in sorted(seats.items())}
