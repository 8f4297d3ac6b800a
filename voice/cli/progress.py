"""Progress on standard error: for a terminal, and for work that takes longer than two seconds."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable

QUIET_S = 2.0
"""Shorter work says nothing."""

PAUSE_S = 0.25
"""Between two lines."""

_CLEAR = "\r\x1b[K"


class Progress:
    """Tells how many of `of` things are done, how fast it goes, and how long it will take yet."""

    def __init__(
        self, what: str, of: int, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """what: the things, in the plural. stream: standard error where None."""
        self._what = what
        self._of = of
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._begun = clock()
        self._told_at: float | None = None
        self._terminal = self._stream.isatty()

    @property
    def seconds(self) -> float:
        """Since the work began."""
        return self._clock() - self._begun

    def done(self, number: int) -> None:
        """So many are done by now."""
        now, taken = self._clock(), self.seconds
        early = taken < QUIET_S or (self._told_at is not None and now - self._told_at < PAUSE_S)
        if not self._terminal or early:
            return
        self._told_at = now
        speed = number / taken
        left = f", {_duration((self._of - number) / speed)} left" if number else ""
        part = 100 * number // max(1, self._of)
        line = f"{number:,} of {self._of:,} {self._what} ({part} %), {speed:,.0f} a second{left}"
        self._stream.write(_CLEAR + line)
        self._stream.flush()

    def end(self) -> None:
        """Takes the line away, where there is one."""
        if self._told_at is not None:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._told_at = None


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 120:
        return f"{whole} s"
    if whole < 7200:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
