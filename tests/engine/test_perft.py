"""Perft: the stored counts of outcomes of fixed positions, and the moves that they are counted by."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Game
from engine.legal import CANDIDATES, legal_commands, legal_moves
from engine.perft import MOVES, Outcomes, frozen, perft
from tests.engine.driver import acts, starts
from tests.engine.facts import RULESETS
from tests.engine.follower import Follower
from tests.engine.model import universe
from tests.engine.perft_positions import count, positions, title

CARDS = ["civilian", "civilian", "sheriff", "civilian", "don", "mafia", "mafia", "civilian", "civilian", "civilian"]


@pytest.mark.parametrize("position", positions(), ids=title)
def test_the_outcomes_are_those_that_are_stored(position: dict[str, Any]) -> None:
    """`python -m tests.engine.perft_positions --write` counts them anew, where a rule is meant to have changed."""
    assert count(position) == position["counts"]


def test_every_ruleset_has_positions() -> None:
    assert {position["ruleset"] for position in positions()} == set(RULESETS)
    assert len({title(position) for position in positions()}) == len(positions())


def test_counts_that_can_be_counted_by_hand() -> None:
    """The agreement: the don names one of ten seats, one of three black seats says ok, or the minute passes."""
    game, _ = Game.start("sport", cards=CARDS)
    before = copy.deepcopy(game)
    # An `ok` that ends nothing leaves no trace: ten orders, no change, the day. Told is nothing, or the day.
    assert perft(game, 1) == [Outcomes(paths=14, states=12, logs=2)]
    assert game == before
    game, _ = Game.start("quick", {"seats": 6}, cards=["mafia", "mafia", "town", "town", "town", "town"])
    game.advance(10 + 180 + 60)
    # Two mafia seats shoot at one of four, or the night passes. Of two picks, one may take the other's place or both
    # stand; a pick, then the night passes (the game remembers who had picked what); or the discussion passes as well.
    first, second = Outcomes(paths=8 + 1, states=8 + 1, logs=2), Outcomes(8 * 8 + 8 + 1, (8 + 16) + 8 + 1, logs=3)
    assert perft(game, 2) == [first, second]


def test_a_finished_game_has_no_outcomes() -> None:
    game, _ = Game.start("sport")
    game.advance(10_000)
    assert perft(game, 2) == [Outcomes(0, 0, 0), Outcomes(0, 0, 0)]


def test_states_are_told_apart_as_they_are_compared() -> None:
    one, _ = Game.start("sport", seed=3)
    other = copy.deepcopy(one)
    assert frozen(one.state) == frozen(other.state)
    for game, order in ((one, (4, 5)), (other, (5, 4))):
        game.advance(60)
        for seat in order:
            game.command({"do": "away", "seat": seat}, 60)
    assert one == other
    assert frozen(one.state) == frozen(other.state)
    other.command({"do": "back", "seat": 4}, 60)
    assert frozen(one.state) != frozen(other.state)


@pytest.mark.parametrize("ruleset", RULESETS)
@given(st.data())
@settings(max_examples=75, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_legal_commands_are_all_that_is_accepted_and_nothing_else(ruleset: str, data: st.DataObject) -> None:
    follower = Follower(data.draw(starts(ruleset)))
    for number in data.draw(acts):
        follower.act(number)
    game = follower.driven.game
    before = copy.deepcopy(game)
    seats = range(1, len(game.cards) + 1)
    generated = [command for seat in seats for command in legal_commands(game, seat)]
    assert game == before
    follower.advance(game.now)  # what is due at the present time has happened to whoever commands now
    assert all(follower.model.may(command) for command in generated)
    for command in universe(len(game.cards)):
        if command["do"] in CANDIDATES and "seat" in command and follower.model.may(command):
            assert command in generated


def test_moves_come_with_the_game_after_them() -> None:
    game, _ = Game.start("sport", cards=CARDS)
    game.advance(60)
    moves = list(legal_moves(game, [1, 2], ("nominate", "pass")))
    assert [command["do"] for command, _, _ in moves] == ["nominate"] * 10 + ["pass"]
    for command, after, events in moves:
        twin = copy.deepcopy(game)
        assert twin.command(command, 60) == events
        assert twin == after


def test_only_commands_of_some_kinds() -> None:
    game, _ = Game.start("sport", cards=CARDS)
    assert {command["do"] for command in legal_commands(game, 5)} == {"order", "ok"}
    assert legal_commands(game, 5, ["ok"]) == [{"do": "ok", "seat": 5}]
    assert legal_commands(game, 1) == []
    assert set(MOVES) < set(CANDIDATES)


def test_orders_and_signs_of_more_than_one_are_legal_where_each_is() -> None:
    game, _ = Game.start("sport", cards=CARDS)
    single = [command["seats"] for command in legal_commands(game, 5, ["order"])]
    together = [seat for seats in single for seat in seats]  # type: ignore[attr-defined]
    assert [event.name for event in game.command({"do": "order", "seat": 5, "seats": together}, 1)] == ["order"]
    game.advance(60)
    signs = [command["sentence"] for command in legal_commands(game, 2, ["sign"])]
    sentence = [sign for signs_ in signs[:5] for sign in signs_]  # type: ignore[attr-defined]
    assert [event.name for event in game.command({"do": "sign", "seat": 2, "sentence": sentence}, 60)] == ["signed"]
