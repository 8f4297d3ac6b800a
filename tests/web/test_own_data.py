"""A person's data: all of it for themselves, and its deletion, of which the game and the cases that wait survive."""

from __future__ import annotations

import asyncio
import base64
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from tests.web.client import serving
from tests.web.test_appeals import Player, game, rule
from tests.web.test_cases import Moderator, audit, moderator
from tests.web.test_clips import length_s, spoken
from voice.cli.person import run_erase, run_export
from voice.people.erase import GONE
from voice.store import Store, schema
from voice.table.play import refold
from voice.table.records import from_row

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

    from tests.web.client import Server


async def mine(player: Player, method: str = "GET") -> httpx.Response:
    headers = {"authorization": f"Bearer {player.token}"}
    return await player.server.http.request(method, f"/api/tables/{player.table}/me", headers=headers)


async def end(server: Server, table: Any) -> None:
    """The table is over and closed for good."""
    table.ended.set()
    table._ring()
    await table.done()
    await server.house.store.write([update(schema.tables).where(schema.tables.c.id == table.id).values(state="over")])


async def test_a_person_gets_all_that_is_kept_of_them_and_nothing_of_others(server: Server) -> None:
    table, speaker, other = await game(server, "fine", "rude", "odd")
    await other.report(speaker.seat, "1")
    await speaker.appeal("2", "my reasons")
    during = (await mine(speaker)).json()
    assert [case["text"] for case in during["cases"]] == ["rude"]  # what waits silently is not told in the game
    await end(server, table)
    found = (await mine(speaker)).json()
    assert [line["text"] for line in found["lines"]] == ["fine", "rude", "odd"]
    assert {case["text"]: case["appeal_text"] for case in found["cases"]} == {
        "fine": "",
        "rude": "my reasons",
        "odd": "",
    }
    assert [entry["what"] for entry in found["audit"]] == ["appealed"]
    assert (found["seat"], found["table"]) == (speaker.seat, table.id)
    theirs = (await mine(other)).json()
    assert (theirs["lines"], theirs["cases"]) == ([], [])
    assert [(each["line"], each["state"]) for each in theirs["reports"]] == [("1", "open")]
    assert [(each["do"], each["line"]) for each in theirs["commands"]] == [("report", "1")]


async def test_the_own_voice_is_part_of_it(server: Server) -> None:
    table, anna = await spoken(server, "rude")
    token = server.tokens[0]["token"]
    seat = (await anna.of("seated"))["seat"]
    assert table.running is not None
    await server.house.store.write([update(schema.flagged).values(seat=seat)])  # whoever's turn it was
    found = (await mine(Player(server, table.id, token, anna))).json()
    (case,) = found["cases"]
    sound = case["clip_ogg_base64"]
    assert sound is None or length_s(base64.b64decode(sound)) > 0.9
    assert sound is not None


async def test_deleted_nothing_is_left_of_a_person_and_the_game_still_folds(server: Server, tmp_path: Path) -> None:
    table, speaker, other = await game(server, "fine", "rude words here", "odd")
    names = {row["seat"]: row["name"] for row in await server.house.store.read(select(schema.people))}
    ann = await moderator(server, "Ann")
    await rule(ann, uphold=False, reason="hm")
    assert (await mine(speaker, "DELETE")).json()["error"]["code"] == "game_runs"
    await end(server, table)
    assert (await mine(speaker, "DELETE")).json() == {"deleted": True}
    assert (await mine(speaker)).status_code == 401
    store = server.house.store
    people = {row["seat"]: row for row in await store.read(select(schema.people))}
    assert (people[speaker.seat]["name"], people[other.seat]["name"]) == (GONE, names[other.seat])
    entries = [from_row(row, i) for i, row in enumerate(await store.read_log(table.id), 1)]
    refold(entries, lambda _play, _items: None)
    raw = b"".join(path.read_bytes() for path in (tmp_path / "data").iterdir() if "sqlite3" in path.name)
    assert b"rude words here" not in raw
    assert names[speaker.seat].encode() + b'"' not in raw
    assert [each["what"] for each in await audit(server) if each["what"].startswith("eras")] == [
        "erasure asked",
        "erased",
    ]


