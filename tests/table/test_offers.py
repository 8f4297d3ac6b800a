"""Spoken commands: offered to their speaker alone, in their own minute, where the rules would take them; never done."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Game
from engine.legal import is_legal, legal_commands
from tests.table.test_commands import at_the_seat_of
from tests.table.test_lines import say, speaking
from tests.table.world import Outlet, World, events, frames
from voice.table.offers import OFFER_S

if TYPE_CHECKING:
    from pathlib import Path

    from voice.table.table import Table

KINDS = ("nominate", "pass", "say")


def offered(world: World, table: Table, person: str) -> dict[str, dict[str, Any]]:
    """The proposals that a person's page has been sent last, by kind of command."""
    moment = world.outlet(table, person).moment
    return {kind: moment[f"proposal {kind}"] for kind in KINDS if f"proposal {kind}" in moment}


def commands(world: World, table: Table, person: str) -> list[dict[str, Any]]:
    return [each["command"] for each in offered(world, table, person).values() if each["command"] is not None]


def other_than(seat: int) -> int:
    return seat % 10 + 1


async def test_a_nomination_is_offered_to_its_speaker_alone_and_does_nothing(world: World) -> None:
    table, people, speaker, seat = await speaking(world)
    assert table.running is not None
    target, phase = other_than(seat), table.running.play.phase
    before = {who: len(frames(table, who)) for who in (*people, None)}
    await say(world, seat, f"I nominate number {target}.")
    (frame,) = offered(world, table, speaker).values()
    assert frame == {
        "type": "proposal",
        "id": 1,
        "phase": phase,
        "until": pytest.approx(table.now() + OFFER_S, abs=0.01),
        "command": {"do": "nominate", "target": target},
    }
    for who in people:
        if who != speaker:
            assert not offered(world, table, who)
    assert {who: len(frames(table, who)) - 1 for who in (*people, None)} == before, "the line alone is news"
    await world.clock.advance(OFFER_S + 1)
    assert not events(table, None, "nominated"), "what nobody has tapped is not done"
    assert (await world.order(table, speaker, **frame["command"]))["type"] == "done"


async def test_moderators_and_the_log_know_nothing_of_an_offer(world: World) -> None:
    table, _, _, seat = await speaking(world)
    watcher = Outlet()
    table.attach(None, watcher)
    entries = len(await world.store.read_log(table.id))
    await say(world, seat, f"I nominate number {other_than(seat)}. Thank you.")
    assert not [key for key in watcher.moment if key.startswith("proposal")]
    assert len(await world.store.read_log(table.id)) == entries + 1


async def test_russian_is_heard_at_a_russian_table(world: World) -> None:
    table, people = await world.dealt(people=10, lang="ru")
    speaker = await at_the_seat_of(world, table, people)
    await world.clock.advance(5.0)
    seat = table.people[speaker].seat
    assert seat is not None
    await say(world, seat, "Выставляю номер один, спасибо за внимание.")
    assert commands(world, table, speaker) == [{"do": "nominate", "target": 1}, {"do": "pass"}]
    await say(world, seat, "I nominate number two.")
    assert commands(world, table, speaker) == [{"do": "nominate", "target": 1}, {"do": "pass"}]


