"""A whole game at a table: written before it is told, ended, and brought back from its log."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import Column, Table, select, text, update

from tests.table.world import Outlet, World, events, frames
from voice.store import schema
from voice.table.mail import Leave, Ready, Start, TableError

SHORT = {"speech_s": 20.0, "vote_s": 20.0, "agreement_s": 20.0}


async def test_a_lone_person_plays_a_whole_game_with_bots(world: World) -> None:
    table, (me,) = await world.dealt(people=1)
    await world.until(table, lambda: table.state == "over")
    mine = frames(table, me)
    assert [frame["n"] for frame in mine] == list(range(1, len(mine) + 1))
    assert mine[0]["type"] == "seated"
    assert mine[0]["people"][str(mine[0]["seat"])] == {"name": "Person 1", "bot": False}
    assert sum(person["bot"] for person in mine[0]["people"].values()) == 9
    assert [frame["event"]["event"] for frame in mine if frame["type"] == "event"][-1] == "over"
    captions = [frame for frame in mine if frame["type"] == "line"]
    assert captions
    assert {frame["by"] for frame in captions} == {"bot"}
    assert len({frame["line"] for frame in captions}) == len(captions)


async def test_bots_speak_in_their_own_minute(world: World) -> None:
    table, (me,) = await world.dealt(people=1)
    await world.until(table, lambda: table.state == "over")
    mic: list[int] = []
    for frame in frames(table, me):
        if frame["type"] == "line":
            assert frame["seat"] in mic
        elif frame.get("event", {}).get("event") == "mic":
            mic = frame["event"]["seats"]


async def test_the_gate_follows_the_mic_events_and_nothing_else(world: World) -> None:
    table, (me,) = await world.dealt(people=1)
    await world.until(table, lambda: table.state == "over")
    told = [event["seats"] for event in events(table, me, "mic")]
    assert told[-1] == list(range(1, 11))
    moves = world.rooms[0].told
    assert world.ears[0].moved == [(seats, i) for i, seats in enumerate(moves, 1)]
    # Each event moves the gate; in between, what the coming event closes is closed already.
    before: list[int] = []
    coming = iter(told)
    event = next(coming)
    for seats in moves:
        if seats == event:
            before, event = event, next(coming, [])
        else:
            assert seats == sorted(set(before) & set(event))
    assert next(coming, None) is None


async def test_the_gate_closes_before_the_log_is_written_and_opens_after(world: World) -> None:
    table, (me, *_) = await world.dealt(people=10, **SHORT)
    await world.until(table, lambda: world.rooms[0].told != [])
    speaker, following = world.rooms[0].told[-1][0], world.rooms[0].told[-1][0] + 1
    write, disk = world.store.write, asyncio.Event()

    async def slow(statements: list[object]) -> None:
        await disk.wait()
        await write(statements)  # type: ignore[arg-type] - as they came

    world.store.write = slow  # type: ignore[method-assign, assignment] - a disk that takes its time
    moved = asyncio.create_task(world.clock.advance(SHORT["speech_s"]))
    for _ in range(100):
        await asyncio.sleep(0)
    assert world.rooms[0].told[-1] == []
    assert events(table, me, "mic")[-1]["seats"] == [speaker]
    disk.set()
    await moved
    assert world.rooms[0].told[-1] == [following]
    assert events(table, me, "mic")[-1]["seats"] == [following]


async def test_everything_is_written_before_it_is_told(world: World) -> None:
    table, _ = await world.dealt(people=1, **SHORT)
    seen: list[tuple[int, int]] = []
    publish = table.running.publish  # type: ignore[union-attr] - dealt

    def look(batch: object) -> None:
        seen.append((table.running.play.numbers, len(written)))  # type: ignore[union-attr] - dealt
        publish(batch)  # type: ignore[arg-type] - as it came

    written: list[object] = []
    write = world.store.write

    async def note(statements: list[object]) -> None:
        await write(statements)  # type: ignore[arg-type] - as they came
        written[:] = await world.store.read_log(table.id)

    table.running.publish = look  # type: ignore[method-assign, union-attr] - a spy around the real one
    world.store.write = note  # type: ignore[method-assign, assignment] - the same
    await world.clock.advance(120.0)
    assert len(seen) > 5
    assert all(numbers == stored for numbers, stored in seen)


async def test_a_crash_loses_nothing_and_the_phase_has_the_time_it_had_left(world: World) -> None:
    table, people = await world.dealt(people=3)
    await world.until(table, lambda: table.running is not None and table.running.play.day == 1)
    await world.clock.advance(7.0)
    await world.tables.write_clocks()
    before = {who: frames(table, who) for who in (*people, None)}
    left = table.running.play.game.due - table.now()  # type: ignore[operator, union-attr] - it runs
    await world.crash()

    await world.clock.advance(3600.0)  # the server is down for an hour
    await world.open()
    again = await world.tables.find(table.id)
    assert again is not None
    assert again is not table
    assert again.state == "running"
    assert {who: frames(again, who) for who in (*people, None)} == before
    assert abs(again.running.play.game.due - again.now() - left) < 0.01  # type: ignore[operator, union-attr] - it runs
    assert world.rooms[-1].told == [list(again.running.play.mic)]  # type: ignore[union-attr] - it runs
    for person in people:
        again.attach(person, Outlet())
    await world.until(again, lambda: again.state == "over")
    after = frames(again, people[0])
    assert after[: len(before[people[0]])] == before[people[0]]
    assert not [event for event in events(again, None, "away") if event["t"] > again.now()]
    assert not events(again, people[0], "bot")


async def test_a_game_brought_back_again_and_again_is_the_game_that_was_never_stopped(world: World) -> None:
    table, (me,) = await world.dealt(people=1, **SHORT)
    for _ in range(6):
        await world.clock.advance(61.0)
        await world.tables.write_clocks()
        before = frames(table, None)
        await world.crash()
        await world.open()
        found = await world.tables.find(table.id)
        assert found is not None
        table = found
        assert frames(table, None) == before
        table.attach(me, Outlet())
        await world.settle()


async def test_people_who_do_not_come_back_after_a_restart_are_away_then_bots(world: World) -> None:
    table, people = await world.dealt(people=2, away_s=120.0)
    seats = {table.people[person].seat for person in people}
    await world.clock.advance(5.0)
    await world.crash()
    await world.open()
    again = await world.tables.find(table.id)
    assert again is not None
    await world.clock.advance(11.0)
    assert {event["seat"] for event in events(again, None, "away")} == seats
    await world.clock.advance(121.0)
    assert {event["seat"] for event in events(again, None, "bot")} == seats


async def test_a_log_that_does_not_fold_breaks_its_own_table_alone(world: World) -> None:
    bad, _ = await world.dealt(people=1)
    good, (me,) = await world.dealt(people=1)
    await world.clock.advance(70.0)
    await world.crash()
    await world.open()
    log = schema.log.c
    body = (await world.store.read(select(log.body).where(log.table == bad.id, log.number == 2)))[0]["body"]
    changed = update(schema.log).where(log.table == bad.id, log.number == 2).values(body=body.replace("1", "2"))
    await world.store.write([changed])
    await world.crash()
    await world.open()
    broken = await world.tables.find(bad.id)
    assert broken is not None
    assert broken.state == "broken"
    assert "entry 2" in broken.reason
    going = await world.tables.find(good.id)
    assert going is not None
    going.attach(me, Outlet())
    await world.until(going, lambda: going.state == "over")


async def test_a_missing_entry_is_found(world: World) -> None:
    table, _ = await world.dealt(people=1)
    await world.clock.advance(200.0)
    await world.crash()
    await world.open()
    await world.store.write([schema.log.delete().where(schema.log.c.table == table.id, schema.log.c.number == 2)])
    await world.crash()
    await world.open()
    broken = await world.tables.find(table.id)
    assert broken is not None
    assert broken.state == "broken"
    assert "entry 2 is missing" in broken.reason


@pytest.mark.parametrize(
    ("column", "value", "state"),
    [
        (schema.log.c.t, float("inf"), "broken"),
        (schema.log.c.t, text("'late'"), "broken"),
        (schema.tables.c.now_s, float("inf"), "running"),
        (schema.tables.c.now_s, text("'late'"), "running"),
    ],
)
async def test_a_time_that_is_none_keeps_nobody_else_from_going_on(
    world: World, column: Column[float], value: object, state: str
) -> None:
    bad, _ = await world.dealt(people=1)
    good, _ = await world.dealt(people=1)
    await world.clock.advance(100.0)
    await world.crash()
    await world.open()
    assert isinstance(column.table, Table)
    change = update(column.table).values({column: value})
    own = schema.log.c.table == bad.id if column.table is schema.log else schema.tables.c.id == bad.id
    await world.store.write([change.where(own)])
    await world.crash()
    await world.open()
    states = [table and table.state for table in [await world.tables.find(each.id) for each in (bad, good)]]
    assert states == [state, "running"]
    await world.clock.advance(100.0)


async def test_a_log_that_cannot_be_written_tells_nobody_and_goes_on_after_a_restart(world: World) -> None:
    table, (me,) = await world.dealt(people=1)
    await world.clock.advance(30.0)
    before = frames(table, me)
    outlet = world.outlet(table, me)
    # Somebody else has written entry N: ours can't be.
    number = table.running.play.numbers + 1  # type: ignore[union-attr] - it runs
    row = {"table": table.id, "number": number, "t": 0.0, "kind": "x", "body": ""}
    await world.store.write([schema.log.insert().values(row)])
    await world.clock.advance(100.0)
    assert table.state == "broken"
    assert outlet.closed is not None
    assert outlet.closed[0] == 4410
    assert outlet.replies[-1]["code"] == "table_broken"
    assert frames(table, me) == before
    await world.store.write([schema.log.delete().where(schema.log.c.kind == "x")])
    again = await world.tables.find(table.id)
    assert again is not None
    assert again.state == "running"
    assert frames(again, me) == before


async def test_who_waits_for_an_answer_that_cannot_be_written_is_told(world: World) -> None:
    table, _ = await world.table(people=1)
    guest, namesake = world.person("Guest"), world.person("Other")
    namesake.id = guest.id  # the second row can't be written
    told = await asyncio.gather(table.join(guest), table.join(namesake), return_exceptions=True)
    assert [type(each) for each in told] == [TableError, TableError]
    assert table.state == "broken"
    again = await world.tables.find(table.id)
    assert again is not None
    assert again.state == "waiting"
    await again.join(guest)


async def test_a_table_that_is_over_closes_when_everybody_has_gone_and_can_be_looked_at_again(world: World) -> None:
    table, (me,) = await world.dealt(people=1)
    await world.until(table, lambda: table.state == "over")
    mine = frames(table, me)
    table.detach(me, world.outlet(table, me))
    await world.clock.advance(121.0)
    assert table.ended.is_set()
    assert world.rooms[0].closed
    assert world.ears[0].closed
    again = await world.tables.find(table.id)
    assert again is not None
    assert again is not table
    assert frames(again, me) == mine


async def test_seats_are_drawn_and_bots_have_the_rest(world: World) -> None:
    drawn = set()
    for _ in range(12):
        table, people = await world.dealt(people=3)
        seats = [table.people[person].seat for person in people]
        assert len(set(seats)) == 3
        drawn.add(tuple(seats))
        started = table.running.play.started  # type: ignore[union-attr] - dealt
        assert sorted([*started.seats, *started.bots]) == list(range(1, 11))
    assert len(drawn) > 6


async def test_only_the_owner_begins(world: World) -> None:
    table, (owner, other) = await world.table(people=2)
    table.post(Start(other))
    await world.settle()
    assert world.outlet(table, other).replies[-1]["code"] == "not_owner"
    assert table.state == "waiting"
    table.post(Ready(other, True))
    await world.settle()
    lobby = world.outlet(table, owner).moment["lobby"]
    assert [person["ready"] for person in lobby["people"]] == [False, True]
    table.post(Start(owner))
    await world.settle()
    assert table.state == "running"
    table.post(Start(owner))
    await world.settle()
    assert world.outlet(table, owner).replies[-1]["code"] == "table_started"


async def test_leaving_the_lobby_frees_the_seat_and_hands_the_table_on(world: World) -> None:
    table, (owner, other) = await world.table(people=2)
    table.post(Leave(owner))
    await world.settle()
    assert table.owner == other
    lobby = world.outlet(table, other).moment["lobby"]
    assert [person["id"] for person in lobby["people"]] == [other]
    await table.join(world.person("Person 1"))  # the name is free again
    table.post(Leave(other))
    for person in list(table.people):
        table.post(Leave(person))
    await world.settle()
    assert table.ended.is_set()
    assert await world.tables.find(table.id) is None


async def test_a_lobby_survives_a_restart(world: World) -> None:
    table, people = await world.table(people=3)
    table.post(Ready(people[1], True))
    await world.settle()
    await world.crash()
    await world.open()
    again = await world.tables.find(table.id)
    assert again is not None
    assert list(again.people.values()) == list(table.people.values())
    assert again.owner == table.owner


async def test_a_table_that_waits_for_nobody_is_put_away_and_found_again(world: World) -> None:
    table, people = await world.table(people=2)
    for person in people:
        table.detach(person, world.outlet(table, person))
    await world.clock.advance(100.0)
    assert not table.ended.is_set()
    await world.clock.advance(21.0)
    assert table.ended.is_set()
    again = await world.tables.find(table.id)
    assert again is not None
    assert again is not table
    assert list(again.people) == people
    again.attach(people[0], Outlet())
    await world.clock.advance(1000.0)
    assert not again.ended.is_set()
    again.post(Start(people[0]))
    await world.settle()
    assert again.state == "running"
