"""The transcript over HTTP: for those who sat at the table, and for nobody else."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from sqlalchemy import update

from tests.web.client import serving
from voice.store import schema
from voice.table.retention import forget_words

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

    from tests.web.client import Server
    from voice.table.table import Table

SHORT = {"recognition_s": 0.05}


async def spoken(server: Server, *texts: str, lang: str = "en") -> tuple[Table, list[str]]:
    """A quick game of two people whose first living seat has said these lines: the table, and their tokens."""
    table_id, tokens = await server.people(2, ruleset="quick", options=SHORT, lang=lang)
    anna = await server.seat(tokens[0])
    await anna.of("lobby")
    await anna.send(type="start")
    mic = await anna.event("mic")
    table = await server.house.tables.find(table_id)
    assert table is not None
    for text in texts:
        now = time.monotonic()
        table._heard(
            SimpleNamespace(  # type: ignore[arg-type] - a line
                id="x",
                seat=mic["event"]["seats"][0],
                text=text,
                words=(),
                start_s=now,
                end_s=now,
                lang=lang,
                others=None,
            )
        )
        await anna.of("line", text=text)
    return table, tokens


async def read(server: Server, table: str, token: str | None) -> httpx.Response:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    return await server.http.get(f"/api/tables/{table}/transcript", headers=headers)


def code(answer: httpx.Response) -> tuple[int, Any]:
    return answer.status_code, answer.json()["error"]["code"]


async def test_everybody_who_sat_at_the_table_reads_all_that_was_said(server: Server) -> None:
    table, tokens = await spoken(server, "first", "second")
    for token in tokens:
        answer = await read(server, table.id, token)
        assert answer.status_code == 200
        body = answer.json()
        assert (body["table"], body["name"], body["lang"], body["ruleset"]) == (table.id, "Club", "en", "quick")
        assert (body["state"], body["ended_at"], body["kept_until"]) == ("running", None, None)
        lines = [line for line in body["lines"] if line["by"] == "voice"]
        assert [line["text"] for line in lines] == ["first", "second"]
        assert {line["turn"]["name"] for line in lines} == {"day"}
        names = {person["name"] for person in body["people"].values() if not person["bot"]}
        assert names == {"Anna", "Guest 1"}
        assert body["people"][str(body["seat"])]["name"] in names
        assert answer.headers["cache-control"] == "no-store"


async def test_nobody_else_reads_it(server: Server) -> None:
    table, _ = await spoken(server, "a secret")
    other, others = await spoken(server, "another")
    waiting = await server.table("Boris")
    answers = {
        "nobody": await read(server, table.id, None),
        "a moderator": await read(server, table.id, server.moderator),
        "an invented token": await read(server, table.id, "x" * 43),
        "a player of another table": await read(server, table.id, others[0]),
        "who waits in a lobby": await read(server, table.id, waiting["token"]),
    }
    for who, answer in answers.items():
        assert answer.status_code in (401, 404), who
        assert "secret" not in answer.text, who
    assert code(answers["a moderator"]) == (401, "bad_token")
    assert code(answers["a player of another table"]) == (404, "no_table")
    assert code(await read(server, waiting["table"], waiting["token"])) == (404, "no_table"), "no cards, no seat"
    assert code(await read(server, "no-such-table", others[0])) == (404, "no_table")
    assert (await read(server, other.id, others[0])).status_code == 200


async def test_a_token_in_the_address_opens_nothing(server: Server) -> None:
    table, tokens = await spoken(server, "a secret")
    answer = await server.http.get(f"/api/tables/{table.id}/transcript?token={tokens[0]}")
    assert code(answer) == (401, "bad_token")
    answer = await server.http.get(
        f"/api/tables/{table.id}/transcript", headers={"authorization": f"Basic {tokens[0]}"}
    )
    assert code(answer) == (401, "bad_token")


async def test_who_gave_the_seat_up_reads_it_when_the_game_is_over(server: Server) -> None:
    table, tokens = await spoken(server, "a secret")
    guest = await server.seat(tokens[1])
    await guest.of("welcome")
    await guest.send(type="leave")
    assert (await guest.end())[0] == 1000
    assert code(await read(server, table.id, tokens[1])) == (404, "no_table"), "not while others play"
    again = await server.seat(tokens[1])
    assert (await again.end())[0] == 4401, "it opens no seat"
    await table.abandon()
    answer = await read(server, table.id, tokens[1])
    assert [each["text"] for each in answer.json()["lines"] if each["by"] == "voice"] == ["a secret"]
    names = {each["name"] for each in (await read(server, table.id, tokens[0])).json()["people"].values()}
    assert "Guest 1" in names, "who was there stays in the record of the others"


async def test_wrong_tokens_are_counted(server: Server) -> None:
    table, _ = await spoken(server)
    statuses = [(await read(server, table.id, f"{number:043}")).status_code for number in range(25)]
    assert statuses[:20] == [401] * 20
    assert statuses[-1] == 429


async def test_after_the_declared_time_it_is_gone(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", transcript_days=7) as server:
        assert (await server.http.get("/api/privacy")).json()["transcript_days"] == 7
        table, tokens = await spoken(server, "a secret")
        await table.abandon()
        body = (await read(server, table.id, tokens[0])).json()
        assert body["state"] == "over"
        assert body["kept_until"] == body["ended_at"] + 7 * 86_400
        assert [line["text"] for line in body["lines"] if line["by"] == "voice"] == ["a secret"]
        await forget_words(server.house.store, 7 * 86_400, body["kept_until"] + 1)
        answer = await read(server, table.id, tokens[0])
        assert code(answer) == (410, "transcript_gone")
        assert "secret" not in answer.text


async def test_a_damaged_log_is_told_as_such(server: Server) -> None:
    table, tokens = await spoken(server, "a secret")
    log = schema.log
    for body in ("{", '{"kind": "line"}'):
        await server.house.store.write(
            [update(log).where(log.c.table == table.id, log.c.number == 1).values(body=body)]
        )
        assert code(await read(server, table.id, tokens[0])) == (409, "table_broken")


async def test_the_bots_of_a_russian_table_have_russian_names(server: Server) -> None:
    table, tokens = await spoken(server, "привет", lang="ru")
    people = (await read(server, table.id, tokens[0])).json()["people"]
    assert {each["name"].split()[0] for each in people.values() if each["bot"]} == {"Бот"}
