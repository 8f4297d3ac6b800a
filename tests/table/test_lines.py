"""Spoken lines: shown, judged, fouled, reported and ruled on."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from tests.table.test_commands import at_the_seat_of
from tests.table.world import Outlet, events, frames
from voice.accounts import HOST
from voice.cases.rulings import ruling
from voice.media.packet import AcceptedPacket
from voice.store import schema
from voice.wiring import judge_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.table.world import World
    from voice.table.table import Table

HARMLESS = "I think that seat five is black"


def verdicts(texts: Mapping[str, tuple[str | None, bool]]) -> Any:
    """A check that says (severity, review) of the texts it knows."""

    def judge(text: str, _lang: str, _words: object, _others: object) -> Any:
        severity, review = texts.get(text, (None, False))
        hit = SimpleNamespace(start=0, end=4, rule="test", category="insult", instead="")
        return SimpleNamespace(
            category="insult" if severity else None,
            severity=severity,
            review=review,
            scores={"insult": 0.9, "hate": 0.1, "sexual": 0.0} if severity or review else {},
            why=(hit,) if severity or review else (),
        )

    return judge


async def speaking(world: World) -> tuple[Table, list[str], str, int]:
    """A table of ten people, one of whom speaks: the table, the people, the speaker and their seat."""
    table, people = await world.dealt(people=10)
    speaker = await at_the_seat_of(world, table, people)
    await world.clock.advance(5.0)
    seat = table.people[speaker].seat
    assert seat is not None
    return table, people, speaker, seat


async def say(world: World, seat: int, text: str) -> None:
    """Say something that ended just now and took a second."""
    now = world.clock.now()
    world.ears[-1].say(seat, text, now - 1.0, now)
    await world.settle()


async def queue(world: World) -> list[Any]:
    return list(await world.store.read(select(schema.flagged).order_by(schema.flagged.c.id)))


async def test_a_line_is_shown_to_all_with_table_times(world: World) -> None:
    table, people, _, seat = await speaking(world)
    await say(world, seat, HARMLESS)
    now = table.now()
    for who in (*people, None):
        line = frames(table, who)[-1]
        assert line["type"] == "line"
        assert (line["seat"], line["text"], line["by"]) == (seat, HARMLESS, "voice")
        assert abs(line["end"] - now) < 0.01
        assert abs(line["end"] - line["start"] - 1.0) < 0.01
    assert await queue(world) == []


async def test_a_real_insult_warns_then_fouls_and_the_table_never_sees_the_words_again(world: World) -> None:
    world.judge = verdicts({"rude": ("likely", False), "ruder": ("clear", False)})
    table, people, _, seat = await speaking(world)
    await say(world, seat, "rude")
    await say(world, seat, "ruder")
    other = next(person for person in people if table.people[person].seat != seat)
    (warned,) = events(table, other, "warned")
    (fouled,) = events(table, other, "fouled")
    assert (warned["seat"], warned["category"], warned["line"]) == (seat, "insult", "1")
    assert (fouled["seat"], fouled["fouls"], fouled["category"]) == (seat, 1, "insult")
    assert "rude" not in json.dumps([warned, fouled])
    rows = await queue(world)
    assert [(row["line"], row["severity"], row["state"], row["source"]) for row in rows] == [
        ("1", "likely", "open", "check"),
        ("2", "clear", "open", "check"),
    ]
    assert json.loads(rows[0]["why"]) == [{"start": 0, "end": 4, "rule": "test", "category": "insult"}]


async def test_the_embedded_check_is_wired_in(world: World) -> None:
    world.judge = judge_line
    table, people, _, seat = await speaking(world)
    await say(world, seat, "you are a fucking idiot")
    assert events(table, people[0], "fouled") or events(table, people[0], "warned")


async def test_what_a_line_may_also_have_been_is_for_moderators_who_see_the_words(world: World) -> None:
    world.judge = judge_line
    table, people, _, seat = await speaking(world)
    now = world.clock.now()
    others = (SimpleNamespace(text="You tranny, friend.", share=0.2), SimpleNamespace(text="Your friend.", share=0.1))
    world.ears[-1].say(seat, "You try any friend.", now - 1.0, now, others)
    await world.settle()

    for who in (*people, None):
        assert not events(table, who, "warned")
        assert not events(table, who, "fouled")
    (row,) = await queue(world)
    assert (row["severity"], row["review"]) == (None, True)
    assert [why["instead"] for why in json.loads(row["why"])] == ["tranny"]


async def test_a_line_for_a_person_alone_goes_to_the_queue_and_nowhere_else(world: World) -> None:
    world.judge = verdicts({"odd": (None, True)})
    table, people, _, seat = await speaking(world)
    await say(world, seat, "odd")
    (row,) = await queue(world)
    assert (row["review"], row["severity"], row["category"]) == (True, None, "insult")
    for who in (*people, None):
        assert not events(table, who, "warned")
        assert not events(table, who, "fouled")


async def test_a_line_of_a_seat_that_was_not_open_is_dropped(world: World) -> None:
    table, people, _, seat = await speaking(world)
    other = seat % 10 + 1
    before = len(frames(table, people[0]))
    await say(world, other, HARMLESS)
    world.ears[-1].say(seat, HARMLESS, world.clock.now() - 40.0, world.clock.now() - 30.0)
    await world.settle()
    assert len(frames(table, people[0])) == before


async def test_a_line_recognised_after_the_speech_is_still_shown_and_judged(world: World) -> None:
    world.judge = verdicts({"rude": ("clear", False)})
    table, people, speaker, seat = await speaking(world)
    spoken = world.clock.now()
    await world.order(table, speaker, do="pass")
    await world.clock.advance(4.0)
    world.ears[-1].say(seat, "rude", spoken - 2.0, spoken)
    await world.settle()
    (fouled,) = events(table, people[0], "fouled")
    assert fouled["seat"] == seat


async def test_a_check_that_fails_asks_for_a_person(world: World) -> None:
    def fail(*_: object) -> None:
        raise ValueError("a rule is broken")

    world.judge = fail
    table, people, _, seat = await speaking(world)
    await say(world, seat, HARMLESS)
    assert frames(table, people[0])[-1]["text"] == HARMLESS
    (row,) = await queue(world)
    assert row["review"]
    assert table.state == "running"


async def rule(world: World, table: Table, line: str, uphold: bool, category: str | None, reason: str) -> None:
    """A moderator's ruling, as the console makes it."""
    (case,) = [row["id"] for row in await queue(world) if row["line"] == line]
    await table.rule(line, uphold, category, ruling(case, HOST, uphold, reason, 1.0))


