"""The recogniser processes of a server: as many as were asked for, each replaced where it has grown."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Iterator

    from voice.speech.job import Job
    from voice.speech.worker import Worker

log = structlog.get_logger(__name__)


class Pool:
    """`make` makes a worker of a number, from 0 on, that is not started yet."""

    def __init__(self, make: Callable[[int], Worker], count: int) -> None:
        self._make = make
        self._workers = [make(number) for number in range(count)]
        self._spares: dict[Worker, Worker] = {}
        self._begun: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._gone_deaths = self._gone_hung = 0
        self.recycled = 0

    def __iter__(self) -> Iterator[Worker]:
        """All of them, also those that get ready to take another's place or finish their last job."""
        return iter(list(self._workers))

    def __len__(self) -> int:
        return len(self._workers)

    @property
    def jobs(self) -> list[Job]:
        """What they have in hand."""
        return [job for worker in self._workers for job in worker.jobs]

    @property
    def loading(self) -> set[str]:
        """The languages that are being loaded."""
        return {worker.loading for worker in self._workers if worker.loading is not None}

    @property
    def loaded(self) -> set[str]:
        """The languages that one of them at least is ready for."""
        return {lang for worker in self._workers if not worker.spare for lang in worker.loaded}

    @property
    def pids(self) -> list[int | None]:
        """The processes' numbers."""
        return [worker.pid for worker in self._workers]

    @property
    def deaths(self) -> int:
        """How many died, those that were replaced not counted."""
        return self._gone_deaths + sum(worker.deaths for worker in self._workers)

    @property
    def hung(self) -> int:
        """How many were ended because they hung."""
        return self._gone_hung + sum(worker.hung for worker in self._workers)

    @property
    def load(self) -> float:
        """The share of their time that they work, of late: 0..1."""
        now_s = time.monotonic()
        shares = [worker.busy.share(now_s) for worker in self._workers if not worker.spare]
        return sum(shares) / max(1, len(shares))

    async def start(self) -> None:
        """Start the processes."""
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def stop(self) -> None:
        """End them, and wait for those that had to go before."""
        for begun in list(self._begun):
            begun.cancel()
        await asyncio.gather(*self._begun, return_exceptions=True)
        await asyncio.gather(*self._ending, *(worker.stop() for worker in self._workers))

    def beat(self) -> None:
        """Each second or so: ask idle processes whether they are there, and replace those that have grown."""
        for worker in self:
            worker.beat(time.monotonic())
            if worker.able and worker not in self._spares and worker.grown:
                self._renew(worker)

    def settle(self, wanted: Collection[str]) -> list[Worker]:
        """Spares that know all that is `wanted` of what their elders do take their places; who leaves goes when its
        hands are empty. Returns those that went."""
        gone: list[Worker] = []
        for elder, spare in list(self._spares.items()):
            if not elder.leaving and elder.loaded & set(wanted) <= spare.loaded and spare.idle:
                elder.leaving, spare.spare = True, False
            if elder.leaving and not elder.jobs:
                del self._spares[elder]
                self._go(elder)
                self.recycled += 1
                gone.append(elder)
        return gone

    def give_up(self, spare: Worker) -> None:
        """A spare can't get ready, as there may be no memory for two: its elder stays, and what it has is its due."""
        for elder, its in list(self._spares.items()):
            if its is spare:
                log.warning("recogniser can't be replaced: it stays", pid=elder.pid)
                del self._spares[elder]
                elder.rebase()
                self._go(spare)

    def _go(self, worker: Worker) -> None:
        self._workers.remove(worker)
        self._gone_deaths += worker.deaths
        self._gone_hung += worker.hung
        self._chore(worker.stop(), self._ending)

    def _renew(self, elder: Worker) -> None:
        log.warning("recogniser has grown: replaced", pid=elder.pid)
        spare = self._make(elder.number)
        spare.spare = True
        self._spares[elder] = spare
        self._workers.append(spare)
        self._chore(spare.start(), self._begun)

    def _chore(self, work: Coroutine[None, None, None], chores: set[asyncio.Task[None]]) -> None:
        task = asyncio.create_task(work)
        chores.add(task)
        task.add_done_callback(chores.discard)
