"""Who is recognised next: final utterances first, then likely ends, then drafts while there is time for them."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from models.catalogue import BASE
from voice.processes.keeper import Child
from voice.speech.wire import FromRecogniser, Load, Loaded, NotLoaded, Result
from voice.speech.wire import Job as WireJob

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from voice.speech.settings import SpeechSettings
    from voice.speech.wire import Utterance

log = structlog.get_logger(__name__)

MAX_ATTEMPTS = 2
PATIENCE = 10.0
"""A decode may take this many times what was expected before its process counts as hung."""
PATIENCE_AT_LEAST_S = 10.0
LOAD_PATIENCE_S = 900.0
ANY_LANGUAGE = BASE.name
LOAD_WINDOW_S = 5.0


@dataclass(slots=True, eq=False)
class Job:
    """One utterance on its way; `final` may come true while it waits or runs.

    `called_s` is when the endpointer's word on its end came. `lost` comes true where no result will.
    """

    utterance: Utterance
    lang: str
    final: bool
    words: bool
    called_s: float = 0.0
    attempts: int = 0
    lost: bool = False
    result: Result | None = None


@dataclass(slots=True, eq=False)
class _Worker:
    child: Child
    loaded: set[str] = field(default_factory=set)
    job: Job | None = None
    loading: str | None = None
    deadline: asyncio.TimerHandle | None = None
    begun_s: float = 0.0
    load: float = 0.0
    load_at_s: float = 0.0

    @property
    def idle(self) -> bool:
        return self.child.up and self.job is None and self.loading is None


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
    hung: int = 0
    decode_s: float = 0.0


class Scheduler:
    """The recogniser processes and what waits for them.

    `on_done` is called with each job that has its result, `on_lost` with each final one that will never have one.
    """

    def __init__(
        self,
        data_dir: Path,
        settings: SpeechSettings,
        *,
        on_done: Callable[[Job], None],
        on_lost: Callable[[Job], None],
    ) -> None:
        self._settings = settings
        self._on_done = on_done
        self._on_lost = on_lost
        self._finals: deque[Job] = deque()
        self._likely: dict[tuple[int, int], Job] = {}
        self._drafts: dict[tuple[int, int], Job] = {}
        self._wanted: dict[str, None] = {}
        self._number = 0
        self._decode_s_per_s = 1.0
        self._rested = asyncio.Event()
        self.problems: dict[str, str] = {}
        self.counts = SchedulerCounts()
        self._workers = [self._worker(data_dir) for _ in range(max(1, settings.workers))]

    def _worker(self, data_dir: Path) -> _Worker:
        settings = self._settings
        window = "" if settings.min_window_s is None else str(settings.min_window_s)
        arguments = (
            str(data_dir), settings.device, settings.compute_type or "", str(settings.threads), window,
            settings.recogniser,
        )  # fmt: skip
        child = Child(
            "voice.speech.recogniser",
            arguments,
            FromRecogniser,
            on_up=self._dispatch,
            on_message=lambda message: self._heard(worker, message),
            on_down=lambda: self._down(worker),
        )
        worker = _Worker(child)
        return worker

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nobody works."""
        working = any(worker.job or worker.loading for worker in self._workers)
        return not (working or self._finals or self._likely or self._drafts)

    @property
    def busy(self) -> bool:
        """Whether an utterance is being recognised."""
        return any(worker.job is not None for worker in self._workers)

    @property
    def pids(self) -> list[int | None]:
        """The recogniser processes' numbers."""
        return [worker.child.pid for worker in self._workers]

    @property
    def deaths(self) -> int:
        """How many recogniser processes died."""
        return sum(worker.child.deaths for worker in self._workers)

    def ready(self, lang: str) -> bool:
        """Whether a language's model is loaded somewhere."""
        return any(lang in worker.loaded for worker in self._workers)

    async def start(self) -> None:
        """Start the recogniser processes; models load later, as languages are wanted."""
        await asyncio.gather(*(worker.child.start() for worker in self._workers))

    async def stop(self) -> None:
        """End them; what waits is forgotten."""
        for worker in self._workers:
            if worker.deadline is not None:
                worker.deadline.cancel()
        await asyncio.gather(*(worker.child.stop() for worker in self._workers))

    def want(self, lang: str) -> None:
        """Make a language ready, in every process, before its first utterance."""
        self._wanted[lang] = None
        self.problems.pop(lang, None)
        self._dispatch()

    def draft(self, job: Job) -> None:
        """Recognise speech that goes on, where there is time: a newer draft of the seat takes its place."""
        key = (job.utterance.stream, job.utterance.seat)
        if self._drafts.pop(key, None) is not None:
            self.counts.drafts_skipped += 1
        self._drafts[key] = job
        self._dispatch()

    def likely(self, job: Job) -> None:
        """Recognise what may be a whole utterance: a newer one of the seat takes its place."""
        key = (job.utterance.stream, job.utterance.seat)
        self._drafts.pop(key, None)
        self._likely[key] = job
        self._dispatch()

    def final(self, job: Job) -> None:
        """Recognise a whole utterance."""
        key = (job.utterance.stream, job.utterance.seat)
        self._drafts.pop(key, None)
        self._likely.pop(key, None)
        self._finals.append(job)
        while len(self._finals) > self._settings.max_waiting_finals:
            self._lose(self._finals.popleft(), "dropped_overload")
        self._dispatch()

    def promote(self, job: Job) -> None:
        """A likely end was the end: its job, waiting or running, counts as final from now on."""
        job.final = True
        key = (job.utterance.stream, job.utterance.seat)
        if self._likely.get(key) is job:
            self.final(job)
        self._drafts.pop(key, None)

    def forget(self, stream: int) -> None:
        """A table's stream is closed: drop what waits of it."""
        self._finals = deque(job for job in self._finals if job.utterance.stream != stream)
        for waiting in (self._likely, self._drafts):
            for key in [key for key in waiting if key[0] == stream]:
                del waiting[key]
        self._dispatch()

    async def until_idle(self) -> None:
        """Wait until nothing waits and nobody works."""
        while not self.idle:
            self._rested.clear()
            await self._rested.wait()

    def _dispatch(self) -> None:
        for worker in self._workers:
            if worker.idle:
                self._give(worker)
        if self.idle:
            self._rested.set()

    def _give(self, worker: _Worker) -> None:
        """Give an idle process the next thing to do."""
        job = self._next(worker)
        lang = job.lang if job is not None else next(iter(self._missing(worker)), None)
        if lang is not None and lang not in worker.loaded:
            if job is not None:
                self._put_back(job)
            worker.loading = lang
            worker.child.send(Load(lang, self._settings.models.get(lang, ANY_LANGUAGE)))
            self._expect(worker, LOAD_PATIENCE_S)
        elif job is not None:
            job.attempts += 1
            worker.job = job
            self._number += 1
            worker.child.send(WireJob(self._number, job.lang, job.utterance.pcm, job.words))
            audio_s = len(job.utterance.pcm) / 32_000
            self._expect(worker, max(PATIENCE_AT_LEAST_S, PATIENCE * self._decode_s_per_s * audio_s))

    def _missing(self, worker: _Worker) -> list[str]:
        return [lang for lang in self._wanted if lang not in worker.loaded and lang not in self.problems]

    def _next(self, worker: _Worker) -> Job | None:
        """The next job that can be done, highest in rank first."""
        while self._finals:
            job = self._finals.popleft()
            if job.lang not in self.problems:
                return job
            self._lose(job, "dropped_no_model")
        for waiting in (self._likely, self._drafts):
            for key in list(waiting):
                job = waiting.pop(key)
                if job.lang in self.problems:
                    job.lost = True
                    continue
                if waiting is self._drafts and self._load_of(worker) > self._settings.drafts_below_load:
                    self.counts.drafts_skipped += 1
                    continue
                return job
        return None

    def _put_back(self, job: Job) -> None:
        key = (job.utterance.stream, job.utterance.seat)
        if job.final:
            self._finals.appendleft(job)
        elif job.words:
            self._likely[key] = job
        # A draft is stale by the time a model is loaded.

    def _expect(self, worker: _Worker, patience_s: float) -> None:
        worker.begun_s = time.monotonic()
        worker.deadline = asyncio.get_running_loop().call_later(patience_s, self._hung, worker)

    def _hung(self, worker: _Worker) -> None:
        self.counts.hung += 1
        log.error("recogniser hangs: ended", waited_s=round(time.monotonic() - worker.begun_s, 1))
        worker.child.kill()

    def _rest(self, worker: _Worker) -> None:
        if worker.deadline is not None:
            worker.deadline.cancel()
            worker.deadline = None

    def _heard(self, worker: _Worker, message: FromRecogniser) -> None:
        self._rest(worker)
        if isinstance(message, Loaded):
            worker.loading = None
            worker.loaded.add(message.lang)
            log.info("speech model ready", lang=message.lang, model=message.model, took_s=round(message.took_s, 2))
        elif isinstance(message, NotLoaded):
            worker.loading = None
            self.problems[message.lang] = message.reason
            log.error("speech model can't be used", lang=message.lang, model=message.model, reason=message.reason)
        elif isinstance(message, Result):
            job, worker.job = worker.job, None
            now_s = time.monotonic()
            self._measure(worker, now_s, message.decode_s)
            if job is not None:
                self._count(job, message)
                job.result = message
                self._on_done(job)
        self._dispatch()

    def _count(self, job: Job, result: Result) -> None:
        self.counts.decode_s += result.decode_s
        if job.final:
            self.counts.finals += 1
        elif job.words:
            self.counts.likely += 1
        else:
            self.counts.drafts += 1
        audio_s = max(0.5, len(job.utterance.pcm) / 32_000)
        self._decode_s_per_s += 0.1 * (result.decode_s / audio_s - self._decode_s_per_s)

    def _measure(self, worker: _Worker, now_s: float, busy_s: float) -> None:
        """Keep the share of time that a process works, over the last LOAD_WINDOW_S or so."""
        worker.load = self._load_of(worker, now_s) + busy_s / LOAD_WINDOW_S
        worker.load_at_s = now_s

    def _load_of(self, worker: _Worker, now_s: float | None = None) -> float:
        passed_s = (time.monotonic() if now_s is None else now_s) - worker.load_at_s
        return float(worker.load * 0.5 ** (passed_s / (LOAD_WINDOW_S * 0.69)))

    def _down(self, worker: _Worker) -> None:
        """A process died: its utterance is tried once more."""
        self._rest(worker)
        worker.loaded.clear()
        if worker.loading is not None and worker.child.deaths > MAX_ATTEMPTS and not self.ready(worker.loading):
            self.problems[worker.loading] = "the recogniser process dies while the model loads: see the log"
        worker.loading = None
        job, worker.job = worker.job, None
        if job is not None and job.final and job.attempts < MAX_ATTEMPTS:
            self.counts.retried += 1
            self._finals.appendleft(job)
        elif job is not None:
            self._lose(job, "dropped_crash")
        self._dispatch()

    def _lose(self, job: Job, why: str) -> None:
        job.lost = True
        if job.final:
            setattr(self.counts, why, getattr(self.counts, why) + 1)
            self._on_lost(job)