async def test_a_report_reaches_the_queue_and_upheld_it_fouls(world: World) -> None:
    table, people, speaker, seat = await speaking(world)
    await say(world, seat, HARMLESS)
    other = next(person for person in people if person != speaker)
    answer = await world.order(table, other, do="report", target=seat, line="1")
    assert answer["type"] == "done"
    assert not events(table, other, "reported")
    (reported,) = events(table, None, "reported")
    assert reported["target"] == seat
    (row,) = await queue(world)
    assert (row["source"], row["line"], row["text"]) == ("report", "1", HARMLESS)
    await rule(world, table, "1", True, None, "so it was")
    (fouled,) = events(table, other, "fouled")
    assert (fouled["seat"], fouled["why"]) == (seat, "ruling")
    (row,) = await queue(world)
    assert (row["state"], row["reason"]) == ("upheld", "so it was")


async def test_a_report_that_names_the_wrong_seat_is_refused(world: World) -> None:
    table, people, speaker, seat = await speaking(world)
    await say(world, seat, HARMLESS)
    other = next(person for person in people if person != speaker)
    for target, line in ((seat % 10 + 1, "1"), (seat, "2")):
        answer = await world.order(table, other, do="report", target=target, line=line)
        assert answer["type"] == "refused"
    assert await queue(world) == []


async def test_a_dismissed_line_gives_its_foul_back(world: World) -> None:
    world.judge = verdicts({"rude": ("clear", False)})
    table, people, _, seat = await speaking(world)
    await say(world, seat, "rude")
    await rule(world, table, "1", False, "insult", "")
    (cleared,) = events(table, people[0], "cleared")
    assert (cleared["seat"], cleared["fouls"]) == (seat, 0)
    (row,) = await queue(world)
    assert row["state"] == "dismissed"


async def test_a_line_that_only_a_person_found_fouls_once_when_upheld(world: World) -> None:
    world.judge = verdicts({"odd": (None, True)})
    table, people, _, seat = await speaking(world)
    await say(world, seat, "odd")
    await rule(world, table, "1", True, "insult", "")
    (fouled,) = events(table, people[0], "fouled")
    assert (fouled["seat"], fouled["fouls"]) == (seat, 1)
    await rule(world, table, "1", False, "insult", "")
    (cleared,) = events(table, people[0], "cleared")
    assert cleared["fouls"] == 0


async def test_dismissing_a_line_that_only_a_person_found_shows_nothing(world: World) -> None:
    world.judge = verdicts({"odd": (None, True)})
    table, people, _, seat = await speaking(world)
    await say(world, seat, "odd")
    before = {who: len(frames(table, who)) for who in people}
    await rule(world, table, "1", False, "insult", "")
    assert {who: len(frames(table, who)) for who in people} == before
    (row,) = await queue(world)
    assert row["state"] == "dismissed"


async def test_lines_and_rulings_survive_a_crash(world: World) -> None:
    world.judge = verdicts({"odd": (None, True), "rude": ("clear", False)})
    table, _, _, seat = await speaking(world)
    for text in ("odd", "rude", HARMLESS):
        await say(world, seat, text)
    await rule(world, table, "1", True, "insult", "")
    before = frames(table, None)
    await world.crash()
    await world.open()
    again = await world.tables.find(table.id)
    assert again is not None
    assert frames(again, None) == before
    await rule(world, again, "2", False, "insult", "")
    assert events(again, None, "cleared")[-1]["line"] == "2"


