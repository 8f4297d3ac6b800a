"""Commands at a table: who may send what when, and what they are answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.table.world import Outlet, events
from voice.table.mail import Leave, Order, Start, TableError
from voice.table.table import MAIL_LIMIT

if TYPE_CHECKING:
    from tests.table.world import World
    from voice.table.table import Table


async def at_the_seat_of(world: World, table: Table, people: list[str]) -> str:
    """Let time pass until a person speaks; that person."""
    by_seat = {table.people[person].seat: person for person in people}

    def speaking() -> bool:
        assert table.running is not None
        phase = table.running.play.game.phase
        return phase.name == "speech" and phase.seat in by_seat

    await world.until(table, speaking)
    assert table.running is not None
    return by_seat[table.running.play.game.phase.seat]


async def test_a_pass_ends_the_own_speech_and_its_answer_comes_after_its_events(world: World) -> None:
    table, people = await world.dealt(people=10)
    speaker = await at_the_seat_of(world, table, people)
    before = len(events(table, speaker))
    assert (await world.order(table, speaker, do="pass"))["type"] == "done"
    new = events(table, speaker)[before:]
    assert [event["event"] for event in new] == ["phase", "mic"]


async def test_a_refused_command_is_answered_to_its_sender_and_leaves_no_trace(world: World) -> None:
    table, people = await world.dealt(people=10)
    speaker = await at_the_seat_of(world, table, people)
    other = next(person for person in people if person != speaker)
    entries = len(await world.store.read_log(table.id))
    answer = await world.order(table, other, do="pass")
    assert answer["type"] == "refused"
    assert answer["code"] == "rule"
    assert answer["do"] == "pass"
    assert answer["why"]
    assert len(await world.store.read_log(table.id)) == entries
    assert not events(table, other, "refused")
    assert world.outlet(table, speaker).replies == []


async def test_a_command_of_another_phase_is_late_and_does_not_act_in_this_one(world: World) -> None:
    table, people = await world.dealt(people=10)
    speaker = await at_the_seat_of(world, table, people)
    assert table.running is not None
    phase = table.running.play.phase
    for other in (phase - 1, phase + 1, 0):
        answer = await world.order(table, speaker, phase=other, do="pass")
        assert (answer["type"], answer["code"]) == ("refused", "late")
    assert table.running.play.phase == phase


async def test_a_command_that_comes_when_its_phase_has_just_ended_is_late(world: World) -> None:
    table, people = await world.dealt(people=10)
    speaker = await at_the_seat_of(world, table, people)
    assert table.running is not None
    phase = table.running.play.phase
    due = table.running.play.game.due
    assert due is not None
    outlet = world.outlet(table, speaker)
    world.clock._now = table.running.clock.when(due)  # the time is up, and nobody has said so yet
    table.post(Order(speaker, 5, phase, {"do": "pass"}))
    await world.settle()
    assert outlet.replies[-1]["code"] == "late"
    assert table.running.play.phase == phase + 1


async def test_a_phase_that_ends_while_the_mail_is_read_takes_no_command_into_the_next(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, people = await world.dealt(people=10)
    speaker = await at_the_seat_of(world, table, people)
    assert table.running is not None
    phase, due = table.running.play.phase, table.running.play.game.due
    assert due is not None
    when = table.running.clock.when(due)
    looks = iter([when - 0.01])  # the turn begins just before the end, and everything after it comes late
    monkeypatch.setattr(world.clock, "now", lambda: next(looks, when))
    outlet = world.outlet(table, speaker)
    table.post(Order(speaker, 5, phase, {"do": "sign", "sentence": ["yes"]}))
    await world.settle()
    assert outlet.replies[-1] == {"type": "done", "id": 5}
    assert [event["t"] < due for event in events(table, speaker, "signed")] == [True]


@pytest.mark.parametrize(
    "command",
    [
        {"do": "away"},
        {"do": "back"},
        {"do": "line", "line": "1", "category": "insult", "severity": "clear"},
        {"do": "ruling", "line": "1", "uphold": True},
        {"do": "stop"},
        {"do": "pass", "seat": 3},
        {"do": "dance"},
        {"do": ["pass"]},
        {"do": None},
        {},
        {"do": "vote", "target": "x"},
        {"do": "vote", "target": 10**40},
        {"do": "sign", "sentence": [[[]]]},
        {"do": "report", "target": 1, "line": "1"},
        {"do": "report", "target": 1, "line": {"x": 1}},
        {"do": "report"},
    ],
)
async def test_what_a_player_may_not_send_is_refused_and_the_game_goes_on(
    world: World, command: dict[str, Any]
) -> None:
    table, (me,) = await world.dealt(people=1)
    answer = await world.order(table, me, **command)
    assert (answer["type"], answer["code"]) == ("refused", "rule")
    assert len(answer["do"]) <= 40
    assert table.state == "running"


async def test_a_lost_connection_is_away_after_a_grace_and_back_at_once(world: World) -> None:
    table, (me, other) = await world.dealt(people=2)
    seat = table.people[me].seat
    table.detach(me, world.outlet(table, me))
    await world.clock.advance(2.5)
    assert not events(table, other, "away")
    await world.clock.advance(1.0)
    (away,) = events(table, other, "away")
    assert away["seat"] == seat
    assert world.rooms[0].gone == [seat]
    table.attach(me, Outlet())
    await world.settle()
    (back,) = events(table, other, "back")
    assert back["seat"] == seat
    await world.clock.advance(200.0)
    assert not events(table, other, "bot")


async def test_a_reload_is_not_an_absence(world: World) -> None:
    table, (me,) = await world.dealt(people=1)
    table.detach(me, world.outlet(table, me))
    await world.clock.advance(2.0)
    table.attach(me, Outlet())
    await world.clock.advance(60.0)
    assert not events(table, None, "away")


async def test_after_120_s_of_absence_the_bot_plays_to_the_end_and_the_person_watches(world: World) -> None:
    table, (me, other) = await world.dealt(people=2)
    seat = table.people[me].seat
    table.detach(me, world.outlet(table, me))
    await world.clock.advance(2.0 + 1.1 + 120.0)
    (bot,) = events(table, other, "bot")
    assert bot["seat"] == seat
    table.attach(me, Outlet())
    answer = await world.order(table, me, do="pass")
    assert "bot" in answer["why"]
    await world.until(table, lambda: table.state == "over")
    assert not events(table, other, "back")
    assert events(table, me, "over")


async def test_who_leaves_is_away_at_once_and_their_token_is_gone(world: World) -> None:
    table, (me, other) = await world.dealt(people=2)
    outlet = world.outlet(table, me)
    table.post(Leave(me))
    await world.settle()
    (away,) = events(table, other, "away")
    assert away["seat"] == table.people[me].seat
    assert outlet.closed == (1000, "you left the table")
    table.detach(me, outlet)
    await world.clock.advance(119.0)
    assert len(events(table, other, "away")) == 1
    assert not events(table, other, "back")
    assert not events(table, other, "bot")
    await world.clock.advance(2.0)
    assert events(table, other, "bot")
    assert await world.tables.person("hash1") is None
    assert await world.tables.person("hash2") is not None


async def test_nobody_comes_in_for_somebody_who_has_just_left(world: World) -> None:
    table, (me, other) = await world.table(people=2)
    table.post(Leave(me))
    await world.settle()
    with pytest.raises(TableError, match="given up"):  # a second page that was on its way in
        table.attach(me, Outlet())
    table.post(Start(other))
    await world.settle()
    assert table.state == "running"
    table.post(Leave(other))
    await world.settle()
    with pytest.raises(TableError, match="given up"):
        table.attach(other, Outlet())


async def test_who_left_the_lobby_may_close_their_page_when_the_game_has_begun(world: World) -> None:
    table, (me, other) = await world.table(people=2)
    outlet = world.outlet(table, other)
    table.post(Leave(other))
    table.post(Start(me))
    await world.settle()
    assert outlet.closed is not None
    table.detach(other, outlet)
    await world.clock.advance(10.0)
    assert table.state == "running"
    assert not events(table, me, "away")


async def test_the_newest_connection_of_a_seat_wins(world: World) -> None:
    table, (me,) = await world.dealt(people=1)
    first = world.outlet(table, me)
    second = Outlet()
    table.attach(me, second)
    assert first.closed is not None
    assert first.closed[0] == 4409
    table.detach(me, first)  # the old one's end is no absence
    await world.clock.advance(10.0)
    assert not events(table, None, "away")
    assert second.closed is None


async def test_a_full_mailbox_takes_no_more_and_loses_nothing_that_it_took(world: World) -> None:
    table, (me,) = await world.dealt(people=1)
    orders = [Order(me, i, 1, {"do": "dance"}) for i in range(MAIL_LIMIT + 5)]
    taken = [table.post(order) for order in orders]
    assert taken.count(False) == 5
    await world.settle()
    assert len(world.outlet(table, me).replies) == MAIL_LIMIT


async def test_a_fault_in_one_game_ends_that_table_alone(world: World) -> None:
    bad, (me,) = await world.dealt(people=1)
    good, (you,) = await world.dealt(people=1)
    assert bad.running is not None

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    bad.running.play.game.__class__.command, keep = fail, bad.running.play.game.__class__.command  # type: ignore[method-assign, assignment] - a fault
    try:
        outlet = world.outlet(bad, me)
        bad.post(Order(me, 1, 1, {"do": "ok"}))
        await world.settle()
    finally:
        bad.running.play.game.__class__.command = keep  # type: ignore[method-assign] - put back
    assert bad.state == "broken"
    assert outlet.replies[-1]["code"] == "table_broken"
    assert world.rooms[0].closed
    await world.until(good, lambda: good.state == "over")
    assert events(good, you, "over")
