"""One recogniser process as the pool sees it: what it has loaded, what it has in hand, whether it is well."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from voice.processes.keeper import Child
from voice.processes.usage import processor_s, resident_bytes
from voice.speech.cadence import Busy
from voice.speech.patience import ASK_EACH_S, LOOK_S, Watch
from voice.speech.wire import Failed, FromRecogniser, Load, Loaded, NotLoaded, Ping, Pong, Result
from voice.speech.wire import Job as WireJob

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from voice.speech.job import Job

log = structlog.get_logger(__name__)

MODULE: Final = "voice.speech.recogniser"
GROWN: Final = 2.0
"""A process that has so many times the memory that it had when its models were loaded is replaced."""


class Worker:
    """A recogniser process, started again when it dies.

    `number` is its place among the server's, and its spare's. `on_free` is called when it can take more, `on_loaded`
    with what came of a `load`, `on_result` with a job and its result, `on_failed` with one that it can't do and why,
    `on_slow` with those at which it took too long, `on_died` with the jobs that it had in hand, in the order in which
    they were given, and the language that it was loading. `environment` is what its process has in addition to the
    server's. `expects`: what a job is expected to take, s. `works_here`: its decoding is the work of this machine's
    processor.
    """

    def __init__(
        self,
        number: int,
        arguments: Sequence[str],
        *,
        environment: Mapping[str, str],
        works_here: bool,
        expects: Callable[[Job], float | None],
        on_free: Callable[[], None],
        on_loaded: Callable[[Worker, Loaded | NotLoaded], None],
        on_result: Callable[[Job, Result], None],
        on_failed: Callable[[Job, str], None],
        on_slow: Callable[[Sequence[Job]], None],
        on_died: Callable[[Worker, list[Job], str | None], None],
    ) -> None:
        self.number = number
        self._works_here = works_here
        self._expects = expects
        self._on_free = on_free
        self._on_loaded = on_loaded
        self._on_result = on_result
        self._on_failed = on_failed
        self._on_slow = on_slow
        self._on_died = on_died
        self.loaded: set[str] = set()
        self.loading: str | None = None
        self.spare = False
        """It is getting ready to take another's place, and is given no job yet."""
        self.leaving = False
        """It is given nothing more."""
        self.hung = 0
        self.busy = Busy()
        self._jobs: dict[int, Job] = {}
        self._number = 0
        self._begun_s = 0.0
        self._watch: Watch | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._asked_s = 0.0
        self._baseline_bytes: int | None = None
        self._child = Child(
            MODULE,
            arguments,
            FromRecogniser,
            on_up=on_free,
            on_message=self._heard,
            on_down=self._down,
            extra=environment,
        )

    @property
    def jobs(self) -> Sequence[Job]:
        """What it has in hand."""
        return list(self._jobs.values())

    @property
    def able(self) -> bool:
        """Whether it takes jobs, some time: it is up and is not loading, getting ready or leaving."""
        return self._child.up and self.loading is None and not self.spare and not self.leaving

    @property
    def idle(self) -> bool:
        """Whether it is up and has nothing to do."""
        return self._child.up and self.loading is None and not self._jobs

    @property
    def pid(self) -> int | None:
        """The process's number."""
        return self._child.pid

    @property
    def deaths(self) -> int:
        """How often it died."""
        return self._child.deaths

    @property
    def grown(self) -> bool:
        """Whether its memory is much more than when its models were loaded."""
        now = resident_bytes(self._child.pid)
        return now is not None and self._baseline_bytes is not None and now > GROWN * self._baseline_bytes

    def rebase(self) -> None:
        """What memory it has now is what it is to have."""
        self._baseline_bytes = resident_bytes(self._child.pid)

    async def start(self) -> None:
        """Start the process."""
        await self._child.start()

    async def stop(self) -> None:
        """End it; nobody is told anything more."""
        self._rest()
        await self._child.stop()

    def load(self, lang: str, model: str) -> None:
        """Make it ready for a language."""
        self.loading = lang
        self._child.send(Load(lang, model))
        self._watched(Watch.of_load)

    def give(self, job: Job) -> None:
        """Give it a job; it may have others in hand."""
        job.attempts += 1
        self._number += 1
        self._jobs[self._number] = job
        if not self._child.send(WireJob(self._number, job.lang, job.utterance.pcm, job.words)):
            job.attempts -= 1  # it is gone, and never had it
        if len(self._jobs) == 1:
            self._begin()

    def forget(self, stream: int) -> None:
        """What a closed table's jobs come to is nobody's; a process that dies of one isn't given it again."""
        for job in self._jobs.values():
            if job.utterance.stream == stream:
                job.lost = True

    def beat(self, now_s: float) -> None:
        """Ask an idle one whether it is there; it is ended where it does not say so."""
        if self.idle and self._watch is None and now_s - self._asked_s >= ASK_EACH_S:
            self._asked_s = now_s
            self._child.send(Ping(0))
            self._watched(Watch.of_question)

    def _begin(self) -> None:
        """Work begins, on the first of the jobs in hand."""
        self.busy.turn(time.monotonic(), working=True)
        expected = [self._expects(job) for job in self._jobs.values()]
        known_s = None if None in expected else sum(each or 0.0 for each in expected)
        self._watched(partial(Watch.of_decode, known_s))

    def _watched(self, made: Callable[[float, float | None], Watch]) -> None:
        self._begun_s = time.monotonic()
        self._watch = made(self._begun_s, self._work_s())
        self._look_later()

    def _work_s(self) -> float | None:
        """What it has had of the processor, where that tells whether it works: loading does, for a GPU too."""
        return processor_s(self._child.pid) if self._works_here or self.loading is not None else None

    def _rest(self) -> None:
        self.busy.turn(time.monotonic(), working=False)
        self._watch = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def _look(self) -> None:
        self._child.look()  # what it has said while nobody looked
        if self._watch is None:
            return
        now_s = time.monotonic()
        why = self._watch.look(now_s, self._work_s())
        if why is None:
            self._look_later()
        else:
            self._end(why, now_s - self._begun_s)

    def _end(self, why: str, waited_s: float) -> None:
        self.hung += 1
        log.error("recogniser hangs, or is too slow: ended", why=why, waited_s=round(waited_s, 1))
        if why == "too long":
            self._on_slow(self.jobs)
        self._child.kill()

    def _heard(self, message: FromRecogniser) -> None:
        if isinstance(message, Pong):
            if self.idle:
                self._rest()
            return
        if isinstance(message, Result | Failed):
            job = self._jobs.pop(message.number, None)
            self._rest()
            if self._jobs:
                self._begin()
            if job is not None:
                self._child.well()
                if isinstance(message, Result):
                    self._on_result(job, message)
                else:
                    self._on_failed(job, message.reason)
        else:
            self._rest()
            self.loading = None
            if isinstance(message, Loaded):
                self.loaded.add(message.lang)
                self.rebase()
            self._on_loaded(self, message)
        self._on_free()

    def _down(self) -> None:
        self._rest()
        self._baseline_bytes = None
        self.loaded.clear()
        jobs, self._jobs = list(self._jobs.values()), {}
        loading, self.loading = self.loading, None
        self._on_died(self, jobs, loading)
        self._on_free()
