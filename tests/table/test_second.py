"""Second opinions at a table: late, for moderators alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from structlog.testing import capture_logs

from moderation import Hit, Verdict
from tests.table.test_lines import HARMLESS, queue, say, speaking, verdicts
from tests.table.world import events, frames
from voice.table.mail import Leave

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.table.world import World


class Model:
    """Second opinions that are given when the test says so."""

    def __init__(self, world: World) -> None:
        self.asked: list[tuple[str, Callable[[Verdict], None]]] = []
        parts = world.tables._parts
        world.tables._parts = replace(parts, second=lambda text, _, tell: self.asked.append((text, tell)))

    def thinks(self, score: float = 0.9) -> None:
        text, tell = self.asked.pop(0)
        why = (Hit(0, len(text), "model.detoxify", "insult"),) if score >= 0.6 else ()
        tell(Verdict(scores={"insult": score, "hate": 0.05, "sexual": 0.0}, why=why, review=bool(why)))


def told(table: Any, people: list[str]) -> list[Any]:
    """All that anybody has been told."""
    return [frames(table, who) for who in (*people, None)]


async def test_a_late_opinion_reaches_the_queue_and_nobody_at_the_table(world: World) -> None:
    model = Model(world)
    table, people, _, seat = await speaking(world)
    await say(world, seat, HARMLESS)
    assert [text for text, _ in model.asked] == [HARMLESS]
    before = told(table, people)
    model.thinks(0.99)
    await world.settle()
    assert told(table, people) == before
    assert not events(table, people[0], "warned")
    assert not events(table, people[0], "fouled")
    (row,) = await queue(world)
    assert (row["source"], row["state"], row["text"]) == ("model", "open", HARMLESS)
    assert (row["category"], row["severity"], row["review"]) == ("insult", None, True)
    assert json.loads(row["scores"])["insult"] == 0.99
    assert json.loads(row["why"]) == [
        {"start": 0, "end": len(HARMLESS), "rule": "model.detoxify", "category": "insult"}
    ]


async def test_an_opinion_that_finds_nothing_leaves_no_trace(world: World) -> None:
    model = Model(world)
    _, _, _, seat = await speaking(world)
    await say(world, seat, HARMLESS)
    model.thinks(0.2)
    await world.settle()
    assert await queue(world) == []


async def test_what_the_rules_flagged_keeps_its_verdict_and_gets_the_scores(world: World) -> None:
    world.judge = verdicts({"rude": ("likely", False)})
    model = Model(world)
    table, people, _, seat = await speaking(world)
    await say(world, seat, "rude")
    (row,) = await queue(world)
    before = told(table, people)
    model.thinks(0.97)
    await world.settle()
    (again,) = await queue(world)
    assert told(table, people) == before
    changed = {name for name in row if row[name] != again[name]}
    assert changed == {"scores", "why"}
    assert json.loads(again["scores"]) == {"insult": 0.97, "hate": 0.1, "sexual": 0.0}
    assert [reason["rule"] for reason in json.loads(again["why"])] == ["test", "model.detoxify"]


async def test_a_line_that_was_reported_meanwhile_is_in_the_queue_once(world: World) -> None:
    model = Model(world)
    table, people, speaker, seat = await speaking(world)
    await say(world, seat, HARMLESS)
    line = frames(table, None)[-1]["line"]
    other = next(person for person in people if person != speaker)
    await world.order(table, other, do="report", target=seat, line=line)
    model.thinks(0.9)
    await world.settle()
    (row,) = await queue(world)
    assert row["source"] == "report"
    assert json.loads(row["scores"])["insult"] == 0.9


async def test_an_opinion_of_a_player_who_has_left_is_kept(world: World) -> None:
    model = Model(world)
    table, _, speaker, seat = await speaking(world)
    await say(world, seat, HARMLESS)
    table.post(Leave(speaker))
    await world.settle()
    model.thinks()
    await world.settle()
    assert [row["source"] for row in await queue(world)] == ["model"]


async def test_an_opinion_that_comes_after_the_table_is_told_without_its_words(world: World) -> None:
    model = Model(world)
    table, _, _, seat = await speaking(world)
    await say(world, seat, HARMLESS)
    await table.stop()
    with capture_logs() as logs:
        model.thinks()
    assert any("second opinion dropped" in entry["event"] for entry in logs)
    assert HARMLESS not in str(logs)


async def test_nobody_is_asked_of_a_bots_line(world: World) -> None:
    model = Model(world)
    table, _ = await world.dealt(people=1)
    await world.until(table, lambda: any(frame.get("by") == "bot" for frame in frames(table, None)))
    assert model.asked == []


async def test_two_models_opinions_of_a_line_add_up(world: World) -> None:
    model = Model(world)
    _, _, _, seat = await speaking(world)
    await say(world, seat, HARMLESS)
    (_, tell) = model.asked.pop()
    for rule, score in (("model", 0.7), ("model.detoxify", 0.9), ("model.detoxify", 0.8)):
        tell(
            Verdict(scores={"insult": score, "hate": 0.0, "sexual": 0.0}, why=(Hit(0, 4, rule, "insult"),), review=True)
        )
        await world.settle()
    (row,) = await queue(world)
    assert (row["source"], row["category"]) == ("model", "insult")
    assert json.loads(row["scores"])["insult"] == 0.9
    assert [reason["rule"] for reason in json.loads(row["why"])] == ["model", "model.detoxify"]
