"""Laws of every game of every ruleset, looked for counter-examples by hypothesis."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Game
from engine.replay import Start, refold
from engine.view import view
from tests.engine.driver import OPTIONS, Act, acts, drawn_acts, drive, started, starts
from tests.engine.facts import FACTS, RULESETS
from tests.engine.follower import Follower, refused, stored
from tests.engine.laws import check_laws

GAMES = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
FEWER = settings(GAMES, max_examples=100)

CARDS = ["civilian", "civilian", "sheriff", "civilian", "don", "mafia", "mafia", "civilian", "civilian", "civilian"]

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
NAMES = [
    "order", "ok", "shoot", "check", "protect", "pass", "nominate", "vote", "lift", "best_move", "sign", "say", "floor",
    "report", "stop", "away", "back", "line", "ruling",
]  # fmt: skip
FIELDS = ["seat", "target", "seats", "yes", "sentence", "kind", "card", "line", "category", "severity", "uphold", "x"]
hostile = st.builds(
    lambda do_, fields: {"do": do_, **fields},
    st.sampled_from(NAMES) | json_values,
    st.dictionaries(st.sampled_from(FIELDS), st.integers(-1, 14) | json_values, max_size=5),
)
ODD: list[Any] = [{"do": ["line"], "seat": {}}, {"do": "say"}, None, [], "pass", {"do": "pass", "seat": 10**5000}]


@each_ruleset
@given(st.data())
@GAMES
def test_every_game_ends_and_keeps_the_laws(ruleset: str, data: st.DataObject) -> None:
    """Who lives and who votes adds up, nobody acts out of phase, no microphone is open that may not be."""
    start = data.draw(starts(ruleset))
    driven = drive(start, data.draw(acts))
    assert driven.game.over
    ledger = check_laws(driven.stored(), ruleset, start.options, start.bots)
    assert ledger.over
    assert ledger.winner is not None or ledger.abandoned


@each_ruleset
@given(st.data())
@GAMES
def test_exactly_what_the_contract_allows_is_accepted(ruleset: str, data: st.DataObject) -> None:
    """Somewhere in a game, every command with seats for fields is tried; all others are refused, changing nothing."""
    follower = Follower(data.draw(starts(ruleset)))
    for number in data.draw(acts):
        follower.act(number)
    follower.look()
    accepted = follower.look_at_every_command()
    assert (accepted > 0) != follower.driven.game.over


@each_ruleset
@given(st.data())
@GAMES
def test_the_same_inputs_give_the_same_log_and_state(ruleset: str, data: st.DataObject) -> None:
    driven = drive(data.draw(starts(ruleset)), data.draw(acts))
    game, events = refold(driven.start, driven.inputs)
    assert stored(events) == stored(driven.events)
    assert game == driven.game


@each_ruleset
@given(st.data())
@GAMES
def test_a_game_cut_anywhere_goes_on_the_same(ruleset: str, data: st.DataObject) -> None:
    whole = drive(data.draw(starts(ruleset)), data.draw(acts))
    cut = data.draw(st.integers(0, len(whole.inputs)))
    game, events = refold(whole.start, whole.inputs[:cut])
    game = copy.deepcopy(game)
    for t, what in whole.inputs[cut:]:
        events += game.advance(t) if what is None else game.command(what, t)
    assert stored(events) == stored(whole.events)
    assert game == whole.game


@each_ruleset
@given(st.data())
@FEWER
def test_being_told_the_time_more_often_changes_nothing(ruleset: str, data: st.DataObject) -> None:
    driven = drive(data.draw(starts(ruleset)), data.draw(acts))
    game, events = driven.start.game()
    for t, what in driven.inputs:
        events += game.advance((game.now + t) / 2)
        events += game.advance(t) if what is None else game.command(what, t)
    assert stored(events) == stored(driven.events)


def answer_to(follower: Follower, sent: Any) -> None:
    """Whatever is sent is answered with events that can be stored; a refusal changes nothing."""
    game = follower.driven.game
    game.advance(game.now)
    before = copy.deepcopy(game)
    made = game.command(sent, game.now)
    if refused(made):
        assert game == before
        (event,) = made
        assert set(event.fields) <= {"seat", "do", "why"}
        assert len(event.to) <= 1
        assert "\n" not in str(event.fields["why"])
    json.dumps([event.to_json() for event in made])


@each_ruleset
@given(st.data())
@GAMES
def test_whatever_is_sent_is_answered_and_a_refusal_changes_nothing(ruleset: str, data: st.DataObject) -> None:
    follower = Follower(data.draw(starts(ruleset)))
    for number in data.draw(acts)[:40]:
        follower.act(number)
    for sent in data.draw(st.lists(hostile | json_values, min_size=1, max_size=5)):
        answer_to(follower, sent)


@each_ruleset
@pytest.mark.parametrize("sent", ODD, ids=range(len(ODD)))
def test_odd_things_that_were_sent_once(ruleset: str, sent: Any) -> None:
    answer_to(Follower(started(ruleset, 1, 0)), sent)


@each_ruleset
@given(st.data())
@GAMES
def test_what_a_machine_hears_alone_never_removes(ruleset: str, data: st.DataObject) -> None:
    start = data.draw(starts(ruleset))
    lines = data.draw(
        st.lists(st.tuples(st.integers(1, 13), st.integers(0, 30), st.booleans(), st.integers(0, 999)), max_size=60)
    )
    follower = Follower(start)
    seats = len(follower.driven.game.cards)
    for seat, line, clear, wait in lines:
        severity = "clear" if clear else "likely"
        follower.advance(follower.driven.game.now + max(0, wait - 800))
        follower.do({"do": "line", "seat": 1 + seat % seats, "line": line, "category": "hate", "severity": severity})
    follower.finish()
    hows = {event.fields["how"] for event in follower.driven.events if event.name == "left"}
    assert "removal" not in hows


@each_ruleset
@given(st.data())
@FEWER
def test_a_view_shows_what_is_for_all_or_names_the_seat(ruleset: str, data: st.DataObject) -> None:
    driven = drive(data.draw(starts(ruleset)), data.draw(acts))
    for event in driven.events:
        for seat in range(1, len(driven.game.cards) + 1):
            seen = view(event, seat)
            assert (seen is not None) == (event.to == "all" or seat in event.to)
            assert seen is None or seen == {"event": event.name, "t": event.t, **event.fields}
        assert view(event, "moderator") == {"event": event.name, "t": event.t, **event.fields}


WANTED = {
    "sport": {
        "order", "nominated", "votes", "tie", "lifted", "left", "best_move", "signed", "said", "warned", "fouled",
        "held", "kept", "reported", "cleared", "vote_cancelled", "away", "back", "bot", "answer", "pick", "over",
    },
    "quick": {"votes", "tie", "left", "said", "fouled", "kept", "cleared", "pick", "abandoned", "over"},
    "teaching": {"nominated", "votes", "left", "said", "fouled", "pick", "answer", "abandoned", "over"},
    "party": {"nominated", "votes", "tie", "left", "floor", "said", "fouled", "pick", "answer", "abandoned", "over"},
}  # fmt: skip


@each_ruleset
def test_generated_games_come_everywhere(ruleset: str) -> None:
    """The properties would show little if the games were dull: every phase, event, option and ending is among them."""
    names, phases, winners, hows = set(), set(), set(), set()
    for seed in range(300):
        driven = drive(started(ruleset, seed, seed), drawn_acts(seed, 90))
        names |= {event.name for event in driven.events}
        phases |= {event.fields["name"] for event in driven.events if event.name == "phase"}
        winners |= {event.fields["winner"] for event in driven.events if event.name == "decided"}
        hows |= {event.fields["how"] for event in driven.events if event.name == "left"}
    facts = FACTS[ruleset]
    assert names >= WANTED[ruleset]
    assert phases == {*facts.phases, "over"}
    assert winners >= {"town", "mafia"} | ({"draw"} if ruleset in ("sport", "quick") else set())
    assert hows == ({"shot", "vote", "lift", "removal"} if ruleset == "sport" else {"shot", "vote"})
    assert OPTIONS[ruleset]


def test_a_time_that_goes_back_is_no_time() -> None:
    game, _ = Game.start("sport", cards=CARDS)
    game.advance(100)
    assert game.advance(50) == []
    assert game.now == 100
    made = game.command({"do": "pass", "seat": 1}, 60)
    assert {event.t for event in made} == {100.0}


def test_acts_are_told_apart() -> None:
    assert len({Act.of(number, 10) for number in range(0, 169_000, 7)}) > 10_000


def test_starts_are_valid_and_differ() -> None:
    made: list[Start] = [started(ruleset, seed, seed) for ruleset in RULESETS for seed in range(40)]
    sizes = {(start.ruleset, len(start.game()[0].cards)) for start in made}
    assert sizes == {(name, seats) for name, facts in FACTS.items() for seats in facts.seats}