async def test_a_case_that_waits_keeps_its_words_until_it_is_decided(server: Server) -> None:
    table, speaker, _ = await game(server, "rude")
    await end(server, table)
    assert (await mine(speaker, "DELETE")).status_code == 200
    ann = await moderator(server, "Ann")
    (line,) = await ann.queue()
    assert (line["text"], line["name"]) == ("rude", GONE)
    await rule(ann, uphold=True)
    for again in server.house.tables:  # a ruling brings its table back
        await end(server, again)
    await server.house.tables.erase()
    (line,) = await ann.queue(state="all")
    assert (line["text"], line["words_gone"]) == ("", True)
    assert await server.house.tables.erase() == 0


async def test_at_a_table_where_people_still_talk_it_is_done_when_that_closes(server: Server) -> None:
    table, speaker, other = await game(server, "fine")
    table.state = "over"
    assert (await mine(speaker, "DELETE")).json() == {"deleted": False}
    assert (await speaker.page.end())[0] in (1000, 4401)
    assert (await mine(speaker)).status_code == 401
    await end(server, table)
    assert await server.house.tables.erase() == 1
    assert (await mine(other)).status_code == 200


async def test_nobody_deletes_anothers_data(server: Server) -> None:
    table, _, other = await game(server, "fine")
    await end(server, table)
    for token in (server.moderator, "x"):
        assert (await mine(Player(server, table.id, token, other.page), "DELETE")).status_code == 401
    assert (await mine(Player(server, "elsewhere", other.token, other.page), "DELETE")).status_code == 404


async def prepared(data: Path) -> tuple[str, int, str]:
    """A finished game with somebody's rude line: the table, their seat, the database's address."""
    async with serving(data) as server:
        table, speaker, _ = await game(server, "rude")
        await rule(Moderator(server, server.moderator), uphold=True)
        await end(server, table)
        return table.id, speaker.seat, server.settings.database


async def test_the_host_gives_out_and_deletes_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, seat, url = await prepared(tmp_path / "data")
    capsys.readouterr()
    data = str(tmp_path / "data")
    assert await asyncio.to_thread(run_export, table, seat, None, None, data, None) == 0
    found = json.loads(capsys.readouterr().out)
    assert [line["text"] for line in found["lines"]] == ["rude"]
    assert await asyncio.to_thread(run_erase, table, seat, None, url, None) == 0
    assert "1 deleted now" in capsys.readouterr().err
    with closing(sqlite3.connect(tmp_path / "data" / "voicetable.sqlite3")) as raw:
        assert raw.execute("select text from flagged").fetchall() == [("",)]


async def test_by_the_account_all_tables_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    async with serving(data) as server:
        pat = await moderator(server, "Pat", "player")
        for name in ("One", "Two"):
            body = {"name": "Club", "display_name": name, "consent": True}
            await server.http.post("/api/tables", json=body, headers=pat.headers)
        await server.table("Three")
    capsys.readouterr()
    assert await asyncio.to_thread(run_export, None, None, "pat", None, str(data), None) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(json.loads(line)["name"] for line in lines) == ["One", "Two"]


@pytest.mark.parametrize(
    "given",
    [(None, None, None), ("t", None, None), (None, 3, None), ("t", 3, "Ann"), ("t", 3, None), (None, None, "Ann")],
)
def test_whom_it_can_not_find_it_tells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: tuple[str | None, int | None, str | None]
) -> None:
    async def empty() -> None:
        await (await Store.open(f"sqlite:///{tmp_path}/voicetable.sqlite3")).close()

    asyncio.run(empty())
    capsys.readouterr()
    assert run_erase(*given, None, str(tmp_path)) == 2
    assert run_export(*given, None, str(tmp_path), None) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 2
    assert run_erase("t", 1, None, None, str(tmp_path / "nowhere")) == 2
