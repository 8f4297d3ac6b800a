"""Cases in moderators' hands: named accounts, one case to one person, nobody in their own affairs, and a trace."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from sqlalchemy import select, update

from tests.web.client import CONSENT, Client
from tests.web.test_moderation import bearer, talking
from voice.accounts import add, disable
from voice.cases import claims
from voice.store import schema
from voice.web import console_socket

if TYPE_CHECKING:
    from collections.abc import Mapping

    import httpx

    from tests.web.client import Server

LINES = "/api/moderation/lines"


class Moderator:
    """Somebody with an account, over HTTP."""

    def __init__(self, server: Server, token: str) -> None:
        self.server = server
        self.token = token
        self.headers = {"authorization": f"Bearer {token}"}

    async def get(self, path: str = "", **query: Any) -> httpx.Response:
        return await self.server.http.get(f"{LINES}{path}", headers=self.headers, params=query)

    async def post(self, path: str, **body: Any) -> httpx.Response:
        return await self.server.http.post(f"{LINES}{path}", headers=self.headers, json=body)

    async def next(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = (await self.post("/claim")).json()["line"]
        return found

    async def queue(self, **query: Any) -> list[dict[str, Any]]:
        return list((await self.get(**query)).json()["lines"])

    async def rule(self, case: int, uphold: bool, reason: str = "") -> httpx.Response:
        return await self.post(f"/{case}/ruling", uphold=uphold, reason=reason)


async def moderator(server: Server, name: str, role: Any = "moderator") -> Moderator:
    return Moderator(server, await add(server.house.store, name, role))


async def audit(server: Server, what: str | None = None) -> list[Mapping[str, Any]]:
    rows = await server.house.store.read(select(schema.audit).order_by(schema.audit.c.number))
    return [row for row in rows if what is None or row["what"] == what]


async def console(server: Server, token: str) -> Client:
    client = await server.raw("/ws/moderation")
    await client.send(type="hello", token=token)
    return client


async def test_each_gets_the_oldest_case_that_nobody_has(server: Server) -> None:
    await talking(server, ["rude", "odd", "rude"])
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    first, second, third = (line["id"] for line in await ann.queue())
    mine = await ann.next()
    assert mine is not None
    assert (mine["id"], mine["claim"]["by"], mine["claim"]["mine"]) == (first, "Ann", True)
    assert (await bob.next() or {})["id"] == second
    assert (await ann.next() or {})["id"] == first  # the one that is in hand, again
    shown = {line["id"]: line["claim"] and (line["claim"]["by"], line["claim"]["mine"]) for line in await bob.queue()}
    assert shown == {first: ("Ann", False), second: ("Bob", True), third: None}


async def test_however_many_ask_at_once_no_two_get_the_same_case(server: Server) -> None:
    await talking(server, ["rude"] * 4)
    people = [await moderator(server, f"M{i}") for i in range(6)]
    got = await asyncio.gather(*(each.next() for each in people))
    ids = [line["id"] for line in got if line is not None]
    assert len(ids) == len(set(ids)) == 4


async def test_a_case_in_anothers_hands_can_be_neither_claimed_nor_ruled_on(server: Server) -> None:
    _, anna = await talking(server, ["rude"])
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    case = (await ann.next() or {})["id"]
    for answer in (await bob.post(f"/{case}/claim"), await bob.rule(case, uphold=False)):
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] in ("claimed", "not_claimed")
    assert (await bob.post(f"/{case}/release")).status_code == 200  # not his to let go
    assert (await ann.rule(case, uphold=False)).status_code == 200
    await anna.event("cleared")
    again = await bob.post(f"/{case}/claim")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "decided")


async def test_one_person_has_one_case_in_hand(server: Server) -> None:
    await talking(server, ["rude", "odd"])
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    first, second = (line["id"] for line in await ann.queue())
    await ann.next()
    assert (await ann.post(f"/{second}/claim")).status_code == 200
    assert (await bob.next() or {})["id"] == first


async def test_what_was_let_go_is_there_for_others(server: Server) -> None:
    await talking(server, ["rude"])
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    case = (await ann.next() or {})["id"]
    assert await bob.next() is None
    assert (await ann.post(f"/{case}/release")).json()["claim"] is None
    assert (await bob.next() or {})["id"] == case


async def test_who_does_nothing_for_too_long_loses_the_case(server: Server) -> None:
    await talking(server, ["rude"])
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    case = (await ann.next() or {})["id"]
    long_ago = update(schema.flagged).values(claimed_until=time.time() - 0.001)
    await server.house.store.write([long_ago])
    assert (await ann.rule(case, uphold=True)).json()["error"]["code"] == "not_claimed"
    assert (await bob.next() or {})["id"] == case
    assert (await ann.post(f"/{case}/claim")).json()["error"]["code"] == "claimed"


async def test_who_goes_away_lets_go_and_who_reloads_does_not(server: Server) -> None:
    await talking(server, ["rude"])
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    with mock.patch.object(console_socket, "GRACE_S", 0.3):
        page = await console(server, ann.token)
        await page.of("welcome", name="Ann", role="moderator")
        case = (await ann.next() or {})["id"]
        await page.close()
        reloaded = await console(server, ann.token)
        await reloaded.of("welcome")
        await asyncio.sleep(0.5)
        assert await bob.next() is None
        watching = await console(server, bob.token)
        await watching.of("welcome")
        await reloaded.close()
        await watching.until(lambda frame: frame["type"] == "changed")
        async with asyncio.timeout(10):
            while (await bob.next() or {}).get("id") != case:
                pass
    (entry,) = [each for each in await audit(server, "released") if json.loads(each["detail"])["why"] == "gone"]
    assert entry["case"] == case


async def test_a_sign_of_life_keeps_the_case(server: Server) -> None:
    await talking(server, ["rude"])
    ann = await moderator(server, "Ann")
    page = await console(server, ann.token)
    await page.of("welcome")
    await ann.next()
    store = server.house.store
    await store.write([update(schema.flagged).values(claimed_until=time.time() + 5)])
    await page.send(type="keep")
    async with asyncio.timeout(10):
        while (await store.read(select(schema.flagged.c.claimed_until)))[0]["claimed_until"] < time.time() + 60:
            pass


async def test_the_queue_is_told_as_soon_as_it_changes(server: Server) -> None:
    page = await console(server, server.moderator)
    await page.of("changed")
    page.frames.clear()
    await talking(server, ["rude"])
    await page.of("changed")
    (line,) = (await server.http.get(LINES, headers=bearer(server))).json()["lines"]
    assert line["text"] == "rude"


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ('{"type":"hello","token":"x"}', 4401),
        ('{"type":"hello"}', 4401),
        ('{"type":"keep"}', 4401),
        ("[]", 4400),
        ("{", 4400),
        ("x" * 5000, 4429),
    ],
)
async def test_nobody_else_has_a_console(server: Server, first: str, code: int) -> None:
    client = await server.raw("/ws/moderation")
    await client.socket.send(first)
    assert (await client.end())[0] == code


async def test_a_player_has_no_console(server: Server) -> None:
    made = await server.table()
    player = await moderator(server, "Pat", "player")
    for token in (made["token"], player.token):
        assert (await (await console(server, token)).end())[0] == 4401
    answer = await player.get()
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_a_moderator")


async def test_a_disabled_account_opens_nothing_and_holds_nothing(server: Server) -> None:
    await talking(server, ["rude"])
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    case = (await ann.next() or {})["id"]
    await disable(server.house.store, "ann")
    assert (await ann.get()).status_code == 401
    assert (await bob.next() or {})["id"] == case


async def sits(server: Server, who: Moderator) -> tuple[Any, int]:
    """A table at which a moderator has sat down with their account, and a case of it."""
    made = await server.table("Anna", options={"agreement_s": 0.05})
    answer = await server.http.post(
        f"/api/invites/{made['invite']}/join", json={"display_name": "Somebody", **CONSENT}, headers=who.headers
    )
    assert answer.status_code == 201
    table = await say_at(server, made["token"], ["rude"])
    rows = await server.house.store.read(select(schema.flagged.c.id).where(schema.flagged.c.table == table.id))
    return table, rows[0]["id"]


async def say_at(server: Server, token: str, lines: list[str]) -> Any:
    return (await talking(server, lines, token))[0]


async def test_nobody_judges_their_own_table(server: Server) -> None:
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    table, case = await sits(server, ann)
    answer = (await ann.get()).json()
    assert (answer["lines"], answer["waiting"], answer["own_tables"]) == ([], 0, 1)
    assert await ann.next() is None
    for tried in (await ann.post(f"/{case}/claim"), await ann.get(f"/{case}"), await ann.get(f"/{case}/clip")):
        assert (tried.status_code, tried.json()["error"]["code"]) == (403, "own_table")
    assert (await ann.rule(case, uphold=False)).status_code == 403
    stop = await server.http.post(f"/api/moderation/tables/{table.id}/stop", headers=ann.headers)
    assert stop.json()["error"]["code"] == "own_table"
    assert (await bob.next() or {})["id"] == case


async def test_who_plays_does_not_watch(server: Server) -> None:
    ann = await moderator(server, "Ann")
    table, _ = await sits(server, ann)
    watcher = await server.seat(ann.token, table=table.id)
    assert (await watcher.end())[0] == 4401
    assert not any(frame["type"] == "welcome" for frame in watcher.frames)


async def test_seats_taken_without_the_account_are_found_by_their_tokens(server: Server) -> None:
    table, _ = await talking(server, ["rude"])
    other, _ = await talking(server, ["rude"])
    (token,) = [each for each in server.tokens if each["table"] == table.id]
    watcher = await server.seat(server.moderator, table=table.id)
    await watcher.of("welcome")
    ann = Moderator(server, server.moderator)
    mine = await ann.next()
    assert mine is not None
    assert mine["table"] == table.id
    answer = await server.http.post(
        "/api/moderation/seats", headers=bearer(server), json={"tokens": [token["token"], "not a token"]}
    )
    assert answer.json() == {"tables": [table.id]}
    assert (await watcher.end())[0] == 4401
    assert {line["table"] for line in await ann.queue()} == {other.id}
    assert (await ann.next() or {})["table"] == other.id
    assert (await ann.rule(mine["id"], uphold=False)).status_code == 403


async def test_a_ruling_may_be_corrected_by_who_made_it_and_the_latest_stands(server: Server) -> None:
    _, anna = await talking(server, ["rude"])
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    case = (await ann.next() or {})["id"]
    await ann.rule(case, uphold=False, reason="slipped")
    await anna.event("cleared")
    assert (await bob.post(f"/{case}/claim")).json()["error"]["code"] == "decided"
    assert (await ann.post(f"/{case}/claim")).status_code == 200
    ruled = (await ann.rule(case, uphold=True, reason="meant this")).json()
    assert (ruled["state"], ruled["reason"]) == ("upheld", "meant this")
    told = [(each["what"], each["who"], each["detail"]) for each in ruled["history"] if each["what"] == "ruled"]
    assert told == [
        ("ruled", "Ann", {"uphold": False, "reason": "slipped"}),
        ("ruled", "Ann", {"uphold": True, "reason": "meant this"}),
    ]


async def test_a_case_shows_what_its_player_said_before(server: Server) -> None:
    await talking(server, ["one", "two", "rude", "three"])
    ann = await moderator(server, "Ann")
    line = await ann.next()
    assert line is not None
    assert [each["text"] for each in line["earlier"]] == ["one", "two"]


async def test_filters(server: Server) -> None:
    await talking(server, ["rude", "odd"])
    await talking(server, ["rude"])
    ann = await moderator(server, "Ann")
    first = (await ann.next() or {})["id"]
    await ann.rule(first, uphold=True)
    everything = await ann.queue(state="all")
    assert len(everything) == 3
    assert [line["id"] for line in everything] == sorted((line["id"] for line in everything), reverse=True)
    for query, count in (
        ({"state": "ruled"}, 1),
        ({"state": "all", "category": "insult"}, 3),
        ({"state": "all", "category": "hate"}, 0),
        ({"state": "all", "rule": "test"}, 2),
        ({"state": "all", "rule": 'te"st'}, 0),
        ({"state": "all", "lang": "ru"}, 0),
        ({"state": "all", "source": "report"}, 0),
        ({"state": "all", "moderator": "Ann"}, 1),
        ({"state": "all", "table": everything[0]["table"]}, 1),
        ({"state": "all", "before": everything[0]["id"]}, 2),
        ({"state": "open"}, 2),
    ):
        assert len(await ann.queue(**query)) == count, query


async def test_the_audit_tells_who_did_what_and_no_words(server: Server) -> None:
    table, _ = await talking(server, ["rude"])
    ann = await moderator(server, "Ann")
    case = (await ann.next() or {})["id"]
    await ann.rule(case, uphold=True, reason="secret reason")
    watcher = await server.seat(ann.token, table=table.id)
    await watcher.of("welcome")
    entries = await audit(server)
    ids = {row["id"]: row["name"] for row in await server.house.store.read(select(schema.accounts))}
    told = [(ids.get(each["who"], each["who"]), each["what"], each["case"]) for each in entries]
    assert told == [
        ("host", "account added", None),
        ("Ann", "claimed", case),
        ("Ann", "ruled", case),
        ("Ann", "watched", None),
    ]
    assert entries[-1]["table"] == table.id
    assert not any(word in repr([dict(each) for each in entries]) for word in ("secret", "rude", "Anna"))


async def test_a_claim_that_ends_while_its_ruling_is_carried_out_still_counts(server: Server) -> None:
    await talking(server, ["rude"])
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    case = (await ann.next() or {})["id"]
    store = server.house.store
    await store.write([update(schema.flagged).values(claimed_until=time.time() + 0.5)])
    who = await claims_of(server, "Ann")
    await claims.hold(store, case, who, time.time())
    await asyncio.sleep(0.6)
    assert await bob.next() is None


async def claims_of(server: Server, name: str) -> Any:
    (row,) = await server.house.store.read(select(schema.accounts).where(schema.accounts.c.name == name))
    return mock.Mock(id=row["id"])
