"""What waits for a recogniser: final utterances first, then likely ends, then drafts. No clock, no process."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from voice.speech.job import Job


class Waiting:
    """Jobs in the order of their rank.

    Finals wait in the order in which they came, `most_table_s` seconds of sound of one table and `most_s` of all: far
    more than a table that is merely late has. Of drafts the newest of a table waits, of likely ends the newest of a
    seat.
    """

    def __init__(self, most_table_s: float, most_s: float) -> None:
        self._most_table_s = most_table_s
        self._most_s = most_s
        self._finals: deque[Job] = deque()
        self._likely: dict[tuple[int, int], Job] = {}
        self._drafts: dict[int, Job] = {}

    def __len__(self) -> int:
        return len(self._finals) + len(self._likely) + len(self._drafts)

    @property
    def finals(self) -> Collection[Job]:
        """The whole utterances, the next one first."""
        return self._finals

    def final(self, job: Job) -> list[Job]:
        """A whole utterance. Returns those that it leaves no room for: the oldest of its table, then of all."""
        self._stale(job)
        self._likely.pop(_seat(job), None)
        self._finals.append(job)
        dropped = self._drop([each for each in self._finals if _stream(each) == _stream(job)], self._most_table_s)
        return dropped + self._drop(list(self._finals), self._most_s)

    def again(self, jobs: Collection[Job]) -> None:
        """Whole utterances whose process died: before all others."""
        self._finals.extendleft(reversed(list(jobs)))

    def likely(self, job: Job) -> None:
        """What may be a whole utterance: a newer one of the seat takes its place, and that of an older draft."""
        self._stale(job)
        self._likely[_seat(job)] = job

    def draft(self, job: Job) -> bool:
        """Speech that goes on: whether it takes the place of an older draft of the table."""
        replaces = self._drafts.pop(_stream(job), None) is not None
        self._drafts[_stream(job)] = job
        return replaces

    def promote(self, job: Job) -> list[Job]:
        """A likely end was the end. If it still waits it waits as a final; returns what `final` does."""
        self._stale(job)
        return self.final(job) if self._likely.get(_seat(job)) is job else []

    def no_drafts(self) -> int:
        """Forget the drafts; how many those were."""
        count = len(self._drafts)
        self._drafts.clear()
        return count

    def forget(self, stream: int) -> None:
        """A table's stream is closed."""
        self._finals = deque(job for job in self._finals if _stream(job) != stream)
        self._likely = {key: job for key, job in self._likely.items() if key[0] != stream}
        self._drafts.pop(stream, None)

    def refuse(self, lang: str) -> list[Job]:
        """A language can't be recognised: take all its jobs out."""
        refused = [job for job in self._all() if job.lang == lang]
        self._finals = deque(job for job in self._finals if job.lang != lang)
        self._likely = {key: job for key, job in self._likely.items() if job.lang != lang}
        self._drafts = {key: job for key, job in self._drafts.items() if job.lang != lang}
        return refused

    def first_of(self, langs: Collection[str]) -> str | None:
        """The language, among these, of the whole utterance that is next; None where there is none."""
        return next((job.lang for job in self._finals if job.lang in langs), None)

    def take(
        self, langs: Collection[str], *, empty: bool, drafts: bool, but_drafts_of: Collection[int] = ()
    ) -> Job | None:
        """The next job for a process that knows `langs`; None where there is none. No draft of some tables.

        `empty`: it has nothing else in hand. An utterance that a process died of is given to an empty one only, so
        that it harms no other: until there is one, a process that is not gets nothing.
        """
        for job in self._finals:
            if job.lang in langs:
                if job.attempts and not empty:
                    return None
                self._finals.remove(job)
                return job
        for seat, job in self._likely.items():
            if job.lang in langs:
                del self._likely[seat]
                return job
        if drafts:
            for stream, job in self._drafts.items():
                if job.lang in langs and stream not in but_drafts_of:
                    del self._drafts[stream]
                    return job
        return None

    def _all(self) -> list[Job]:
        return [*self._finals, *self._likely.values(), *self._drafts.values()]

    def _stale(self, job: Job) -> None:
        """An older draft of the seat says nothing new."""
        draft = self._drafts.get(_stream(job))
        if draft is not None and _seat(draft) == _seat(job):
            del self._drafts[_stream(job)]

    def _drop(self, jobs: list[Job], most_s: float) -> list[Job]:
        over_s = sum(job.audio_s for job in jobs) - most_s
        dropped: list[Job] = []
        for job in jobs[:-1]:
            if over_s <= 0:
                break
            self._finals.remove(job)
            dropped.append(job)
            over_s -= job.audio_s
        return dropped


def _stream(job: Job) -> int:
    return job.utterance.stream


def _seat(job: Job) -> tuple[int, int]:
    return job.utterance.stream, job.utterance.seat
