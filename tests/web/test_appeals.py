"""Appeals, once and to another; what a player and a reporter are told; and that nobody else is told anything."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from tests.web.test_cases import LINES, Moderator, audit, console, moderator
from tests.web.test_moderation import judge
from voice.store import schema

if TYPE_CHECKING:
    import httpx

    from tests.web.client import Client, Server


class Player:
    """Somebody at a table, over HTTP and with a page."""

    def __init__(self, server: Server, table: str, token: str, page: Client) -> None:
        self.server, self.table, self.token, self.page = server, table, token, page
        self.seat = 0

    async def cases(self) -> dict[str, Any]:
        answer = await self.server.http.get(f"/api/tables/{self.table}/cases", headers=self._headers)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def appeal(self, line: str, text: str = "I quoted him") -> httpx.Response:
        where = f"/api/tables/{self.table}/lines/{line}/appeal"
        return await self.server.http.post(where, json={"text": text}, headers=self._headers)

    async def report(self, target: int, line: str, number: int = 7) -> dict[str, Any]:
        command = {"do": "report", "target": target, "line": line}
        await self.page.send(type="command", id=number, phase=0, command=command)
        return await self.page.until(lambda frame: frame["type"] in ("done", "refused") and frame["id"] == number)

    @property
    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}


async def game(server: Server, *lines: str) -> tuple[Any, Player, Player]:
    """A table of ten people, where the one whose turn it is says these lines: the table, the speaker, another."""
    table_id, tokens = await server.people(10, options={"agreement_s": 0.05})
    pages = [await server.seat(token) for token in tokens]
    await pages[0].of("lobby")
    await pages[0].send(type="start")
    mic = await pages[0].event("mic")
    (seat,) = mic["event"]["seats"]
    table = await server.house.tables.find(table_id)
    assert table is not None
    assert table.running is not None
    table.running._judge = judge
    people = []
    for token, page in zip(tokens, pages, strict=True):
        person = Player(server, table_id, token, page)
        person.seat = (await page.of("seated"))["seat"]
        people.append(person)
    speaker = next(person for person in people if person.seat == seat)
    other = next(person for person in people if person.seat != seat)
    for text in lines:
        now = time.monotonic()
        line = {"id": text, "seat": seat, "text": text, "words": (), "start_s": now, "end_s": now}
        table._heard(type("Line", (), {**line, "lang": "en", "others": None})())
        await pages[0].of("line", text=text)
    return table, speaker, other


async def rule(who: Moderator, uphold: bool, reason: str = "") -> dict[str, Any]:
    """Take the oldest case and decide it."""
    case = await who.next()
    assert case is not None
    answer = await who.rule(case["id"], uphold, reason)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_the_player_sees_what_was_flagged_and_why(server: Server) -> None:
    _, speaker, other = await game(server, "fine", "rude")
    (line,) = (await speaker.cases())["lines"]
    shown = {name: line[name] for name in ("line", "text", "category", "severity", "state", "appealable", "by_person")}
    assert shown == {
        "line": "2",
        "text": "rude",
        "category": "insult",
        "severity": "clear",
        "state": "open",
        "appealable": True,
        "by_person": False,
    }
    assert line["why"] == [{"start": 0, "end": 4, "rule": "test", "category": "insult"}]
    assert (await other.cases()) == {"lines": [], "reports": []}


async def test_what_waits_for_a_person_silently_is_shown_to_nobody_until_it_is_upheld(server: Server) -> None:
    _, speaker, _ = await game(server, "odd", "odd")
    ann = await moderator(server, "Ann")
    assert (await speaker.cases())["lines"] == []
    assert (await speaker.appeal("1")).status_code == 404
    await rule(ann, uphold=False)
    assert (await speaker.cases())["lines"] == []
    await rule(ann, uphold=True, reason="not a joke")
    await speaker.page.event("fouled")
    (line,) = (await speaker.cases())["lines"]
    assert (line["line"], line["state"], line["reason"], line["by_person"]) == ("2", "upheld", "not a joke", True)
    assert (await speaker.appeal("2")).status_code == 200


async def test_an_appeal_is_decided_by_another_and_reaches_the_game_the_player_and_the_record(server: Server) -> None:
    _, speaker, other = await game(server, "rude", "odd")
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    await rule(ann, uphold=True, reason="an insult")
    await speaker.page.of("cases")
    assert not any(frame["type"] == "cases" for frame in other.page.frames)
    page = await console(server, bob.token)
    await page.of("changed")
    page.frames.clear()
    answer = await speaker.appeal("1", "He asked me to say it")
    assert (answer.status_code, answer.json()["appeal"]["state"]) == (200, "open")
    await page.of("changed")
    odd = await ann.next()  # her own ruling is not for her: she gets what comes after it
    assert odd is not None
    assert odd["text"] == "odd"
    (mine,) = [line for line in await ann.queue() if line["text"] == "rude"]
    assert (await ann.post(f"/{mine['id']}/claim")).json()["error"]["code"] == "own_ruling"
    case = await bob.next()
    assert case is not None
    assert (case["text"], case["appeal"]["text"], case["ruled_by"]) == ("rude", "He asked me to say it", "Ann")
    speaker.page.frames.clear()
    ruled = (await bob.rule(case["id"], uphold=False, reason="so it was")).json()
    assert (ruled["state"], ruled["appeal"]["state"]) == ("dismissed", "overturned")
    cleared = await speaker.page.event("cleared")
    assert (cleared["event"]["seat"], cleared["event"]["fouls"]) == (speaker.seat, 0)
    await speaker.page.of("cases")
    (line,) = (await speaker.cases())["lines"]
    told = (line["state"], line["reason"], line["appeal"]["state"], line["appealable"])
    assert told == ("dismissed", "so it was", "overturned", False)
    kept = await server.house.store.read(select(schema.rulings).order_by(schema.rulings.c.id))
    assert [(row["uphold"], row["on_appeal"], row["reason"]) for row in kept] == [
        (True, False, "an insult"),
        (False, True, "so it was"),
    ]
    assert [each["what"] for each in ruled["history"]] == ["claimed", "ruled", "appealed", "claimed", "ruled"]
    assert ruled["history"][2]["who"] == "player"
    assert [line["text"] for line in await bob.queue(state="appeals")] == ["rude"]
    assert (await bob.post(f"/{case['id']}/claim")).json()["error"]["code"] == "decided"  # it is final


async def test_an_appeal_waits_its_turn(server: Server) -> None:
    _, speaker, _ = await game(server, "rude", "odd")
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    await rule(ann, uphold=True)
    await speaker.appeal("1")
    assert [line["text"] for line in await bob.queue()] == ["odd", "rude"]


async def test_before_anybody_has_ruled_an_appeal_keeps_its_place(server: Server) -> None:
    _, speaker, _ = await game(server, "rude", "odd")
    ann = await moderator(server, "Ann")
    case = await ann.next()
    assert case is not None
    assert (await speaker.appeal("1")).status_code == 200
    assert [line["text"] for line in await ann.queue()] == ["rude", "odd"]
    ruled = (await ann.rule(case["id"], uphold=True)).json()  # nobody had ruled: hers is another's eye already
    assert (ruled["state"], ruled["appeal"]["state"]) == ("upheld", "upheld")
    assert (await speaker.cases())["lines"][0]["appeal"]["state"] == "upheld"


async def test_once(server: Server) -> None:
    _, speaker, _ = await game(server, "rude")
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    await rule(ann, uphold=True)
    assert (await speaker.appeal("1")).status_code == 200
    for _ in range(2):
        again = await speaker.appeal("1")
        assert (again.status_code, again.json()["error"]["code"]) == (409, "appealed")
        if await bob.next():
            await rule(bob, uphold=True)
    (case,) = await bob.queue(state="all")
    assert case["appeal"]["state"] == "upheld"


async def test_nobody_appeals_for_another_and_not_against_nothing(server: Server) -> None:
    _, speaker, other = await game(server, "rude", "fine")
    for who, line in ((other, "1"), (speaker, "2"), (speaker, "9"), (speaker, "x" * 32)):
        answer = await who.appeal(line)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_line")
    assert (await speaker.appeal("x" * 33)).status_code == 422
    assert (await speaker.appeal("1", "x" * 1001)).status_code == 422
    await rule(await moderator(server, "Ann"), uphold=False)
    assert (await speaker.appeal("1")).json()["error"]["code"] == "not_appealable"
    elsewhere = Player(server, "other", speaker.token, speaker.page)
    assert (await elsewhere.appeal("1")).status_code == 404
    nobody = Player(server, speaker.table, "x", speaker.page)
    assert (await nobody.appeal("1")).status_code == 401


async def test_after_its_time_nothing_can_be_appealed(server: Server) -> None:
    _, speaker, _ = await game(server, "rude")
    ann = await moderator(server, "Ann")
    await rule(ann, uphold=True)
    store = server.house.store
    await store.write([update(schema.flagged).values(at=1.0)])
    await server.house.tables.forget_evidence()
    assert (await speaker.appeal("1")).json()["error"]["code"] == "not_appealable"
    (line,) = (await speaker.cases())["lines"]
    assert (line["text"], line["appealable"]) == ("", False)


async def test_who_has_their_own_ruling_in_hand_to_correct_it_loses_it_to_the_appeal(server: Server) -> None:
    _, speaker, _ = await game(server, "rude")
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    case = (await rule(ann, uphold=True))["id"]
    assert (await ann.post(f"/{case}/claim")).status_code == 200
    await speaker.appeal("1")
    assert (await ann.rule(case, uphold=True)).json()["error"]["code"] == "not_claimed"
    assert (await bob.next() or {})["id"] == case


async def test_the_host_alone_can_not_decide_an_appeal_against_the_own_ruling(server: Server) -> None:
    _, speaker, _ = await game(server, "rude")
    host = Moderator(server, server.moderator)
    await rule(host, uphold=True)
    await speaker.appeal("1")
    assert await host.next() is None
    (line,) = await host.queue()
    assert (line["ruled_by"], line["claim"]) == ("host", None)


@pytest.mark.parametrize("uphold", [True, False])
async def test_who_reported_is_told_how_it_ended(server: Server, uphold: bool) -> None:
    _, speaker, other = await game(server, "fine")
    assert (await other.report(speaker.seat, "1"))["type"] == "done"
    (report,) = (await other.cases())["reports"]
    assert (report["line"], report["seat"], report["state"]) == ("1", speaker.seat, "open")
    assert (await speaker.cases()) == {"lines": [], "reports": []}
    ann = await moderator(server, "Ann")
    case = await ann.next()
    assert case is not None
    assert (case["source"], case["reports"], case["category"]) == ("report", [other.seat], None)
    await ann.rule(case["id"], uphold=uphold, reason="for the speaker alone")
    await other.page.of("cases")
    told = await other.cases()
    assert told["reports"][0]["state"] == ("upheld" if uphold else "dismissed")
    assert "for the speaker alone" not in repr(told)
    assert len((await speaker.cases())["lines"]) == uphold


async def test_a_report_of_a_flagged_line_joins_its_case(server: Server) -> None:
    _, speaker, other = await game(server, "rude")
    ann = await moderator(server, "Ann")
    for number in (7, 8):
        await other.report(speaker.seat, "1", number)
    (case,) = await ann.queue()
    assert (case["source"], case["reports"]) == ("check", [other.seat])
    await rule(ann, uphold=True)
    await other.page.of("cases")
    assert (await other.cases())["reports"][0]["state"] == "upheld"


async def test_the_appeal_is_in_the_audit_without_its_words(server: Server) -> None:
    _, speaker, _ = await game(server, "rude")
    await speaker.appeal("1", "my secret words")
    (entry,) = await audit(server, "appealed")
    rows = await server.house.store.read(select(schema.people).where(schema.people.c.seat == speaker.seat))
    assert entry["who"] == rows[0]["id"]
    assert "secret" not in repr(dict(entry))


async def test_these_pages_are_not_for_moderators(server: Server) -> None:
    _, speaker, _ = await game(server, "rude")
    answer = await server.http.get(
        f"/api/tables/{speaker.table}/cases", headers={"authorization": f"Bearer {server.moderator}"}
    )
    assert answer.status_code == 401
    assert (await server.http.get(LINES, headers={"authorization": f"Bearer {speaker.token}"})).status_code == 401
