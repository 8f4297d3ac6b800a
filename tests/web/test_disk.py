"""A database that can't be written for a while: a full disk and a file that another program holds are one to us."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

from tests.web.client import CONSENT, Server, serving
from voice.store import store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

BODY = {"name": "Club", "display_name": "Anna", **CONSENT}
GAME = {"agreement_s": 0.3, "speech_s": 0.3}


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Another program is writing, and does not come to an end."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        yield


async def test_the_game_goes_on_where_it_stood_when_the_database_can_be_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BUSY_MS", 100)
    async with serving(tmp_path) as server:
        made = await server.table(options=GAME)
        anna = await server.seat(made["token"])
        await anna.of("lobby")
        await anna.send(type="start")
        await anna.event("mic")
        with held(tmp_path / "voicetable.sqlite3"):
            assert (await anna.end())[0] == 1013
            assert anna.frames[-1]["type"] == "error"
            assert anna.frames[-1]["code"] == "busy"
            answer = await server.http.post("/api/tables", json=BODY)
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
            assert (await server.http.get("/api/health")).status_code == 200
            meanwhile = await back(server, made["token"], len(anna.numbered))
            assert meanwhile == (1013, 0)
        again = await server.seat(made["token"], after=len(anna.numbered))
        await again.until(lambda frame: frame.get("n", 0) >= len(anna.numbered) + 5)
        numbers = [frame["n"] for frame in anna.numbered + again.numbered]
        assert numbers == list(range(1, len(numbers) + 1))
        whole = await server.seat(made["token"])
        await whole.until(lambda frame: frame.get("n") == len(numbers))
        assert whole.numbered[: len(numbers)] == anna.numbered + again.numbered[: len(numbers) - len(anna.numbered)]


async def back(server: Server, token: str, have: int) -> tuple[int, int]:
    """Who comes back too early: their close, and how many new messages they were sent."""
    client = await server.seat(token, after=have)
    code, _ = await client.end()
    return code, len(client.numbered)
