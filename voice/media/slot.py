"""Which of several open microphones the one stream carries."""

from __future__ import annotations

HOLD_S = 0.4
"""A speaker keeps the slot through pauses of this length."""


class Slot:
    """One stream to the listeners. With one microphone open it is that seat's; with several, who talks keeps it
    until a pause, then the next who talks gets it."""

    __slots__ = ("_heard_at", "holder")

    def __init__(self) -> None:
        self.holder: int | None = None
        self._heard_at = 0.0

    def take(self, seat: int, loud: bool, now: float) -> bool:
        """May this packet of `seat` go out? `loud`: it holds more than silence."""
        if self.holder != seat:
            if self.holder is not None and (not loud or now - self._heard_at < HOLD_S):
                return False
            self.holder = seat
            self._heard_at = now
        elif loud:
            self._heard_at = now
        return True

    def keep(self, seats: frozenset[int]) -> None:
        """Free the slot if its holder is not among these seats."""
        if self.holder not in seats:
            self.holder = None
