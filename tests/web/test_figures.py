"""Figures of the check and its judges; rules in the shadow, which act on nothing until an admin promotes them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from tests.web.client import serving
from tests.web.test_appeals import game, rule
from tests.web.test_cases import Moderator, audit, moderator
from voice.store import schema
from voice.wiring import judge_line

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

    from tests.web.client import Server

RULE = "en.insult.idiot"
INSULT = "you are an idiot"


async def told(server: Server, who: Moderator, path: str, **query: Any) -> Any:
    answer = await server.http.get(f"/api/moderation/{path}", headers=who.headers, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def put(server: Server, who: Moderator, rule: str, state: str) -> httpx.Response:
    body = {"rule": rule, "state": state}
    return await server.http.post("/api/moderation/rules", headers=who.headers, json=body)


def say(table: Any, seat: int, text: str) -> None:
    """Say something, judged by the real rules."""
    table.running._judge = judge_line
    now = time.monotonic()
    line = {"id": text, "seat": seat, "text": text, "words": (), "start_s": now, "end_s": now}
    table._heard(type("Line", (), {**line, "lang": "en", "others": None})())


async def test_figures_of_what_was_flagged_upheld_overturned_and_how_long_it_took(server: Server) -> None:
    _, speaker, other = await game(server, "rude", "rude", "odd", "fine", "rude")
    ann, bob = await moderator(server, "Ann"), await moderator(server, "Bob")
    await other.report(speaker.seat, "4")
    first = await rule(ann, uphold=True)
    await rule(ann, uphold=False)
    await speaker.appeal("1")
    await bob.post(f"/{first['id']}/claim")
    assert (await bob.rule(first["id"], uphold=False)).status_code == 200
    await rule(bob, uphold=True)
    store = server.house.store
    await store.write([update(schema.flagged).values(at=schema.flagged.c.at - 60)])
    found = await told(server, ann, "figures")
    assert found["all"] == {"flagged": 5, "upheld": 1, "overturned": 2, "open": 2, "expired": 0}
    assert {row["name"]: (row["flagged"], row["overturned"]) for row in found["by_rule"]} == {"test": (3, 2)}
    assert {row["name"]: row["flagged"] for row in found["by_category"]} == {"insult": 4, "none": 1}
    assert {row["name"]: row["flagged"] for row in found["by_source"]} == {"check": 4, "report": 1}
    assert found["appeals"] == {"made": 1, "upheld": 0, "overturned": 1, "open": 0, "expired": 0}
    assert found["reports"]["made"] == found["reports"]["open"] == 1
    assert found["moderators"] == [
        {"name": "Ann", "rulings": 2, "overturned": 1},
        {"name": "Bob", "rulings": 2, "overturned": 0},
    ]
    assert found["time_to_ruling_s"]["n"] == 3
    assert 60 <= found["time_to_ruling_s"]["p50"] <= found["time_to_ruling_s"]["p95"] < 120
    assert (await told(server, ann, "figures", days=0.0001))["all"]["flagged"] == 0


async def test_of_nothing_there_are_figures_too(server: Server) -> None:
    found = await told(server, await moderator(server, "Ann"), "figures")
    assert found["all"]["flagged"] == 0
    assert found["time_to_ruling_s"] == {"n": 0, "p50": None, "p95": None}


async def test_a_rule_in_the_shadow_is_kept_and_acts_on_nothing_until_it_is_promoted(server: Server) -> None:
    admin, ann = await moderator(server, "Boss", "admin"), await moderator(server, "Ann")
    assert (await put(server, admin, RULE, "shadow")).status_code == 200
    table, speaker, _ = await game(server)
    say(table, speaker.seat, INSULT)
    await speaker.page.of("line", text=INSULT)
    say(table, speaker.seat, f"{INSULT} and a bitch")
    await speaker.page.event("fouled")
    assert [line["text"] for line in await ann.queue()] == [f"{INSULT} and a bitch"]
    assert [line["line"] for line in (await speaker.cases())["lines"]] == ["2"]
    lines = (await told(server, ann, "shadow", rule=RULE))["lines"]
    assert [(line["text"], line["severity"], line["flagged"]) for line in lines] == [
        (f"{INSULT} and a bitch", "clear", True),
        (INSULT, "clear", False),
    ]
    assert (await told(server, ann, "figures"))["shadow"] == [{"rule": RULE, "lines": 2, "anyway": 1}]
    (state,) = (await told(server, ann, "rules"))["rules"]
    assert (state["rule"], state["state"], state["by"], state["lines"]) == (RULE, "shadow", "Boss", 2)
    assert (await put(server, admin, RULE, "live")).status_code == 200
    say(table, speaker.seat, INSULT)
    fouls = 2
    await speaker.page.until(lambda frame: frame["type"] == "event" and frame["event"].get("fouls") == fouls)
    assert len(await ann.queue()) == 2
    assert [each["what"] for each in await audit(server) if each["what"].startswith("rule")] == [
        "rule shadow",
        "rule live",
    ]


async def test_a_reported_line_is_judged_without_the_shadow_too(server: Server) -> None:
    admin = await moderator(server, "Boss", "admin")
    await put(server, admin, RULE, "shadow")
    table, speaker, other = await game(server)
    say(table, speaker.seat, INSULT)
    await speaker.page.of("line", text=INSULT)
    await other.report(speaker.seat, "1")
    (case,) = await admin.queue()
    assert (case["source"], case["category"], case["why"]) == ("report", None, [])


async def test_what_is_in_the_shadow_stays_there_over_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        await put(server, Moderator(server, server.moderator), RULE, "shadow")
    async with serving(tmp_path / "data") as server:
        assert server.house.tables.docket.shadow == {RULE}


async def test_only_an_admin_moves_a_rule_and_only_one_that_there_is(server: Server) -> None:
    ann = await moderator(server, "Ann")
    assert (await put(server, ann, RULE, "shadow")).json()["error"]["code"] == "not_an_admin"
    host = Moderator(server, server.moderator)
    assert (await put(server, host, "no.such.rule", "shadow")).json()["error"]["code"] == "no_rule"
    assert (await put(server, host, RULE, "x")).status_code == 422
    assert server.house.tables.docket.shadow == frozenset()


async def test_the_words_of_lines_in_the_shadow_are_deleted_in_time(server: Server) -> None:
    await put(server, Moderator(server, server.moderator), RULE, "shadow")
    table, speaker, _ = await game(server)
    say(table, speaker.seat, INSULT)
    await speaker.page.of("line", text=INSULT)
    store = server.house.store
    await store.write([update(schema.shadows).values(at=1.0)])
    await server.house.tables.forget_evidence()
    (row,) = await store.read(select(schema.shadows))
    assert (row["text"], row["rule"]) == ("", RULE)
    assert (await told(server, Moderator(server, server.moderator), "shadow", rule=RULE))["lines"] == []
