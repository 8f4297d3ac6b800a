"""What a game is called with, beside commands: starting, its read-only face, its state."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from engine import Event, Game, GameError
from engine.replay import Start, refold
from engine.rulesets import ruleset
from engine.stream import Stream

CARDS = ["civilian", "civilian", "sheriff", "civilian", "don", "mafia", "mafia", "civilian", "civilian", "civilian"]


def test_a_started_game_shows_itself() -> None:
    game, events = Game.start("sport", {}, 1, CARDS, bots=[2])
    assert (game.now, game.due, game.mic, game.over) == (0.0, 60.0, (), False)
    assert (game.phase.name, game.phase.seat, game.phase.ends, game.phase.number) == ("agreement", None, 60.0, 1)
    assert game.living == tuple(range(1, 11))
    assert game.cards == tuple(CARDS)
    assert game.bots == {2}
    assert len(events) == 12


def test_phases_are_counted_and_the_microphone_follows() -> None:
    game, _ = Game.start("sport", cards=CARDS)
    game.advance(130)
    assert (game.phase.name, game.phase.seat, game.phase.number, game.mic) == ("speech", 2, 3, (2,))
    game.advance(10_000)
    assert game.over
    assert game.due is None
    assert game.mic == tuple(range(1, 11))
    assert game.advance(20_000) == []


def test_due_counts_the_absent() -> None:
    game, _ = Game.start("sport", {"away_s": 30}, cards=CARDS)
    game.command({"do": "away", "seat": 4}, 10)
    assert game.due == 40.0
    assert [event.name for event in game.advance(40)] == ["bot"]
    assert game.bots == {4}
    assert game.due == 60.0


def test_the_deal_is_the_seeds() -> None:
    decks = {Game.start("sport", seed=seed)[0].cards for seed in range(50)}
    assert len(decks) > 45
    assert Game.start("sport", seed=7)[0] == Game.start("sport", seed=7)[0]
    assert all(sorted(deck) == sorted(CARDS) for deck in decks)


def test_the_stream_of_chance_is_the_published_one() -> None:
    """The first outputs of SplitMix64 from state 1234567, as its authors' reference code gives them."""
    stream = Stream(1234567)
    assert [stream.next() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("seed", [-1, 0, 2**64, 10**100])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    assert sorted(Game.start("sport", seed=seed)[0].cards) == sorted(CARDS)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"ruleset": "chess"}, "chess"),
        ({"ruleset": None}, "None"),
        ({"seed": "1"}, "seed"),
        ({"seed": True}, "seed"),
        ({"cards": CARDS[1:]}, "cards"),
        ({"cards": [*CARDS[1:], "mafia"]}, "cards"),
        ({"cards": [*CARDS[1:], 5]}, "cards"),
        ({"cards": []}, "cards"),
        ({"bots": [0]}, "seat 0"),
        ({"bots": [True]}, "True"),
        ({"bots": ["1"]}, "1"),
        ({"bots": [1, 1]}, "twice"),
        ({"bots": 5}, "5"),
    ],
)
def test_a_game_that_cannot_start_says_why_in_one_line(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(GameError) as caught:
        Game.start(**{"ruleset": "sport", **arguments})
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("t", [float("nan"), float("inf"), float("-inf")])
def test_a_time_must_be_finite(t: float) -> None:
    game, _ = Game.start("sport", cards=CARDS)
    with pytest.raises(ValueError, match="finite"):
        game.advance(t)
    with pytest.raises(ValueError, match="finite"):
        game.command({"do": "ok", "seat": 5}, t)


@pytest.mark.parametrize(
    ("command", "to", "do"),
    [
        ({"do": "vote", "seat": 3}, (3,), "vote"),
        ({"do": "dance", "seat": 3}, (3,), "dance"),
        ({"do": "vote", "seat": 11, "target": 1}, (), "vote"),
        ({"do": "vote", "seat": True, "target": 1}, (), "vote"),
        ({"do": "vote", "target": 1}, (), "vote"),
        ({"do": "line", "seat": 3}, (), "line"),
        ({"do": "ruling", "line": "x", "uphold": True}, (), "ruling"),
        ({"do": "ruling", "seat": 3, "line": "x", "uphold": True}, (), "ruling"),
        ({"do": "pass", "seat": 3, "why": "?"}, (3,), "pass"),
        ({"do": ["line"], "seat": 3}, (3,), None),
        ({"seat": 3}, (3,), None),
        ({}, (), None),
        ([], (), None),
        (None, (), None),
    ],
)
def test_a_malformed_command_is_refused_to_its_seat_or_to_moderators(
    command: Any, to: tuple[int, ...], do: str | None
) -> None:
    game, _ = Game.start("sport", cards=CARDS)
    before = copy.deepcopy(game)
    (event,) = game.command(command, 0)
    assert (event.name, event.to, event.fields.get("do")) == ("refused", to, do)
    assert isinstance(event.fields["why"], str)
    assert "\n" not in event.fields["why"]
    assert game == before


def test_a_copy_goes_its_own_way() -> None:
    game, _ = Game.start("sport", cards=CARDS)
    twin = copy.deepcopy(game)
    assert twin == game
    game.command({"do": "order", "seat": 5, "seats": [1]}, 1)
    assert twin != game
    twin.command({"do": "order", "seat": 5, "seats": [1]}, 1)
    assert twin == game


def test_refolding_goes_on_where_the_inputs_stop() -> None:
    start = Start("sport", {"speech_s": 10}, 3)
    game, events = start.game()
    inputs: list[Any] = [
        (60.0, None),
        (61.0, {"do": "pass", "seat": 1}),
        (62.5, {"do": "nominate", "seat": 2, "target": 9}),
    ]
    for t, command in inputs:
        events += game.advance(t) if command is None else game.command(command, t)
    again, told = refold(start, inputs)
    assert again == game
    assert told == events
    assert again.advance(1000) == game.advance(1000)


def test_stored_events_are_json() -> None:
    event = Event(1.5, "dealt", (2,), {"seat": 2, "card": "don", "team": [2, 3]})
    assert event.to_json() == {"t": 1.5, "event": "dealt", "to": [2], "seat": 2, "card": "don", "team": [2, 3]}
    assert json.loads(json.dumps(Event(0.0, "night", "all", {"number": 1}).to_json()))["to"] == "all"


def test_events_do_not_change_when_the_game_goes_on() -> None:
    game, events = Game.start("sport", cards=CARDS)
    script = [
        ({"do": "order", "seat": 5, "seats": [1, 2]}, 1), ({"do": "nominate", "seat": 1, "target": 8}, 61),
        ({"do": "nominate", "seat": 2, "target": 4}, 121),
    ]  # fmt: skip
    for command, at in script:
        events += game.command(command, at)
    tied = [({"do": "vote", "seat": s, "target": 8 if s < 6 else 4}, 661) for s in range(1, 11)]
    for command, at in tied:
        events += game.command(command, at)
    before = json.dumps([event.to_json() for event in events])
    game.advance(5000)
    assert json.dumps([event.to_json() for event in events]) == before


def test_every_phase_of_the_ruleset_has_its_seconds() -> None:
    rules = ruleset("sport")
    for name in rules.steps:
        assert name == "over" or hasattr(rules.numbers_type, f"{name}_s")


@pytest.mark.parametrize("t", ["5", None, 10**400, float("nan"), float("-inf"), []])
def test_what_is_no_time_is_a_clear_error_and_changes_nothing(t: Any) -> None:
    game, _ = Game.start("sport")
    before = game.copy()
    for call in (game.advance, lambda at: game.command({"do": "ok", "seat": 1}, at)):
        with pytest.raises(ValueError, match="finite number of seconds"):
            call(t)
    assert game == before
