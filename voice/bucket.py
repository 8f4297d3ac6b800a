"""A token bucket: how much of something may come."""

from __future__ import annotations


class Bucket:
    """`rate` units a second, at most `burst` at once. Time is handed in (monotonic seconds)."""

    __slots__ = ("_burst", "_level", "_rate", "_then")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._then = now

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Take `amount` if it is there."""
        level = min(self._burst, self._level + (now - self._then) * self._rate)
        self._then = now
        if level < amount:
            self._level = level
            return False
        self._level = level - amount
        return True
