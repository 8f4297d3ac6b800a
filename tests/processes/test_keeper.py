"""A child process that dies: what it died of is told."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import select
import signal
from typing import TYPE_CHECKING

import pytest

from voice.media.workers.wire import FromWorker
from voice.processes import keeper
from voice.processes.keeper import Child
from voice.speech.wire import Ping, Pong

if TYPE_CHECKING:
    from collections.abc import Iterator


class Process:
    """One that is collected a moment after it has died, as the event loop does it."""

    def __init__(self, collected: bool) -> None:
        self.returncode: int | None = None
        self.killed = 0
        self._collected = asyncio.Event()
        if collected:
            asyncio.get_running_loop().call_later(0.01, self._end)

    def _end(self) -> None:
        self.returncode = -11
        self._collected.set()

    async def wait(self) -> int | None:
        await self._collected.wait()
        return self.returncode

    def kill(self) -> None:
        self.killed += 1
        self._end()


async def killed_and_back(child: Child, ups: asyncio.Queue[int | None]) -> None:
    """Start it, kill it, and wait until another process is there."""
    await child.start()
    first = await ups.get()
    assert first is not None
    os.kill(first, signal.SIGKILL)
    async with asyncio.timeout(20):
        assert await ups.get() not in (first, None)


@pytest.mark.parametrize("gently", [True, False])
async def test_one_that_has_died_is_not_killed(gently: bool) -> None:
    dead = Process(collected=True)
    await keeper._end(dead, gently=gently)  # type: ignore[arg-type]
    assert (dead.killed, dead.returncode) == (0, -11)


@pytest.mark.parametrize("gently", [True, False])
async def test_one_that_stays_is_killed(gently: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "STOP_S", 0.02)
    monkeypatch.setattr(keeper, "DIES_S", 0.02)
    stays = Process(collected=False)
    await keeper._end(stays, gently=gently)  # type: ignore[arg-type]
    assert stays.killed == 1


async def test_the_log_says_what_a_child_died_of(capsys: pytest.CaptureFixture[str]) -> None:
    ups = asyncio.Queue[int | None]()
    child = Child(
        "voice.media.workers.worker",
        ("media 1",),
        FromWorker,
        on_up=lambda: ups.put_nowait(child.pid),
        on_message=lambda _message: None,
        on_down=lambda: None,
    )
    await killed_and_back(child, ups)
    assert "status=-9" in capsys.readouterr().out
    await child.stop()


async def test_a_listener_that_fails_costs_no_child_its_next_life(capsys: pytest.CaptureFixture[str]) -> None:
    ups = asyncio.Queue[int | None]()

    def up() -> None:
        ups.put_nowait(child.pid)
        raise RuntimeError("a table's fault")

    def down() -> None:
        raise RuntimeError("a table's fault")

    child = Child(
        "voice.media.workers.worker", ("media 1",), FromWorker, on_up=up, on_message=lambda _message: None, on_down=down
    )
    await killed_and_back(child, ups)
    await child.stop()
    assert "its listener failed" in capsys.readouterr().out


async def test_one_that_dies_while_it_is_told_to_stop_can_still_be_looked_at() -> None:
    """A table that ends with the server moves its gate, and looks at what its worker has said."""
    child = Child(
        "voice.media.workers.worker",
        ("media 1",),
        FromWorker,
        on_up=lambda: None,
        on_message=lambda _message: None,
        on_down=lambda: None,
    )
    await child.start()
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    assert child._channel is not None
    select.select([child._channel._socket], [], [], 10.0)  # it is closed, and the loop has not seen it
    assert child._keeper is not None
    child._keeper.cancel()
    child.look()
    await child.stop()
    assert not child.up


class Told:
    """A child of `tests.processes.lives`, and what its keeper was told."""

    def __init__(self, what: str) -> None:
        self.ups = asyncio.Queue[int | None]()
        self.downs = asyncio.Queue[None]()
        self.numbers = asyncio.Queue[int]()
        self.child = Child(
            "tests.processes.lives",
            (what,),
            Pong,
            on_up=lambda: self.ups.put_nowait(self.child.pid),
            on_message=lambda message: self.numbers.put_nowait(message.number),
            on_down=lambda: self.downs.put_nowait(None),
        )


@pytest.fixture
def many_open() -> Iterator[None]:
    """As many files as a server with hundreds of people has."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard < 4096 else 4096, hard))
    taken: list[int] = []
    try:
        while not taken or taken[-1] < 1100:
            taken.append(os.dup(0))
        yield
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_open")
async def test_one_that_begins_while_thousands_of_files_are_open_is_talked_to() -> None:
    told = Told("echo")
    await told.child.start()
    told.child.send(Ping(7))
    async with asyncio.timeout(20):
        assert await told.numbers.get() == 7
    assert told.child.deaths == 0
    await told.child.stop()


async def test_one_leaves_the_signals_that_all_processes_get_to_its_server() -> None:
    told = Told("echo")
    await told.child.start()
    async with asyncio.timeout(20):
        for number in (1, 2):
            told.child.send(Ping(number))
            assert await told.numbers.get() == number
            assert told.child.pid is not None
            os.kill(told.child.pid, signal.SIGTERM)
            os.kill(told.child.pid, signal.SIGINT)
        told.child.send(Ping(3))
        assert await told.numbers.get() == 3
    assert told.child.deaths == 0
    await told.child.stop()


async def test_one_that_dies_and_leaves_another_with_its_socket_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "BACKOFF_S", (0.0, 60.0))
    told = Told("leaves")
    await told.child.start()
    left: set[int] = set()
    try:
        async with asyncio.timeout(20):
            first = await told.ups.get()
            left.add(await told.numbers.get())
            await told.downs.get()
            assert await told.ups.get() not in (first, None)
            left.add(await told.numbers.get())
    finally:
        await told.child.stop()
        for pid in left:
            os.kill(pid, signal.SIGKILL)


async def test_one_that_can_not_be_killed_is_left_and_another_does_its_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(keeper, "KILLED_S", 0.1)
    told = Told("echo")
    await told.child.start()
    pid = await told.ups.get()
    process = told.child._process
    assert pid is not None
    assert process is not None
    os.kill(pid, signal.SIGSTOP)
    process.kill = lambda: None  # type: ignore[method-assign]
    try:
        told.child.kill()
        async with asyncio.timeout(20):
            await told.downs.get()
            assert await told.ups.get() not in (pid, None)
            told.child.send(Ping(8))
            assert await told.numbers.get() == 8
        assert "can't be ended" in capsys.readouterr().out
    finally:
        os.kill(pid, signal.SIGKILL)
        await told.child.stop()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), 5.0)
