"""The moderators' queue over HTTP."""

from __future__ import annotations

import json
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from voice.store import schema
from voice.table.retention import forget_words

if TYPE_CHECKING:
    from tests.web.client import Client, Server
    from voice.table.table import Table


def judge(text: str, _lang: str, _words: object, _others: object) -> Any:
    severity = {"rude": "clear"}.get(text)
    scores = {"insult": 0.9, "hate": 0.2} if text in ("rude", "odd") else {}
    hit = SimpleNamespace(start=0, end=4, rule="test", category="insult", instead="")
    category = "insult" if severity else None
    return SimpleNamespace(
        category=category, severity=severity, review=text == "odd", scores=scores, why=(hit,) if severity else ()
    )


async def talking(server: Server, lines: list[str], token: str | None = None) -> tuple[Table, Client]:
    """A table whose open seat has said these lines; and its owner's page. `token`: its owner's, where it waits."""
    if token is None:
        token = (await server.table("Anna", options={"agreement_s": 0.05}))["token"]
    anna = await server.seat(token)
    await anna.of("lobby")
    await anna.send(type="start")
    mic = await anna.event("mic")
    *_, table = server.house.tables  # the newest
    assert table.running is not None
    table.running._judge = judge
    (seat,) = mic["event"]["seats"]
    for i, text in enumerate(lines):
        now = time.monotonic()
        table._heard(
            SimpleNamespace(id=f"{i}", seat=seat, text=text, words=(), start_s=now, end_s=now, lang="en", others=None)  # type: ignore[arg-type] - a line
        )
        await anna.of("line", text=text)
    return table, anna


def bearer(server: Server) -> dict[str, str]:
    return {"authorization": f"Bearer {server.moderator}"}


async def test_the_queue_shows_lines_oldest_first_with_their_surroundings(server: Server) -> None:
    table, _ = await talking(server, ["one", "two", "three", "rude", "four", "odd"])
    answer = await server.http.get("/api/moderation/lines", headers=bearer(server))
    rude, odd = answer.json()["lines"]
    assert (rude["text"], rude["category"], rude["severity"], rude["review"]) == ("rude", "insult", "clear", False)
    assert (odd["text"], odd["category"], odd["severity"], odd["review"]) == ("odd", "insult", None, True)
    voice = [line["text"] for line in rude["before"] if line["text"] in ("two", "three")]
    assert voice[-1:] == ["three"]
    assert len(rude["before"]) == 2
    assert rude["after"][0]["text"]
    assert (rude["table"], rude["table_name"], rude["source"], rude["state"]) == (table.id, "Club", "check", "open")
    assert rude["scores"] == {"insult": 0.9, "hate": 0.2}
    assert rude["why"] == [{"start": 0, "end": 4, "rule": "test", "category": "insult"}]


async def test_the_lines_around_are_those_of_the_same_table(server: Server) -> None:
    tables = [await talking(server, ["rude", "one", "two", "odd", "three"]) for _ in range(2)]
    logs = {table.id: await server.house.store.read_log(table.id) for table, _ in tables}
    queue = (await server.http.get("/api/moderation/lines", headers=bearer(server))).json()["lines"]
    assert len(queue) == 4
    for line in queue:
        bodies = [json.loads(row.body) for row in logs[line["table"]] if row.kind == "line"]
        said = [{"seat": body["seat"], "text": body["text"]} for body in bodies]
        at = [body["line"] for body in bodies].index(line["line"])
        assert line["before"] == said[max(0, at - 2) : at]
        after = said[at + 1 : at + 3]
        assert line["after"][: len(after)] == after  # a bot may have said more since


async def test_around_a_case_no_line_stands_whose_words_are_deleted(server: Server) -> None:
    table, _ = await talking(server, ["one", "rude"])
    tables = schema.tables
    await server.house.store.write([update(tables).where(tables.c.id == table.id).values(state="over")])
    await forget_words(server.house.store, 0.0, time.time() + 1.0)
    (line,) = (await server.http.get("/api/moderation/lines", headers=bearer(server))).json()["lines"]
    assert (line["text"], line["before"], line["after"]) == ("rude", [], [])


async def rule(server: Server, line: dict[str, Any], **body: Any) -> dict[str, Any]:
    """Claim and rule."""
    where = f"/api/moderation/lines/{line['id']}"
    claimed = await server.http.post(f"{where}/claim", headers=bearer(server))
    assert claimed.status_code == 200, claimed.text
    answer = await server.http.post(f"{where}/ruling", json=body, headers=bearer(server))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_ruling_reaches_the_game_and_the_queue(server: Server) -> None:
    _, anna = await talking(server, ["rude"])
    fouled = await anna.event("fouled")
    (line,) = (await server.http.get("/api/moderation/lines", headers=bearer(server))).json()["lines"]
    ruled = await rule(server, line, uphold=False, reason="a quotation")
    changed = {name for name in line if ruled[name] != line[name] and name != "after"}
    assert changed == {"state", "reason", "ruled_by", "ruled_at"}
    assert (ruled["state"], ruled["reason"], ruled["ruled_by"]) == ("dismissed", "a quotation", "host")
    cleared = await anna.event("cleared")
    assert cleared["event"]["seat"] == fouled["event"]["seat"]
    for state, count in (("open", 0), ("ruled", 1), ("all", 1), ("appeals", 0)):
        answer = await server.http.get(f"/api/moderation/lines?state={state}", headers=bearer(server))
        assert len(answer.json()["lines"]) == count


async def test_a_ruling_on_a_table_that_is_closed_is_kept(server: Server) -> None:
    table, _ = await talking(server, ["odd"])
    table.ended.set()
    table._ring()
    await table.done()
    (line,) = (await server.http.get("/api/moderation/lines", headers=bearer(server))).json()["lines"]
    assert (await rule(server, line, uphold=True))["state"] == "upheld"


async def test_tables_are_listed(server: Server) -> None:
    table, _ = await talking(server, [])
    (row,) = (await server.http.get("/api/moderation/tables", headers=bearer(server))).json()["tables"]
    assert row == {
        "table": table.id,
        "name": "Club",
        "lang": "en",
        "ruleset": "sport",
        "code": table.rules.code,
        "stoppable": False,
        "state": "running",
        "people": 1,
        "day": 1,
        "phase": "speech",
    }


@pytest.mark.parametrize("path", ["lines", "tables"])
@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer x", "Basic x", "Bearer \xe9"])
async def test_nobody_else_reads_the_queue(server: Server, path: str, header: str | None) -> None:
    headers = {} if header is None else {"authorization": header.encode("latin-1")}
    answer = await server.http.get(f"/api/moderation/{path}", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "bad_token")


async def test_a_seat_token_does_not_moderate(server: Server) -> None:
    made = await server.table()
    answer = await server.http.get("/api/moderation/lines", headers={"authorization": f"Bearer {made['token']}"})
    assert answer.status_code == 401


async def test_what_is_no_line_or_no_ruling_is_an_error(server: Server) -> None:
    good = {"uphold": True}
    for line, body, status in (
        ("99", good, 404),
        ("x", good, 422),
        ("-1", good, 422),
        (str(2**63), good, 422),
        ("9" * 5000, good, 422),
        ("1", {}, 422),
        ("1", {**good, "reason": "x" * 501}, 422),
    ):
        answer = await server.http.post(f"/api/moderation/lines/{line}/ruling", json=body, headers=bearer(server))
        assert answer.status_code == status
        assert answer.json()["error"]["message"]
    answer = await server.http.get("/api/moderation/lines?state=x", headers=bearer(server))
    assert answer.status_code == 422
