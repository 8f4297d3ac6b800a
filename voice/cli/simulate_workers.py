"""Games played by several processes at once; what is counted does not depend on how many they are."""

from __future__ import annotations

import multiprocessing
import signal
from dataclasses import dataclass
from multiprocessing import connection
from typing import TYPE_CHECKING

from engine.selfplay import Kinds, play
from engine.simulate import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from multiprocessing.connection import Connection

CHUNK = 10
"""Games counted together: what an interruption may lose of each process's work."""


class WorkerError(RuntimeError):
    """A process that played games has died."""


@dataclass(frozen=True, slots=True)
class Series:
    """Games to be played: game i, from 0, has the seed `seed + i`."""

    games: int
    seed: int
    ruleset: str
    options: Mapping[str, object]
    kinds: Kinds

    def chunks(self) -> range:
        """The first games of the parts that are counted together."""
        return range(0, self.games, CHUNK)

    def count(self, first: int) -> Tally:
        """Plays the chunk that begins with game `first` and counts its games."""
        tally = Tally()
        for number in range(first, min(first + CHUNK, self.games)):
            played = play(self.seed + number, self.ruleset, self.options, kinds=self.kinds)
            commands = sum(command is not None for _, command in played.inputs)
            tally.add(played.events, played.game.state.mafia, commands)
        return tally


def counted(series: Series, jobs: int) -> Iterator[Tally]:
    """A tally for each chunk of the series, as they get ready.

    Raises:
        WorkerError: one of the processes died.
    """
    if jobs == 1:
        yield from map(series.count, series.chunks())
    else:
        yield from _by_processes(series, jobs)


def _by_processes(series: Series, jobs: int) -> Iterator[Tally]:
    context = multiprocessing.get_context("spawn")
    waiting: dict[Connection, multiprocessing.process.BaseProcess] = {}
    try:
        for number in range(jobs):
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(series, number, jobs, theirs), daemon=True)
            _start(process)
            theirs.close()  # so that its end is seen here when the process has gone
            waiting[ours] = process
        while waiting:
            for ready in connection.wait(list(waiting)):
                assert isinstance(ready, connection.Connection)
                try:
                    tally: Tally | None = ready.recv()
                except EOFError:
                    waiting[ready].join()
                    status = waiting[ready].exitcode
                    raise WorkerError(f"a process that played games has died, with exit status {status}") from None
                if tally is not None:
                    yield tally
                else:
                    waiting.pop(ready).join()
                    ready.close()
    finally:
        for worker in waiting.values():
            worker.terminate()
        for end, worker in waiting.items():
            worker.join()
            end.close()


def _start(process: multiprocessing.process.BaseProcess) -> None:
    """Starts a process that Ctrl-C does not end: that is the parent's to answer."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is ignored stays so in a new process
    try:
        process.start()
    finally:
        signal.signal(signal.SIGINT, before)


def _work(series: Series, number: int, jobs: int, told: Connection) -> None:
    """Plays every `jobs`-th chunk. Ends by itself when whoever asked has gone."""
    parent = multiprocessing.parent_process()
    try:
        for first in series.chunks()[number::jobs]:
            if parent is not None and not parent.is_alive():
                return
            told.send(series.count(first))
        told.send(None)
    except OSError:
        return
