"""Laws of every game, looked for counter-examples by hypothesis."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import Event, Game
from engine.replay import Start, refold
from engine.view import view
from tests.engine.driver import WAITS, Act, Driven, acts, commands, decks, do, drive, starts
from tests.engine.laws import check_laws

CARDS = ["civilian", "civilian", "sheriff", "civilian", "don", "mafia", "mafia", "civilian", "civilian", "civilian"]

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
    st.dictionaries(st.sampled_from(FIELDS), st.integers(-1, 12) | json_values, max_size=5),
)


def stored(events: list[Event]) -> str:
    return "\n".join(json.dumps(event.to_json()) for event in events)


@given(starts, acts)
@settings(max_examples=150, deadline=None)
def test_every_game_keeps_the_laws_and_ends(start: Start, drawn: list[Act]) -> None:
    driven = drive(start, drawn)
    assert driven.game.over
    events = [event.to_json() for event in driven.events]
    check_laws(events)
    assert "over" in [event["event"] for event in events[-12:]] or events[-1]["event"] == "refused"


@given(starts, acts, st.lists(hostile | json_values, min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
@example(
    Start("sport"),
    [],
    [{"do": ["line"], "seat": {}}, {"do": "say"}, None, [], "pass", {"do": "pass", "seat": 10**5000}],
)
def test_whatever_is_sent_is_answered_and_a_refusal_changes_nothing(
    start: Start, drawn: list[Act], sent: list[Any]
) -> None:
    game, _ = start.game()
    for act in drawn[:40]:
        game.advance(game.now + WAITS[act[3]])
        for each in commands(game, act):
            game.command(each, game.now)
    for each in sent:
        before = copy.deepcopy(game)
        made = game.command(each, game.now)
        refused = [event for event in made if event.name == "refused"]
        if refused:
            assert game == before
            assert len(made) == 1
            assert set(refused[0].fields) <= {"seat", "do", "why"}
            assert len(refused[0].to) <= 1
        json.dumps([event.to_json() for event in made])


@given(starts, acts)
@settings(max_examples=80, deadline=None)
def test_the_same_inputs_give_the_same_bytes(start: Start, drawn: list[Act]) -> None:
    driven = drive(start, drawn)
    game, events = refold(start, driven.inputs)
    assert stored(events) == stored(driven.events)
    assert game == driven.game


@given(starts, acts, st.integers(0, 400))
@settings(max_examples=80, deadline=None)
def test_a_game_cut_anywhere_goes_on_the_same(start: Start, drawn: list[Act], cut: int) -> None:
    whole = drive(start, drawn)
    cut = min(cut, len(whole.inputs))
    game, events = refold(start, whole.inputs[:cut])
    game = copy.deepcopy(game)
    for t, what in whole.inputs[cut:]:
        events += game.advance(t) if what is None else game.command(what, t)
    assert stored(events) == stored(whole.events)
    assert game == whole.game


@given(starts, acts)
@settings(max_examples=80, deadline=None)
def test_being_told_the_time_more_often_changes_nothing(start: Start, drawn: list[Act]) -> None:
    driven = drive(start, drawn)
    game, events = start.game()
    for t, what in driven.inputs:
        middle = (game.now + t) / 2
        events += game.advance(middle)
        events += game.advance(t) if what is None else game.command(what, t)
    assert stored(events) == stored(driven.events)


@given(starts, acts)
@settings(max_examples=80, deadline=None)
def test_nobody_is_shown_what_is_not_for_them(start: Start, drawn: list[Act]) -> None:
    driven = drive(start, drawn)
    for event in driven.events:
        for seat in range(1, 11):
            seen = view(event, seat)
            assert (seen is not None) == (event.to == "all" or seat in event.to)
            if seen is not None:
                assert {"event": event.name, "t": event.t, **event.fields} == seen
        assert view(event, "moderator") is not None


PUBLIC_ACTS = st.lists(
    st.tuples(st.integers(0, 99), st.integers(1, 10), st.integers(1, 10), st.integers(0, len(WAITS) - 1)), max_size=80
)


@given(decks, st.randoms(use_true_random=False), st.integers(1, 10), PUBLIC_ACTS)
@settings(max_examples=150, deadline=None)
def test_games_that_differ_only_in_others_cards_look_the_same(
    cards: list[str], chance: Any, seat: int, drawn: list[Act]
) -> None:
    """Until a result is certain, a seat outside the mafia can't tell how the others' cards lie.

    The commands are the same in both games; `ok`, which the rules let end a night early, and agreed shots, whose
    victim the table sees, are left out.
    """
    if cards[seat - 1] in ("mafia", "don"):
        cards = [{"mafia": "civilian", "don": "civilian"}.get(card, card) for card in cards]
        others = [i for i in range(10) if i != seat - 1 and cards[i] == "civilian"][:3]
        for i, card in zip(others, ["mafia", "mafia", "don"], strict=True):
            cards[i] = card
    rest = [card for i, card in enumerate(cards) if i != seat - 1]
    chance.shuffle(rest)
    twin = [*rest[: seat - 1], cards[seat - 1], *rest[seat - 1 :]]
    first = Driven(*Start("sport", {}, 5, cards).game(), [])
    second = Driven(*Start("sport", {}, 5, twin).game(), [])
    for act in drawn:
        t = first.game.now + WAITS[act[3]]
        for driven in (first, second):
            driven.events += driven.game.advance(t)
        for what in commands(first.game, act):
            if what["do"] in ("ok", "shoot") or (what["do"], what.get("seat")) in (("check", seat), ("order", seat)):
                continue
            do(first, t, what)
            do(second, t, what)
            if first.game.state.winner or second.game.state.winner:
                return
            assert seen_by(seat, first) == seen_by(seat, second)


def seen_by(seat: int, driven: Driven) -> list[dict[str, object]]:
    return [seen for event in driven.events if (seen := view(event, seat)) is not None]


@given(
    starts, st.lists(st.tuples(st.integers(1, 10), st.integers(0, 30), st.booleans(), st.integers(0, 8)), max_size=80)
)
@settings(max_examples=80, deadline=None)
def test_what_a_machine_hears_alone_never_removes(start: Start, lines: list[tuple[int, int, bool, int]]) -> None:
    game, events = start.game()
    for seat, line, clear, wait in lines:
        severity = "clear" if clear else "likely"
        flagged = {"do": "line", "seat": seat, "line": line, "category": "hate", "severity": severity}
        events += game.command(flagged, game.now + WAITS[wait])
    events += game.advance(100_000)
    assert not [event for event in events if event.name == "left" and event.fields["how"] == "removal"]
    assert all(event.fields["fouls"] <= 3 for event in events if event.name == "fouled")
    check_laws([event.to_json() for event in events])


@given(starts, acts)
@settings(max_examples=80, deadline=None)
def test_fouls_are_what_was_given_less_what_was_taken_back(start: Start, drawn: list[Act]) -> None:
    """The count that is shown never jumps: it rises by one with each foul, and falls by at most one."""
    counts: dict[object, int] = {}
    for event in drive(start, drawn).events:
        seat, shown = event.fields.get("seat"), event.fields.get("fouls")
        if event.name == "fouled":
            counts[seat] = counts.get(seat, 0) + 1
            assert shown == counts[seat]
        elif event.name == "cleared":
            assert shown in (counts.get(seat, 0), counts.get(seat, 0) - 1)
            counts[seat] = int(str(shown))
            assert counts[seat] >= 0


def test_a_time_that_goes_back_is_no_time() -> None:
    game, _ = Game.start("sport", cards=CARDS)
    game.advance(100)
    assert game.advance(50) == []
    assert game.now == 100
    made = game.command({"do": "pass", "seat": 1}, 60)
    assert {event.t for event in made} == {100.0}
