"""Who is recognised next, by which process, and what became of it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import structlog

from models.catalogue import BASE
from voice.speech.cadence import Cadence
from voice.speech.count import device_of
from voice.speech.languages import Languages
from voice.speech.patience import Expected
from voice.speech.pool import Pool
from voice.speech.waiting import Waiting
from voice.speech.wire import Loaded
from voice.speech.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from voice.speech.job import Job
    from voice.speech.settings import SpeechSettings
    from voice.speech.wire import NotLoaded, Result

log = structlog.get_logger(__name__)

MAX_ATTEMPTS: Final = 2
PLACES_FOR_FINALS: Final = 2
"""Of the utterances that a process has in hand at once, so many are no drafts."""
ANY_LANGUAGE: Final = BASE.name


@dataclass(slots=True)
class SchedulerCounts:
    """What became of the work."""

    finals: int = 0
    likely: int = 0
    drafts: int = 0
    drafts_skipped: int = 0
    retried: int = 0
    dropped_overload: int = 0
    dropped_crash: int = 0
    dropped_no_model: int = 0
    dropped_failed: int = 0
    decode_s: float = 0.0


class Scheduler:
    """The recogniser processes and what waits for them.

    `on_done` is called with each job that has its result, `on_lost` with each final one that will never have one,
    `on_cadence` with the seconds between two drafts (0: none) when that changes.
    """

    def __init__(
        self,
        data_dir: Path,
        settings: SpeechSettings,
        *,
        on_done: Callable[[Job], None],
        on_lost: Callable[[Job], None],
        on_cadence: Callable[[float], None] = lambda _: None,
    ) -> None:
        self._data_dir = data_dir
        self._settings = settings
        self._on_done = on_done
        self._on_lost = on_lost
        self._on_cadence = on_cadence
        self._waiting = Waiting(settings.max_waiting_s, settings.max_waiting_all_s)
        self._languages = Languages()
        self._expected = Expected()
        self._cadence = Cadence(settings.cadence)
        self._rested = asyncio.Event()
        self._dispatching = False
        self.counts = SchedulerCounts()
        self.pool = Pool(self._worker, max(1, settings.workers))

    def _worker(self, number: int) -> Worker:
        settings = self._settings
        window = "" if settings.min_window_s is None else str(settings.min_window_s)
        arguments = (
            str(self._data_dir), settings.device, settings.compute_type or "", str(settings.threads), window,
            settings.recogniser, str(settings.jobs_at_once),
        )  # fmt: skip
        return Worker(
            number,
            arguments,
            environment=device_of(number, settings.device),
            works_here=settings.device == "cpu",
            expects=lambda job: self._expected.of(job.lang, job.words, job.audio_s),
            on_free=self._dispatch,
            on_loaded=self._loaded,
            on_result=self._result,
            on_failed=self._failed,
            on_slow=self._slow,
            on_died=self._died,
        )

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nobody works."""
        return not (self._waiting or self.pool.jobs or self.pool.loading)

    @property
    def busy(self) -> bool:
        """Whether an utterance is being recognised."""
        return bool(self.pool.jobs)

    @property
    def pids(self) -> list[int | None]:
        """The recogniser processes' numbers."""
        return self.pool.pids

    @property
    def draft_every_s(self) -> float:
        """Seconds of speech between two drafts; 0 for none."""
        return self._cadence.every_s

    @property
    def problems(self) -> Mapping[str, str]:
        """Why a language can't be recognised, for the host, by language."""
        return self._languages.problems([worker for worker in self.pool if not worker.spare], self.pool.loaded)

    def ready(self, lang: str) -> bool:
        """Whether a language's model is loaded somewhere."""
        return lang in self.pool.loaded

    def behind_s(self, stream: int | None = None) -> float:
        """For how long the oldest whole utterance, of one table or of all, has had no text since it was called over."""
        called = [
            job.called_s
            for job in (*self._waiting.finals, *self.pool.jobs)
            if job.final and stream in (None, job.utterance.stream)
        ]
        return max(0.0, time.monotonic() - min(called)) if called else 0.0

    async def start(self) -> None:
        """Start the recogniser processes; models load later, as languages are wanted."""
        await self.pool.start()

    async def stop(self) -> None:
        """End them; what waits is forgotten."""
        await self.pool.stop()

    def want(self, lang: str) -> None:
        """One more table speaks a language: make it ready, in every process, before its first utterance."""
        self._languages.want(lang)
        self._dispatch()

    def unwant(self, lang: str) -> None:
        """One table fewer speaks it."""
        self._languages.unwant(lang)

    def draft(self, job: Job) -> None:
        """Recognise speech that goes on, where there is time: a newer draft of the table takes its place."""
        if self._cadence.every_s:
            self.counts.drafts_skipped += self._waiting.draft(job)
            self._dispatch()
        else:
            self.counts.drafts_skipped += 1

    def likely(self, job: Job) -> None:
        """Recognise what may be a whole utterance: a newer one of the seat takes its place."""
        self._waiting.likely(job)
        self._dispatch()

    def at_work_on(self, job: Job) -> bool:
        """Whether a process has this job in hand, so that its text comes soon."""
        return any(job is taken for taken in self.pool.jobs)

    def final(self, job: Job) -> None:
        """Recognise a whole utterance."""
        self._lose(self._waiting.final(job), "dropped_overload")
        self._dispatch()

    def promote(self, job: Job) -> None:
        """A likely end was the end: its job, waiting or running, counts as final from now on."""
        job.final = True
        self._lose(self._waiting.promote(job), "dropped_overload")
        self._dispatch()

    def forget(self, stream: int) -> None:
        """A table's stream is closed: drop what waits of it."""
        self._waiting.forget(stream)
        for worker in self.pool:
            worker.forget(stream)
        self._dispatch()

    def beat(self) -> None:
        """Each second or so: decide how often there are drafts, and look after the processes."""
        if self._cadence.look(self.pool.load, self.behind_s()):
            if not self._cadence.every_s:
                self.counts.drafts_skipped += self._waiting.no_drafts()
            self._on_cadence(self._cadence.every_s)
        self.pool.beat()
        self._dispatch()  # what could not be loaded may be tried again by now

    async def until_idle(self) -> None:
        """Wait until nothing waits and nobody works."""
        while not self.idle:
            self._rested.clear()
            await self._rested.wait()

    def _dispatch(self) -> None:
        if self._dispatching:  # a listener of what is being told has something new: it is seen to below
            return
        self._dispatching = True
        try:
            for lang in self.problems:
                self._lose(self._waiting.refuse(lang), "dropped_no_model")
            while any(self._served(worker) for worker in sorted(self.pool, key=lambda each: len(each.jobs))):
                pass
            self._languages.gone(self.pool.settle(self._languages.wanted))
        finally:
            self._dispatching = False
        if self.idle:
            self._rested.set()

    def _served(self, worker: Worker) -> bool:
        """Give a process the next thing to do; False where there is nothing for it."""
        if worker.leaving:
            return False
        lacking = self._languages.lacking(worker, worker.loaded, time.monotonic())
        nowhere = [] if worker.spare else [lang for lang in lacking if lang not in self.pool.loaded | self.pool.loading]
        # A language that nobody has yet is loaded first, but for whole utterances that ended before one of its own.
        first = self._waiting.first_of({*worker.loaded, *nowhere})
        urgent = nowhere[0] if nowhere and first is None else first if first in nowhere else None
        if worker.idle and urgent is not None:
            self._load(worker, urgent)
            return True
        if worker.able and (urgent is None or not worker.jobs) and self._has_room(worker):
            drafts = {job.utterance.stream for job in self.pool.jobs if job.draft}
            job = self._waiting.take(
                worker.loaded, empty=not worker.jobs, drafts=self._draft_fits(worker), but_drafts_of=drafts
            )
            if job is not None:
                worker.give(job)
                return True
        if worker.idle and lacking and (not worker.loaded or worker.spare or not self.pool.loading):
            self._load(worker, lacking[0])
            return True
        return False

    def _has_room(self, worker: Worker) -> bool:
        """What a process died of once is given to one that has nothing else."""
        jobs = worker.jobs
        return len(jobs) < self._settings.jobs_at_once and not any(job.attempts > 1 for job in jobs)

    def _draft_fits(self, worker: Worker) -> bool:
        """Of several processes one has no drafts in hand, and none has its hands full of them: whole utterances come
        at any moment, and find one that soon is free."""
        own = sum(job.draft for job in worker.jobs)
        if own:
            return own < self._settings.jobs_at_once - PLACES_FOR_FINALS
        busy = sum(any(job.draft for job in other.jobs) for other in self.pool)
        return busy < max(1, len(self.pool) - 1)

    def _load(self, worker: Worker, lang: str) -> None:
        worker.load(lang, self._settings.models.get(lang, ANY_LANGUAGE))

    def _result(self, job: Job, result: Result) -> None:
        self.counts.decode_s += result.decode_s
        if job.final:
            self.counts.finals += 1
        elif job.words:
            self.counts.likely += 1
        else:
            self.counts.drafts += 1
        self._expected.measured(job.lang, job.words, job.audio_s, result.decode_s)
        job.result = result
        self._on_done(job)

    def _loaded(self, worker: Worker, message: Loaded | NotLoaded) -> None:
        """What came of loading a language's model in a process."""
        if isinstance(message, Loaded):
            self._languages.loaded(worker, message.lang)
            self._expected.warmed(message.lang, message.warm_s)
            log.info("speech model ready", lang=message.lang, model=message.model, took_s=round(message.took_s, 2))
            return
        self._languages.refused(worker, message.lang, message.reason, time.monotonic())
        log.error(
            "speech model can't be used", lang=message.lang, model=message.model, reason=message.reason, pid=worker.pid
        )
        self._no_place_for(worker)

    def _slow(self, jobs: Sequence[Job]) -> None:
        for lang, words in {(job.lang, job.words) for job in jobs}:
            self._expected.took_too_long(lang, words)

    def _failed(self, job: Job, reason: str) -> None:
        """A process could not do an utterance, and is well: it is tried once more."""
        log.error("utterance can't be recognised", reason=reason, attempt=job.attempts)
        self._try_again([job], "dropped_failed")

    def _died(self, worker: Worker, jobs: list[Job], loading: str | None) -> None:
        """A process died: its utterances are tried once more."""
        if loading is not None:
            self._languages.died(worker, loading, time.monotonic())
            self._no_place_for(worker)
        self._try_again(jobs, "dropped_crash")

    def _no_place_for(self, worker: Worker) -> None:
        """A process that could not load a model: there may be no memory for a spare beside its elder."""
        if worker.spare:
            self.pool.give_up(worker)
            self._languages.gone([worker])

    def _try_again(self, jobs: list[Job], why: str) -> None:
        again = [job for job in jobs if job.final and job.attempts < MAX_ATTEMPTS and not job.lost]
        self.counts.retried += len(again)
        self._waiting.again(again)
        self._lose([job for job in jobs if job not in again], why)

    def _lose(self, jobs: Iterable[Job], why: str) -> None:
        for job in jobs:
            told = job.lost or not job.final
            job.lost = True
            if not told:
                setattr(self.counts, why, getattr(self.counts, why) + 1)
                self._on_lost(job)
