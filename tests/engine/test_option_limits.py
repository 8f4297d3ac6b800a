"""How far an option may go: both edges of every number's range are taken, and one beyond each is refused by name."""

from __future__ import annotations

import pytest

from engine import Game, GameError
from engine.numbers import listed
from tests.engine.facts import RULESETS

ANY_TIME = (0, 1_000_000)
ANY_POINTS = (-1_000_000, 1_000_000)

LIMITS: dict[str, dict[str, tuple[int, int]]] = {
    "sport": {
        "seats": (10, 10), "signs_per_speech": (0, 1000), "signs_per_sentence": (1, 100), "skip_fouls": (1, 1000),
        "removal_fouls": (1, 1000), "short_speech_living": (0, 10), "nominations": (0, 10),
        "first_day_nominees": (1, 10), "lift_barred_tied": (0, 10), "lift_barred_living": (0, 10),
        "best_move_seats": (0, 10), "best_move_barred_leavers": (1, 10), "draw_nights": (1, 1000),
    },
    "quick": {"seats": (6, 10), "draw_cycles": (1, 1000)},
    "teaching": {"seats": (6, 6), "mafia_wins_at": (0, 5)},
    "party": {"seats": (7, 13), "second_mafia_seats": (7, 14)},
}  # fmt: skip
"""Whole numbers, with the lowest and the highest that a game may be started with."""


def limits(ruleset: str) -> dict[str, tuple[int, int]]:
    """The limits of every number of a ruleset that is a number."""
    all_of_them = {}
    for name, value in listed(Game.start(ruleset)[0].numbers).items():
        if not isinstance(value, bool):
            times = ANY_TIME if name.endswith("_s") else ANY_POINTS
            all_of_them[name] = LIMITS[ruleset][name] if isinstance(value, int) else times
    return all_of_them


NUMBERS = [(ruleset, name) for ruleset in RULESETS for name in limits(ruleset)]


@pytest.mark.parametrize(("ruleset", "name"), NUMBERS)
def test_both_edges_are_taken_and_one_beyond_is_refused(ruleset: str, name: str) -> None:
    low, high = limits(ruleset)[name]
    for value in (low, high):
        assert listed(Game.start(ruleset, {name: value})[0].numbers)[name] == value
    for value in (low - 1, high + 1):
        with pytest.raises(GameError, match=name):
            Game.start(ruleset, {name: value})


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_limit_is_of_a_number(ruleset: str) -> None:
    assert set(LIMITS[ruleset]) <= set(limits(ruleset))
