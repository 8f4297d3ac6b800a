"""A child process that dies: what it died of is told."""

from __future__ import annotations

import asyncio
import os
import select
import signal

import pytest

from voice.media.workers.wire import FromWorker
from voice.processes import keeper
from voice.processes.keeper import Child


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
