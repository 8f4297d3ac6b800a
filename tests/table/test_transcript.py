"""The words of a game afterwards: who may read them, in which order, and their end."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import OperationalError

from tests.table.test_commands import at_the_seat_of
from tests.table.test_lines import HARMLESS, say, speaking, verdicts
from tests.table.world import Outlet, World, frames
from voice.review.stored import find_stored
from voice.store import schema
from voice.store.store import append
from voice.table.closing import OVER_S
from voice.table.records import Commanded, Entry, Passed, Spoken, from_row, to_row, without_words
from voice.table.retention import forget, forget_words
from voice.table.transcript import Reader, may_read, transcript

if TYPE_CHECKING:
    from voice.store import Store
    from voice.table.table import Table

DAY_S = 86_400.0
NAMES = st.sampled_from(("t1", "t2", "t3"))


@given(table=NAMES, of=NAMES, seat=st.none() | st.integers(1, 13), left=st.booleans(), over=st.booleans())
def test_who_may_read_is_who_held_a_seat_in_that_very_game(
    table: str, of: str, seat: int | None, left: bool, over: bool
) -> None:
    assert may_read(Reader(of, seat, left), table, over=over) == (of == table and seat is not None and left <= over)
    assert not may_read(None, table, over=over)


def line(number: int, seat: int, start: float, text: str, by: str = "voice") -> Spoken:
    return Spoken(f"{number}", seat, text, start, start + 1.0, by, "en", [("word", start, start + 1.0, 0.9)])


def log(*bodies: Any) -> list[Entry]:
    return [Entry(i, 0.0, body) for i, body in enumerate(bodies, 1)]


def test_it_is_in_the_order_in_which_things_were_begun_with_their_night_or_day() -> None:
    day = {"t": 60.0, "event": "day", "to": "all", "number": 1}
    said = {"t": 66.0, "event": "said", "to": "all", "seat": 2, "kind": "claim", "card": "sheriff"}
    night = {"t": 90.0, "event": "night", "to": "all", "number": 2}
    entries = log(
        Passed([{"t": 0.0, "event": "night", "to": "all", "number": 1}, day]),
        line(1, 3, 65.0, "second"),
        line(2, 4, 61.0, "first", "bot"),
        Commanded({"do": "say"}, [said]),
        Passed([night]),
        line(3, 5, 89.5, "last words, recognised by night"),
    )
    read = transcript(entries, 1)
    assert [(each["seat"], each.get("text"), each["turn"]) for each in read] == [
        (4, "first", {"name": "day", "number": 1}),
        (3, "second", {"name": "day", "number": 1}),
        (2, None, {"name": "day", "number": 1}),
        (5, "last words, recognised by night", {"name": "day", "number": 1}),
    ]
    assert read[2] == {
        "kind": "said",
        "seat": 2,
        "say": "claim",
        "target": None,
        "card": "sheriff",
        "start": 66.0,
        "turn": {"name": "day", "number": 1},
    }
    assert {key for each in read if each["kind"] == "line" for key in each} == {
        *("kind", "line", "seat", "text", "start", "end", "by", "turn")
    }, "no confidences, no events"


def test_what_the_seat_may_not_see_is_not_in_it() -> None:
    hidden = {"t": 1.0, "event": "said", "to": [2], "seat": 2, "kind": "claim", "card": "don"}
    pick = {"t": 2.0, "event": "pick", "to": [3], "seat": 3, "target": 4}
    entries = log(Passed([hidden, pick]), line(1, 2, 3.0, ""))
    assert transcript(entries, 1) == []


def test_a_line_without_its_words_keeps_its_place_and_times() -> None:
    body = {"kind": "line", "line": "7", "seat": 3, "text": "a secret", "start": 1.0, "end": 2.0, "by": "voice"}
    kept = json.loads(without_words(json.dumps({**body, "lang": "en", "words": [["secret", 1.0, 2.0, 0.9]]}).encode()))
    assert kept == {**body, "lang": "en", "text": "", "words": []}
    for damaged in (b'{"text": "a secret', b'{"text": "\xff"}', b"", b"7"):
        assert without_words(damaged) == "{}"


async def over(world: World, words: str) -> tuple[Table, list[str]]:
    """A game of the house in which somebody has said `words`, stopped."""
    table, people = await world.dealt(people=7, ruleset="party", seats=7)
    assert table.running is not None
    play = table.running.play
    await world.until(table, lambda: play.game.phase.name == "discussion")
    await world.clock.advance(2.0)
    await say(world, play.mic[0], words)
    await world.order(table, people[0], do="stop")
    assert table.state == "over"
    return table, people


async def stored_row(world: World, table: str) -> Any:
    (row,) = await world.store.read(select(schema.tables).where(schema.tables.c.id == table))
    return row


async def test_words_are_deleted_when_their_time_is_up_and_the_game_still_folds(world: World) -> None:
    before = time.time()
    table, people = await over(world, "zanzibar at midnight")
    ended = (await stored_row(world, table.id))["ended_at"]
    assert before <= ended <= time.time()
    shown = frames(table, people[0])
    assert await forget_words(world.store, 30 * DAY_S, ended + 29 * DAY_S) == 0
    assert await forget_words(world.store, 30 * DAY_S, ended + 31 * DAY_S, {table.id}) == 0, "it holds its lines"
    assert await forget_words(world.store, 30 * DAY_S, ended + 31 * DAY_S) == 1
    assert await forget_words(world.store, 30 * DAY_S, ended + 31 * DAY_S) == 0
    assert (await stored_row(world, table.id))["words_gone_at"] == ended + 31 * DAY_S
    await world.crash()
    await world.open()
    again = await world.tables.find(table.id)
    assert again is not None
    assert again.state == "over"
    blank = [{**each, "text": ""} if each["type"] == "line" else each for each in shown]
    assert frames(again, people[0]) == blank
    entries = [from_row(row, i) for i, row in enumerate(await world.store.read_log(table.id), 1)]
    assert transcript(entries, 1) == []
    assert find_stored(table.id, f"sqlite:///{world.path}").lines == []


async def test_deleted_words_are_nowhere_in_the_files_of_the_database(world: World) -> None:
    table, _ = await over(world, "zanzibar at midnight")

    def found() -> bool:
        return any(b"zanzibar" in file.read_bytes() for file in world.path.parent.glob(f"{world.path.name}*"))

    assert found()
    await forget_words(world.store, 0.0, time.time() + 1.0)
    await world.close()  # the write-ahead log is folded into the file
    assert not found()
    await world.open()
    assert (await stored_row(world, table.id))["words_gone_at"] is not None


async def test_a_game_that_runs_keeps_its_words(world: World) -> None:
    table, people, _, seat = await speaking(world)
    await say(world, seat, HARMLESS)
    assert await forget_words(world.store, 0.0, time.time() + 1000 * DAY_S) == 0
    assert frames(table, people[0])[-1]["text"] == HARMLESS


async def test_a_table_of_before_counts_from_its_making(world: World) -> None:
    table, _ = await over(world, "zanzibar")
    await world.store.write(
        [update(schema.tables).where(schema.tables.c.id == table.id).values(ended_at=None, created_at=1000.0)]
    )
    assert await forget_words(world.store, DAY_S, 1000.0 + DAY_S - 1) == 0
    assert await forget_words(world.store, DAY_S, 1000.0 + DAY_S) == 1


async def test_old_words_go_when_the_server_starts(world: World) -> None:
    table, _ = await over(world, "zanzibar")
    await world.store.write(
        [update(schema.tables).where(schema.tables.c.id == table.id).values(ended_at=time.time() - 31 * DAY_S)]
    )
    await world.crash()
    assert b"zanzibar" in world.path.read_bytes()
    await world.open()  # nobody asks for the deletion: the sweep is a task of its own

    def left() -> bool:
        return any(b"zanzibar" in file.read_bytes() for file in world.path.parent.glob(f"{world.path.name}*"))

    async with asyncio.timeout(60.0):
        while left():  # noqa: ASYNC110 - nothing tells; with the server at work, not only when it has ended
            await asyncio.sleep(0.01)
    assert (await stored_row(world, table.id))["words_gone_at"] is not None


async def test_a_damaged_line_goes_and_does_not_keep_other_tables_words(world: World) -> None:
    tables = [(await over(world, "zanzibar"))[0].id for _ in range(2)]
    ends, log = schema.tables.c.ended_at, schema.log
    for body in (text("CAST(x'ff7a' AS TEXT)"), text("x'ff'")):
        await world.store.write(
            [
                update(schema.tables).values(words_gone_at=None),
                update(schema.tables).where(schema.tables.c.id == tables[0]).values(ended_at=ends - DAY_S),
                update(log).where(log.c.table == tables[0], log.c.kind == "line").values(body=body),
            ]
        )
        assert await forget_words(world.store, 0.0, time.time() + 1.0) == 2
    (left,) = await world.store.read(select(func.count()).where(log.c.kind == "line", log.c.body.contains("zanzibar")))
    assert left["count_1"] == 0


@pytest.mark.parametrize("how", ["its log is damaged", "a fault"])
async def test_a_table_that_breaks_when_it_is_over_keeps_its_words_no_longer(world: World, how: str) -> None:
    table, people = await over(world, "zanzibar")
    row = update(schema.tables).where(schema.tables.c.id == table.id)
    await world.store.write([row.values(ended_at=1000.0)])
    if how == "a fault":
        await table._break("a fault in the game", keep=True)
    else:
        log = schema.log
        await world.crash()
        await world.open()
        await world.store.write([update(log).where(log.c.number == 1).values(body="{}"), row.values(ended_at=1000.0)])
        broken = await world.tables.find(table.id)
        assert broken is not None
        assert broken.state == "broken"
    found = await stored_row(world, table.id)
    assert (found["state"], found["ended_at"]) == ("broken", 1000.0)
    assert people


async def test_a_moderator_who_comes_to_a_closed_game_reads_nothing_of_it(world: World) -> None:
    table, people = await over(world, "zanzibar")

    def texts(of: Table, viewer: str | None) -> list[str]:
        return [each["text"] for each in frames(of, viewer) if each["type"] == "line"]

    assert "zanzibar" in texts(table, None), "who watches while it is at work reads the captions as all do"
    await world.crash()
    await world.open()
    again = await world.tables.find(table.id)
    assert again is not None
    assert set(texts(again, None)) == {""}
    assert "zanzibar" in texts(again, people[0])


async def test_a_flagged_line_keeps_its_words_with_its_case(world: World) -> None:
    world.judge = verdicts({"rude": ("likely", False)})
    table, people, _, seat = await speaking(world)
    await say(world, seat, "rude")
    await world.store.write([update(schema.tables).where(schema.tables.c.id == table.id).values(state="over")])
    assert await forget_words(world.store, 0.0, time.time() + 1.0) == 1
    (row,) = await world.store.read(select(schema.flagged))
    assert row["text"] == "rude"
    assert people


async def test_a_long_games_words_go_in_parts_and_all_of_them_go(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voice.table.retention.LINES_AT_ONCE", 2)
    table, people = await world.dealt(people=10)
    speaker = await at_the_seat_of(world, table, people)
    await world.clock.advance(5.0)
    seat = table.people[speaker].seat
    assert seat is not None
    for number in range(5):
        await say(world, seat, f"zanzibar {number}")
    await world.store.write([update(schema.tables).where(schema.tables.c.id == table.id).values(state="over")])
    await forget_words(world.store, 0.0, time.time() + 1.0)
    bodies = [json.loads(row.body) for row in await world.store.read_log(table.id) if row.kind == "line"]
    assert len(bodies) == 5
    assert {(body["text"], len(body["words"])) for body in bodies} == {("", 0)}


async def aged(world: World, table: str) -> None:
    """As if the game had ended long ago."""
    row = update(schema.tables).where(schema.tables.c.id == table)
    await world.store.write([row.values(ended_at=time.time() - 31 * DAY_S)])


async def closed(world: World, table: Table) -> None:
    """Let time pass until the table is closed."""
    await world.until(table, lambda: table.ended.is_set())
    await table.done()


async def words(world: World) -> list[str]:
    """The texts of all lines in the database."""
    rows = await world.store.read(select(schema.log.c.body).where(schema.log.c.kind == "line"))
    return [text for row in rows if (text := json.loads(row["body"])["text"])]


async def test_what_is_said_after_the_deletion_is_deleted_too(world: World) -> None:
    table, people = await over(world, "zanzibar")
    await closed(world, table)
    await aged(world, table.id)
    await world.tables.forget_words()
    assert await words(world) == []
    for said in ("madagascar", "mauritius"):
        again = await world.tables.find(table.id)
        assert again is not None
        again.attach(people[0], Outlet())
        await world.settle()
        assert again.running is not None
        await say(world, again.running.play.mic[0], said)
        assert await words(world) == [said]
        assert frames(again, people[0])[-1]["text"] == said, "shown while the table is at work"
        await world.tables.forget_words()
        assert await words(world) == [said], "it holds its lines"
        await closed(world, again)
        await world.tables.forget_words()
        assert await words(world) == []
        assert (await stored_row(world, table.id))["words_gone_at"] is not None


async def test_who_comes_back_again_and_again_does_not_keep_the_words(world: World) -> None:
    table, people = await over(world, "zanzibar")
    await world.clock.advance(1.0)
    for _ in range(3):  # nobody is ever away for long
        await world.clock.advance(OVER_S - 60.0)
        if table.ended.is_set():
            break
        table.attach(people[0], Outlet())
    assert table.ended.is_set()
    await table.done()
    await aged(world, table.id)
    again = await world.tables.find(table.id)  # before the sweep has come by
    assert again is not None
    assert {each["text"] for each in frames(again, people[0]) if each["type"] == "line"} == {""}
    assert await words(world) == []


async def test_a_table_that_is_brought_back_in_time_has_its_words(world: World) -> None:
    table, people = await over(world, "zanzibar")
    await closed(world, table)
    again = await world.tables.find(table.id)
    assert again is not None
    assert "zanzibar" in {each["text"] for each in frames(again, people[0]) if each["type"] == "line"}
    assert await words(world) == ["zanzibar"]


async def test_words_that_come_while_others_are_deleted_wait_for_their_own_deletion(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = await over(world, "zanzibar")
    await closed(world, table)
    write, later = world.store.write, []

    async def meanwhile(statements: Any) -> None:
        await write(statements)
        if not later:
            later.append("madagascar")
            number = 1 + max(row.number for row in await world.store.read_log(table.id))
            entry = to_row(Entry(number, 1e6, line(9, 1, 1e6, "madagascar")))
            await write([append(table.id, [entry])])

    monkeypatch.setattr(world.store, "write", meanwhile)
    await forget_words(world.store, 0.0, time.time() + 1.0)
    assert (await words(world), (await stored_row(world, table.id))["words_gone_at"]) == (["madagascar"], None)
    await forget_words(world.store, 0.0, time.time() + 1.0)
    assert await words(world) == []


async def test_tables_that_can_not_be_deleted_keep_no_others_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [(await over(world, "zanzibar"))[0] for _ in range(3)]
    for table in tables:
        await closed(world, table)
    ends = schema.tables.c.ended_at
    for age, table in enumerate(tables):
        row = update(schema.tables).where(schema.tables.c.id == table.id)
        await world.store.write([row.values(ended_at=ends - (10 - age) * DAY_S)])

    async def fails_at_the_oldest(store: Store, table: str, now: float) -> None:
        if table in (tables[0].id, tables[1].id):
            raise OperationalError("UPDATE", {}, Exception("no"))
        await forget(store, table, now)

    monkeypatch.setattr("voice.table.retention.forget", fails_at_the_oldest)
    assert await forget_words(world.store, DAY_S, time.time()) == 1
    assert (await stored_row(world, tables[2].id))["words_gone_at"] is not None