async def test_thank_you_offers_the_end_of_the_speech(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    await say(world, seat, "Number three is red. Thank you.")
    assert commands(world, table, speaker) == [{"do": "pass"}]
    assert table.running is not None
    assert table.running.play.game.phase.seat == seat


async def test_a_claim_is_offered_where_the_deck_has_the_card(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    await say(world, seat, "I am the detective.")
    assert commands(world, table, speaker) == []
    await say(world, seat, "I am the dawn.")
    assert commands(world, table, speaker) == [{"do": "say", "kind": "claim", "card": "don"}]


async def test_what_the_rules_would_not_take_is_not_offered(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    await say(world, seat, "I nominate number thirteen.")
    assert commands(world, table, speaker) == []
    await world.order(table, speaker, do="nominate", target=other_than(seat))
    await say(world, seat, f"I nominate number {seat}.")
    assert commands(world, table, speaker) == []


async def test_an_offer_that_the_rules_would_not_take_any_more_is_taken_back(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    await say(world, seat, f"I nominate number {seat}. Thank you.")
    assert len(commands(world, table, speaker)) == 2
    await world.order(table, speaker, do="nominate", target=other_than(seat))
    assert commands(world, table, speaker) == [{"do": "pass"}]
    gone = offered(world, table, speaker)["nominate"]
    assert gone == {"type": "proposal", "id": 1, "command": None}


async def test_an_offer_ends_with_its_phase(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    await say(world, seat, f"I nominate number {seat}.")
    await world.order(table, speaker, do="pass")
    assert commands(world, table, speaker) == []


async def test_a_line_of_an_earlier_minute_offers_nothing_in_this_one(world: World) -> None:
    table, people, speaker, seat = await speaking(world)
    spoken = world.clock.now()
    await world.order(table, speaker, do="pass")
    next_speaker = next(who for who in people if table.people[who].seat == seat % 10 + 1)
    world.ears[-1].say(seat, f"I nominate number {seat}. Thank you.", spoken - 2.0, spoken)
    await world.settle()
    assert frames(table, speaker)[-1]["type"] == "line"
    assert not offered(world, table, speaker)
    assert not offered(world, table, next_speaker)


async def test_in_open_talk_nothing_is_offered(world: World) -> None:
    table, people = await world.dealt(people=7, ruleset="party", seats=7)
    assert table.running is not None
    play = table.running.play
    await world.until(table, lambda: play.game.phase.name == "discussion")
    await world.clock.advance(2.0)
    for who in people:
        seat = table.people[who].seat
        assert seat is not None
        if seat in play.mic:
            await say(world, seat, "Pass.")
            await say(world, seat, "I nominate number one. Thank you.")
    assert not any(offered(world, table, who) for who in people)


async def test_text_that_may_change_is_offered_once_two_hypotheses_agree_and_once_alone(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    target = other_than(seat)
    ears = world.ears[-1]
    ears.interim(seat, f"I nominate number {target}")
    await world.settle()
    assert not offered(world, table, speaker)
    ears.interim(seat, f"I nominate number {target} because he")
    await world.settle()
    (first,) = offered(world, table, speaker).values()
    assert first["command"] == {"do": "nominate", "target": target}
    ears.interim(seat, f"I nominate number {target} because he lied")
    await say(world, seat, f"I nominate number {target}, because he lied.")
    assert offered(world, table, speaker) == {"nominate": first}, "what was put away is not offered again by its line"
    await say(world, seat, f"I nominate number {target}.")
    (again,) = offered(world, table, speaker).values()
    assert again["id"] > first["id"], "said once more, it is offered once more"


async def test_a_whole_line_that_says_something_else_takes_the_early_offer_back(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    for number, whole, left in (
        (1, "I nominate number nine.", [{"do": "nominate", "target": 9}]),
        (2, "I know number two well.", []),
    ):
        for _ in range(2):
            world.ears[-1].interim(seat, f"I nominate number {number}")
        await world.settle()
        assert commands(world, table, speaker) == [{"do": "nominate", "target": number}]
        await say(world, seat, whole)
        assert commands(world, table, speaker) == left


async def test_a_thank_you_that_goes_on_is_taken_back(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    for text in ("Thank you", "Thank you"):
        world.ears[-1].interim(seat, text)
    await world.settle()
    assert commands(world, table, speaker) == [{"do": "pass"}]
    await say(world, seat, "Thank you for the check, number three.")
    assert commands(world, table, speaker) == []


async def test_a_bots_words_and_a_bots_seat_offer_nothing(world: World) -> None:
    table, people = await world.dealt(people=1)
    assert table.running is not None
    play = table.running.play
    mine = table.people[people[0]].seat

    def a_bot_speaks() -> bool:
        return play.game.phase.name == "speech" and play.game.phase.seat != mine

    await world.until(table, a_bot_speaks)
    seat = play.game.phase.seat
    assert seat is not None
    await say(world, seat, "I nominate number one. Thank you.")
    assert not offered(world, table, people[0])


async def test_a_page_that_is_gone_is_offered_nothing_and_nothing_fails(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    table.detach(speaker, world.outlet(table, speaker))
    await say(world, seat, "Thank you.")
    assert table.state == "running"
    assert events(table, None, "phase")[-1]["seat"] == seat


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_nobody_but_the_owner_of_the_minute_is_ever_offered_anything(tmp_path: Path, data: st.DataObject) -> None:
    """Lines and interims of all seats at any moment: an offer goes to the seat whose minute it is, of its own words."""
    said = st.sampled_from(("I nominate number {n}.", "Thank you.", "Pass.", "I am the sheriff.", "Number {n} is red."))
    acts = data.draw(
        st.lists(st.tuples(st.integers(1, 10), said, st.integers(1, 10), st.booleans(), st.integers(0, 45)), max_size=8)
    )

    async def play_it() -> None:
        world = World(tmp_path / f"{uuid.uuid4().hex}.sqlite3")
        await world.open()
        table, people = await world.dealt(people=10)
        await world.clock.advance(61.0)
        assert table.running is not None
        for seat, text, number, final, passes in acts:
            for who in people:
                world.outlet(table, who).moment.clear()
            phase = table.running.play.game.phase
            if final:
                await say(world, seat, text.format(n=number))
            else:
                for _ in range(2):
                    world.ears[-1].interim(seat, text.format(n=number))
                await world.settle()
            for who in people:
                mine = table.people[who].seat
                for command in commands(world, table, who):
                    assert mine == seat == phase.seat
                    assert table.running.play.mic == (seat,)
                    assert {**command, "seat": seat} in legal_commands(table.running.play.game, seat, (command["do"],))
            assert not events(table, None, "nominated")
            await world.clock.advance(float(passes))
        await world.close()

    asyncio.run(play_it())


def test_legal_is_what_the_rules_take_and_asking_changes_nothing() -> None:
    game, _ = Game.start("sport", seed=3)
    game.advance(60.0)
    seat = game.phase.seat
    assert seat is not None
    before = game.copy()
    assert is_legal(game, {"do": "nominate", "seat": seat, "target": 1})
    assert is_legal(game, {"do": "pass", "seat": seat})
    assert not is_legal(game, {"do": "nominate", "seat": seat, "target": 11})
    assert not is_legal(game, {"do": "pass", "seat": seat % 10 + 1})
    assert game == before


async def test_a_page_that_is_opened_anew_is_shown_what_stands(world: World) -> None:
    table, people, speaker, seat = await speaking(world)
    await say(world, seat, f"I nominate number {other_than(seat)}. Thank you.")
    before = offered(world, table, speaker)
    assert len(before) == 2
    table.attach(speaker, Outlet())
    assert offered(world, table, speaker) == before
    for who in people:
        if who != speaker:
            table.attach(who, Outlet())
            assert not offered(world, table, who)
    watcher = Outlet()
    table.attach(None, watcher)
    assert not [key for key in watcher.moment if key.startswith("proposal")]


async def test_a_page_that_is_opened_anew_is_not_asked_again_what_it_has_answered(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    await say(world, seat, "I am the sheriff. Thank you.")
    await world.order(table, speaker, do="say", kind="claim", card="sheriff")
    table.attach(speaker, Outlet())
    assert commands(world, table, speaker) == [{"do": "pass"}]
    await world.clock.advance(OFFER_S)
    table.attach(speaker, Outlet())
    assert commands(world, table, speaker) == [], "its time is up"


async def test_a_line_offers_again_what_was_offered_early_and_has_gone_meanwhile(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    start_s = world.clock.now()
    for _ in range(2):
        world.ears[-1].interim(seat, "I am the sheriff", start_s)
    await world.settle()
    (early,) = offered(world, table, speaker).values()
    await world.clock.advance(OFFER_S + 1.0)
    world.ears[-1].say(seat, "I am the sheriff and nobody else is.", start_s, start_s + 11.0)
    await world.settle()
    (again,) = offered(world, table, speaker).values()
    assert again["id"] > early["id"]
    assert again["command"] == early["command"]


async def test_words_begun_before_the_own_minute_offer_nothing_early(world: World) -> None:
    table, _, speaker, seat = await speaking(world)
    assert table.running is not None
    begun_s = table.running.clock.when(table.running.play.phase_since) - 5.0
    for _ in range(2):
        world.ears[-1].interim(seat, "I am the sheriff", begun_s)
    await world.settle()
    assert not offered(world, table, speaker)
