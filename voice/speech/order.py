"""The lines of a seat in the order in which they were said, whichever recogniser process is done first."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voice.speech.job import Job


class Order:
    """The whole utterances of a table that have no text yet, and those whose text waits for an earlier one's."""

    def __init__(self) -> None:
        self._waiting: dict[int, deque[Job]] = {}

    def add(self, job: Job) -> None:
        """A whole utterance is to be recognised, after all of its seat that were added before."""
        self._waiting.setdefault(job.utterance.seat, deque()).append(job)

    def ready(self, seat: int) -> list[Job]:
        """Take those of a seat that are next and have a result, or will never have one."""
        waiting = self._waiting.get(seat, deque())
        ready: list[Job] = []
        while waiting and (waiting[0].lost or waiting[0].result is not None):
            ready.append(waiting.popleft())
        return ready
