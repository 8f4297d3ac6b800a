"""Bots that think win clearly more than bots that don't; against each other in sport it is near even.

The seeds are fixed, so the counts are what they are; the margins are wide, so that a change of habits may move them.
"""

from __future__ import annotations

from collections import Counter

import pytest

from engine.selfplay import Kinds, play

GAMES = 60


def town_wins(
    kinds: Kinds, ruleset: str = "sport", options: dict[str, object] | None = None, games: int = GAMES
) -> float:
    winners = Counter(play(seed, ruleset, options, kinds=kinds).game.state.winner for seed in range(1000, 1000 + games))
    return winners["town"] / games


@pytest.mark.parametrize(
    ("ruleset", "options"), [("sport", {}), ("quick", {}), ("teaching", {}), ("party", {"seats": 9})]
)
def test_whoever_thinks_wins_clearly_more(ruleset: str, options: dict[str, object]) -> None:
    """Against a mafia that thinks, a town wins more by thinking; against a town that doesn't, a mafia does.

    Against a mafia that draws its acts by lot, a thinking town wins more where somebody checks. In quick nobody does,
    and such a mafia's votes tell nothing: whom the town takes out is by lot as well.
    """
    share = {
        (town, mafia): town_wins(Kinds(town, mafia), ruleset, options)
        for town in ("thinking", "random")
        for mafia in ("thinking", "random")
    }
    assert share["thinking", "thinking"] > share["random", "thinking"] + 0.10
    assert share["random", "random"] > share["random", "thinking"] + 0.03
    if ruleset != "quick":
        assert share["thinking", "random"] > share["random", "random"] + 0.15
        assert share["thinking", "random"] > share["random", "thinking"] + 0.25


def test_in_sport_thinking_decides_the_game() -> None:
    assert town_wins(Kinds("thinking", "random")) > 0.85
    assert town_wins(Kinds("random", "thinking")) < 0.15


def test_among_equals_sport_is_near_even() -> None:
    assert 0.38 < town_wins(Kinds(), games=150) < 0.62


@pytest.mark.parametrize(
    ("ruleset", "options"), [("quick", {}), ("teaching", {}), ("party", {"seats": 7}), ("party", {"seats": 9})]
)
def test_in_the_house_rulesets_both_sides_win(ruleset: str, options: dict[str, object]) -> None:
    assert 0.15 < town_wins(Kinds(), ruleset, options, games=100) < 0.80