async def test_interim_captions_are_shown_only_while_the_seat_is_open(world: World) -> None:
    table, people, _, seat = await speaking(world)
    world.ears[-1].interim(seat, "I think")
    shown = world.outlet(table, people[0]).moment[f"interim {seat}"]
    start = pytest.approx(table.now() - 0.5, abs=0.01)
    assert shown == {"type": "interim", "seat": seat, "text": "I think", "agreed": 0, "start": start}
    world.ears[-1].interim(seat % 10 + 1, "psst")
    assert f"interim {seat % 10 + 1}" not in world.outlet(table, people[0]).moment
    world.ears[-1].interim(seat, "")
    assert world.outlet(table, people[0]).moment[f"interim {seat}"]["text"] == ""
    world.ears[-1].interim(seat, "I think that")
    await say(world, seat, HARMLESS)
    assert f"interim {seat}" not in world.outlet(table, people[0]).moment  # not after the line that it became


async def test_what_two_captions_in_a_row_agree_on_is_told(world: World) -> None:
    table, people, _, seat = await speaking(world)

    def shown(text: str, start_s: float) -> str:
        world.ears[-1].interim(seat, text, start_s)
        frame = world.outlet(table, people[0]).moment[f"interim {seat}"]
        return str(frame["text"][: frame["agreed"]])

    now_s = world.clock.now()
    assert shown("I think it", now_s - 2.0) == ""
    assert shown("I think he is", now_s - 2.0) == "I think"
    assert shown("I think he was. No", now_s - 2.0) == "I think he"
    assert shown("I think he was. No", now_s - 0.5) == "", "another utterance"
    world.ears[-1].interim(seat, "")
    assert shown("I think", now_s - 0.5) == ""


async def test_a_line_that_comes_late_leaves_the_caption_of_later_words(world: World) -> None:
    table, people, _, seat = await speaking(world)
    now_s = world.clock.now()
    for text in ("And now", "And now I"):
        world.ears[-1].interim(seat, text, now_s - 0.5)
    world.ears[-1].say(seat, HARMLESS, now_s - 3.0, now_s - 1.0)
    await world.settle()
    assert frames(table, people[0])[-1]["text"] == HARMLESS
    assert world.outlet(table, people[0]).moment[f"interim {seat}"]["text"] == "And now I"
    world.ears[-1].say(seat, HARMLESS, now_s - 0.5, now_s)
    await world.settle()
    assert f"interim {seat}" not in world.outlet(table, people[0]).moment


async def test_links_are_told_to_all_and_to_who_comes_later(world: World) -> None:
    table, people = await world.dealt(people=2)
    world.rooms[0].link(frozenset({7, 2}))
    assert world.outlet(table, people[0]).moment["link"]["seats"] == [2, 7]
    await world.settle()
    assert table.running is not None
    assert table.running.voices.linked == {2, 7}


async def test_captions_that_are_late_are_told_to_all_and_to_who_comes_later(world: World) -> None:
    table, people = await world.dealt(people=2)
    for told in (("late", 0), ("late", 2)):
        world.ears[0].captions(*told)
        frame = {"type": "captions", "state": told[0], "lost": told[1]}
        assert [world.outlet(table, each).moment["captions"] for each in people] == [frame, frame]
    later = Outlet()
    table.attach(None, later)
    assert later.moment["captions"] == {"type": "captions", "state": "late", "lost": 2}
    world.ears[0].captions("live", 2)
    assert later.moment["captions"]["state"] == "live"


async def test_packets_go_from_the_room_to_the_ears(world: World) -> None:
    await world.dealt(people=1)
    packet = AcceptedPacket(1, 1, 1, 1, b"x", world.clock.now())
    world.rooms[0].packet(packet)
    assert world.ears[0].packets == [packet]


async def test_no_log_has_a_name_or_a_word(world: World) -> None:
    world.judge = verdicts({"rude thing": ("clear", False), "odd thing": (None, True)})
    with capture_logs() as logs:
        table, people, speaker, seat = await speaking(world)
        for text in ("rude thing", "odd thing", HARMLESS):
            await say(world, seat, text)
        world.judge = None  # a check that fails, on a line
        await say(world, seat, "rude thing")
        await rule(world, table, "1", False, "insult", "a joke")
        await world.order(table, speaker, do="say", kind="claim", card="secret card")
        table.detach(people[0], world.outlet(table, people[0]))
        await world.clock.advance(10.0)
    said = repr(logs)
    assert len(logs) >= 5
    for word in ("rude", "odd thing", "seat five", "Person", "joke", "secret card"):
        assert word not in said
