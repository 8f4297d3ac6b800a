"""How late an event loop is: media that waits for it is heard late."""

from __future__ import annotations

import asyncio
import time
from collections import deque

import structlog

LOOK_S = 0.05
ALARM_MS = 20.0
SAY_EVERY_S = 10.0
KEPT_LOOKS = 1_200
"""A minute of them."""

log = structlog.get_logger(__name__)


class LagWatch:
    """Asks the running loop every 50 ms to be called, and measures by how much later it was.

    From 20 ms on a delay counts as an alarm, and is logged where `says`, at most one line in 10 s with the worst since
    the last.
    """

    def __init__(self, name: str, *, says: bool = True) -> None:
        self._name = name
        self._says = says
        self._late_ms: deque[float] = deque(maxlen=KEPT_LOOKS)
        self._alarms = 0
        self._unsaid = 0
        self._unsaid_worst_ms = 0.0
        self._said_at = float("-inf")
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to look."""
        self._later()

    def stop(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def stats(self) -> dict[str, float]:
        """The last minute's delays in ms (`p99`, `max`), and how many alarms there were in all."""
        ordered = sorted(self._late_ms)
        return {
            "p99": round(ordered[int(0.99 * (len(ordered) - 1))], 1) if ordered else 0.0,
            "max": round(ordered[-1], 1) if ordered else 0.0,
            "alarms": self._alarms,
        }

    def note(self, late_ms: float, now: float) -> None:
        """The loop was late by so much at `now`, in monotonic seconds."""
        self._late_ms.append(late_ms)
        if late_ms >= ALARM_MS:
            self._alarms += 1
            self._unsaid += 1
            self._unsaid_worst_ms = max(self._unsaid_worst_ms, late_ms)
        if self._says and self._unsaid and now - self._said_at >= SAY_EVERY_S:
            log.warning(
                "event loop was late", loop=self._name, times=self._unsaid, worst_ms=round(self._unsaid_worst_ms)
            )
            self._said_at = now
            self._unsaid = 0
            self._unsaid_worst_ms = 0.0

    def _later(self) -> None:
        self._due = time.monotonic() + LOOK_S
        self._timer = asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def _look(self) -> None:
        now = time.monotonic()
        self.note(max(0.0, now - self._due) * 1000.0, now)
        self._later()
