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
    """One line, written over again. Says nothing where standard error is no terminal."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """stream: standard error where None."""
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._begun = clock()
        self._told_at: float | None = None
        self._terminal = self._stream.isatty()

    @property
    def seconds(self) -> float:
        """Since the work began."""
        return self._clock() - self._begun

    def say(self, line: str) -> None:
        """Shows the line, where the work has gone on for long enough and the line before was shown for long enough."""
        now = self._clock()
        pause = QUIET_S - (now - self._begun) if self._told_at is None else PAUSE_S - (now - self._told_at)
        if self._terminal and pause <= 0:
            self._told_at = now
            self._stream.write(_CLEAR + line)
            self._stream.flush()

    def done(self, number: int, of: int, what: str) -> None:
        """So many of so many things, in the plural, are done: their part, their speed, and how long it takes yet."""
        if not self._terminal:
            return
        taken = self.seconds
        line = f"{number:,} of {of:,} {what} ({100 * number // max(1, of)} %)"
        if number and taken > 0:
            line += f", {number / taken:,.0f} a second, {_duration((of - number) * taken / number)} left"
        self.say(line)

    def end(self) -> None:
        """Takes the line away, where there is one."""
        if self._told_at is not None:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._told_at = None


class Bytes:
    """Told of bytes as they come: shows how many there are."""

    def __init__(self, progress: Progress, done: str) -> None:
        """done: as "fetched"."""
        self._progress = progress
        self._done = done
        self._come = 0

    def __call__(self, come: int) -> None:
        """So many more."""
        self._come += come
        self._progress.say(f"{self._come / 1e6:,.0f} MB {self._done}")


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 120:
        return f"{whole} s"
    if whole < 7200:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
