"""Tables of every ruleset: dealt, played to the end, brought back, stopped; several microphones open at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from engine import GameError
from tests.table.world import Outlet, World, events, frames
from voice.store import schema
from voice.table.mail import Leave, TableError

if TYPE_CHECKING:
    from voice.table.table import Table

GAMES: list[tuple[str, dict[str, Any], int, str]] = [
    ("sport", {}, 10, "sport1"),
    ("quick", {"seats": 6}, 6, "quick1:seats=6"),
    ("quick", {"runoff": True}, 10, "quick1:runoff"),
    ("teaching", {}, 6, "teaching1"),
    ("party", {"seats": 7}, 7, "party1:seats=7"),
    ("party", {}, 13, "party1"),
]
EVERY = pytest.mark.parametrize(("ruleset", "options", "seats", "code"), GAMES, ids=[game[3] for game in GAMES])


async def into(world: World, table: Table, phase: str) -> None:
    """Let time pass until a phase of that name."""
    running = table.running
    assert running is not None
    await world.until(table, lambda: running.play.game.phase.name == phase)


async def the_row(world: World, table: Table) -> Any:
    (row,) = await world.store.read(select(schema.tables).where(schema.tables.c.id == table.id))
    return row


@EVERY
async def test_it_is_dealt_and_played_to_the_end_by_bots(
    world: World, ruleset: str, options: dict[str, Any], seats: int, code: str
) -> None:
    table, (me,) = await world.table(1, ruleset, **options)
    assert table.welcome(me)["seats"] == seats
    assert sum(table.welcome(me)["deck"].values()) == seats
    table, (me,) = await world.dealt(1, ruleset, **options)
    seated = frames(table, me)[0]
    assert (seated["type"], seated["ruleset"], len(seated["people"])) == ("seated", ruleset, seats)
    # A mafia that does nothing could keep a game without a draw from ending: a bot takes over.
    table.post(Leave(me))
    await world.until(table, lambda: table.state == "over")
    mine = frames(table, me)
    assert [frame["n"] for frame in mine] == list(range(1, len(mine) + 1))
    assert events(table, me)[-1]["event"] == "over"
    assert events(table, me, "mic")[-1]["seats"] == list(range(1, seats + 1))
    # Nobody speaks, not even by caption, whose microphone is closed.
    mic: list[int] = []
    for frame in mine:
        if frame["type"] == "line":
            assert frame["seat"] in mic
        elif frame.get("event", {}).get("event") == "mic":
            mic = frame["event"]["seats"]
    assert table.welcome(me)["code"] == (await the_row(world, table))["code"] == code


@EVERY
async def test_a_crash_brings_it_back_where_it_stood(
    world: World, ruleset: str, options: dict[str, Any], seats: int, code: str
) -> None:
    table, (me,) = await world.dealt(1, ruleset, **options)
    await world.until(table, lambda: table.running is not None and table.running.play.day == 1)
    await world.clock.advance(45.5)
    told = table.messages(me, 0, 100_000)
    await world.tables.write_clocks()
    await world.crash()
    await world.open()
    again = await world.tables.find(table.id)
    assert again is not None
    assert again.running is not None
    assert again.messages(me, 0, 100_000) == told
    assert (again.seats, again.running.play.started.code) == (seats, code)
    assert world.rooms[-1].told[-1:] == [list(again.running.play.mic)]
    again.attach(me, Outlet())
    again.post(Leave(me))
    await world.until(again, lambda: again.state == "over")
    assert events(again, me)[-1]["event"] == "over"


async def test_a_log_of_before_there_were_codes_folds_and_one_of_other_rules_is_said_to_be(world: World) -> None:
    table, (me,) = await world.dealt(1, "quick", seats=6)
    told = table.messages(me, 0, 100_000)
    log = schema.log.c
    for stored, state in (("", "running"), ("quick0:seats=6", "broken")):
        await world.crash()
        await world.open()
        (row,) = await world.store.read(select(log.body).where(log.table == table.id, log.number == 1))
        body = json.loads(row["body"])
        await world.store.write(
            [
                update(schema.log)
                .where(log.table == table.id, log.number == 1)
                .values(body=json.dumps({**body, "code": stored}))
            ]
        )
        await world.crash()
        await world.open()
        again = await world.tables.find(table.id)
        assert again is not None
        assert again.state == state
        if state == "running":
            assert again.messages(me, 0, 100_000) == told
        else:
            assert "quick0:seats=6" in again.reason
            assert "quick1:seats=6" in again.reason


async def test_a_held_floor_closes_all_other_microphones(world: World) -> None:
    table, ids = await world.dealt(7, "party", seats=7, discussion_s=100.0, floor_s=30.0)
    await into(world, table, "discussion")
    seats = {person: table.people[person].seat for person in ids}
    living = list(world.rooms[0].told[-1])
    holder, other = [person for person in ids if seats[person] in living][:2]
    assert len(living) >= 6
    assert (await world.order(table, holder, do="floor"))["type"] == "done"
    assert world.rooms[0].told[-1] == [seats[holder]]
    assert events(table, other, "floor")[-1]["seat"] == seats[holder]
    assert (await world.order(table, other, do="floor"))["type"] == "refused"
    # What is said now is the holder's alone.
    now = world.clock.now()
    world.ears[0].say(seats[other] or 0, "not heard", now + 5.0, now + 6.0)
    world.ears[0].say(seats[holder] or 0, "let me finish", now + 5.0, now + 6.0)
    await world.clock.advance(6.0)
    said = [(frame["seat"], frame["text"]) for frame in frames(table, other) if frame["type"] == "line"]
    assert said == [(seats[holder], "let me finish")]
    await world.clock.advance(25.0)
    assert world.rooms[0].told[-1] == living
    assert (await world.order(table, holder, do="floor"))["type"] == "refused"


async def test_lines_spoken_at_once_keep_their_seats(world: World) -> None:
    table, ids = await world.dealt(6, "quick", seats=6)
    await into(world, table, "discussion")
    assert world.rooms[0].told[-1] == [1, 2, 3, 4, 5, 6]
    now = world.clock.now()
    await world.clock.advance(10.0)
    for seat in (4, 2, 6):
        world.ears[0].interim(seat, f"so far {seat}")
        world.ears[0].say(seat, f"I am seat {seat}", now + 1.0, now + 9.0 - seat / 10)
    await world.settle()
    said = [(frame["seat"], frame["text"]) for frame in frames(table, ids[0]) if frame["type"] == "line"]
    assert said == [(seat, f"I am seat {seat}") for seat in (4, 2, 6)]


async def test_a_line_whose_text_comes_after_the_discussion_is_still_its_seats(world: World) -> None:
    table, ids = await world.dealt(6, "quick", seats=6)
    await into(world, table, "discussion")
    since = world.clock.now()
    await into(world, table, "vote")
    world.ears[0].say(3, "my last word on this", since + 178.0, since + 180.1)
    await world.settle()
    assert [frame["seat"] for frame in frames(table, ids[0]) if frame["type"] == "line"] == [3]


async def test_a_player_stops_a_house_game(world: World) -> None:
    table, ids = await world.dealt(2, "teaching")
    await world.clock.advance(1.0)
    seat = table.people[ids[1]].seat
    # In whatever phase it was sent: it is no move of a phase.
    assert (await world.order(table, ids[1], phase=0, do="stop"))["type"] == "done"
    assert events(table, ids[0], "abandoned")[-1]["by"] == seat
    assert events(table, ids[0])[-1]["event"] == "mic"
    assert world.rooms[0].told[-1] == [1, 2, 3, 4, 5, 6]
    assert table.state == "over"
    assert not events(table, ids[0], "over")
    assert (await the_row(world, table))["state"] == "over"


async def test_a_moderator_stops_a_house_game_and_no_sport_game(world: World) -> None:
    waiting, _ = await world.table(1, "quick")
    with pytest.raises(TableError, match="has not begun"):
        await waiting.abandon()
    sport, (me,) = await world.dealt(1)
    with pytest.raises(TableError, match="played to its end"):
        await sport.abandon()
    assert sport.state == "running"
    assert (await world.order(sport, me, do="stop"))["type"] == "refused"
    party, (me,) = await world.dealt(1, "party")
    await party.abandon()
    assert party.state == "over"
    assert events(party, me, "abandoned")[-1]["by"] is None


async def test_a_ruleset_without_bots_that_think_gets_some_that_draw_and_one_without_any_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.bots.MODULES", {})
    table, (me,) = await world.dealt(1, "quick", seats=6)
    table.post(Leave(me))
    await world.until(table, lambda: table.state == "over")
    assert events(table, me)[-1]["event"] == "over"
    monkeypatch.setattr("engine.rulesets.quick.rules.Quick.permits", None)
    with pytest.raises(GameError, match="no `permits`"):
        await world.table(1, "quick", seats=6)


async def test_what_cannot_be_played_is_refused_before_anybody_sits_down(world: World) -> None:
    for ruleset, options in (("quick", {"seats": 11}), ("party", {"seats": 6}), ("teaching", {"seats": 7}), ("x", {})):
        with pytest.raises(GameError):
            await world.table(1, ruleset, **options)
