"""Connections and tables that have ended are freed at once: the collector would stop all voice while it looks."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.client import QUICK, Server, serving
from voice.media.room import MediaRoom
from voice.table import closing
from voice.table.table import Table
from voice.web.connection import Connection

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def no_collector() -> Iterator[None]:
    """The collector is off during a test."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _all(kind: type[Any]) -> list[Any]:
    return [each for each in gc.get_objects() if isinstance(each, kind)]


async def _gone(kind: type[Any], count: int = 0) -> None:
    """No more of them than so many are left."""
    async with asyncio.timeout(10.0):
        while len(_all(kind)) > count:  # noqa: ASYNC110 - what is freed tells nobody
            await asyncio.sleep(0.05)


@pytest.mark.usefixtures("no_collector")
async def test_a_websocket_that_has_ended_is_freed(server: Server) -> None:
    """By a goodbye, by a newer one, and by the server for what it said."""
    made = await server.table("Anna")
    for _ in range(3):
        older = await server.seat(made["token"])
        await older.of("welcome")
        newer = await server.seat(made["token"])
        await older.end()
        await newer.of("welcome")
        await newer.close()
        rude = await server.seat(made["token"])
        await rude.of("welcome")
        await rude.socket.send("{")
        await rude.end()
    await _gone(Connection)


@pytest.mark.usefixtures("no_collector")
async def test_a_table_that_has_ended_is_freed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closing, "EMPTY_S", 0.1)
    before = len(_all(Table)), len(_all(MediaRoom))
    async with serving(tmp_path / "data", media=True) as server:
        _, tokens = await server.people(2, options=QUICK)
        anna, guest = [await server.seat(token) for token in tokens]
        await anna.of("lobby")
        await anna.send(type="start")
        await anna.event("over")
        assert len(_all(MediaRoom)) > before[1]
        await anna.close()
        await guest.close()
        await _gone(Table, before[0])
        await _gone(MediaRoom, before[1])


def test_a_server_that_serves_sets_aside_what_it_has(capfd: pytest.CaptureFixture[str]) -> None:
    """In a process of its own: it can't be taken back for the objects of other tests."""
    code = (
        "import gc, voice.serve\n"
        "async def serve(settings, ready): ready('http://here', 'http://here/#/moderate/key')\n"
        "voice.serve.serve = serve\n"
        "voice.serve.run({})\n"
        "print(gc.get_freeze_count() > 10 * len(gc.get_objects()))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    said = capfd.readouterr()
    assert said.out.splitlines()[-1] == "True"
    assert "voicetable is at http://here" in said.err
