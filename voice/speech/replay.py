"""What the tap was sent of late, so that a tap that died can hear it again."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

KEEP_S = 13.0
KEEP_MESSAGES = 10_000
"""More than a table of thirteen open microphones sends in that time, at 50 packets a second each."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A framed message: a packet of `seat` with its arrival, or (seat None) a move of the gate."""

    arrival: float
    seat: int | None
    data: bytes


class Memory:
    """One stream's recent messages, no more than the longest utterance needs; Opus packets, not PCM."""

    def __init__(self, first_mic: bytes) -> None:
        self._sent: deque[Sent] = deque()
        self._mic_before = first_mic
        self._heard_until: dict[int, float] = {}

    def keep(self, sent: Sent) -> None:
        """Remember a message; forget those that are too old."""
        self._sent.append(sent)
        self.forget(sent.arrival)

    def forget(self, now: float) -> None:
        """Drop what is too old at `now`, also where nothing new comes: nobody's speech lies here through a night."""
        while self._sent and (len(self._sent) > KEEP_MESSAGES or self._sent[0].arrival < now - KEEP_S):
            oldest = self._sent.popleft()
            if oldest.seat is None:
                self._mic_before = oldest.data

    def heard(self, seat: int, until: float) -> None:
        """What this seat said up to a time has become an utterance: it need not be heard again."""
        self._heard_until[seat] = max(until, self._heard_until.get(seat, until))

    def clear(self) -> None:
        """Forget the packets; the gate's last move stays."""
        for sent in self._sent:
            if sent.seat is None:
                self._mic_before = sent.data
        self._sent.clear()

    def messages(self) -> list[bytes]:
        """What a new tap must be sent, in order, after the stream is opened."""
        unheard = [
            sent.data
            for sent in self._sent
            if sent.seat is None or sent.arrival > self._heard_until.get(sent.seat, sent.arrival - 1.0)
        ]
        return [self._mic_before, *unheard]
