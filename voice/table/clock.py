"""Time, handed in: the machine's monotonic clock, or one that a test moves."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class Timer(Protocol):
    """A call that waits for its time."""

    def cancel(self) -> None:
        """Never make the call."""


class Clock(Protocol):
    """Monotonic seconds, from any beginning."""

    def now(self) -> float:
        """The time, s."""

    def call_at(self, when: float, call: Callable[[], None]) -> Timer:
        """Make `call` once the time is `when`; at once where it has passed."""


class SystemClock:
    """The machine's monotonic clock: what `time.monotonic` says, as the speech service's is."""

    def now(self) -> float:
        """The time, s."""
        return time.monotonic()

    def call_at(self, when: float, call: Callable[[], None]) -> Timer:
        """Make `call` from the running event loop once the time is `when`."""
        return asyncio.get_running_loop().call_later(max(0.0, when - time.monotonic()), call)


class _VirtualTimer:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None


class VirtualClock:
    """A clock that stands still until `advance` moves it, from timer to timer.

    `settle` is awaited after each timer and at the end: it returns when everybody who was woken has done their work.
    """

    def __init__(self, settle: Callable[[], Awaitable[None]] | None = None) -> None:
        self.settle = settle
        self._now = 0.0
        self._order = itertools.count()
        self._timers: list[tuple[float, int, _VirtualTimer]] = []

    def now(self) -> float:
        """The time, s."""
        return self._now

    def call_at(self, when: float, call: Callable[[], None]) -> Timer:
        """Make `call` when `advance` has come to `when`."""
        timer = _VirtualTimer(call)
        heapq.heappush(self._timers, (when, next(self._order), timer))
        return timer

    async def advance(self, seconds: float) -> None:
        """Let `seconds` pass."""
        end = self._now + seconds
        await self._settled()
        while self._timers and self._timers[0][0] <= end:
            when, _, timer = heapq.heappop(self._timers)
            if timer.call is None:
                continue
            self._now = max(self._now, when)
            timer.call()
            await self._settled()
        self._now = end
        await self._settled()

    async def _settled(self) -> None:
        if self.settle is not None:
            await self.settle()
