"""Statistics of games: intervals against published values, counts against a recount, tallies that add up."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Event
from engine.selfplay import Kinds, Played, play
from engine.simulate import Z_95, Tally, ranked, rate, share, total, wilson

RANDOM = Kinds("random", "random")


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_published_intervals(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == pytest.approx((low, high), abs=0.00006)


@given(st.integers(0, 10_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_an_interval_ends_where_the_share_would_be_just_not_surprising(counted: tuple[int, int]) -> None:
    hits, of = counted
    low, high = wilson(hits, of)
    assert 0 <= low <= high <= 1
    if not of:
        assert (low, high) == (0, 1)
        return
    assert low <= hits / of <= high
    for edge in (low, high):
        if edge not in (0, 1):
            deviation = math.sqrt(edge * (1 - edge) / of)
            assert abs(hits / of - edge) == pytest.approx(Z_95 * deviation, rel=1e-6)


@given(st.lists(st.integers(0, 30), min_size=1), st.sampled_from([1, 50, 95, 99, 100]))
def test_ranks_are_those_of_the_sorted_list(values: list[int], part: int) -> None:
    assert ranked(Counter(values), part) == sorted(values)[math.ceil(part / 100 * len(values)) - 1]


def test_nothing_counted_has_no_rank_and_no_share() -> None:
    assert ranked({}, 50) is None
    assert share(0, 0) == {"count": 0, "of": 0, "rate": None}
    assert rate(1, 4) == {"count": 1, "of": 4, "rate": 0.25, "low": 0.045587, "high": 0.699358}


CARDS = {str(seat): "civilian" for seat in range(1, 11)} | {"1": "don", "2": "mafia", "3": "mafia", "4": "sheriff"}
POINTS = dict.fromkeys(CARDS, 0.3) | {"5": 1.0, "1": 1.3, "2": 1.3, "3": -0.5}
STORY: list[tuple[str, dict[str, Any]]] = [
    ("night", {"number": 1}),
    ("day", {"number": 1}),
    ("votes", {"round": 1, "votes": {"1": 5, "4": 2, "5": None, "6": 4}}),
    ("left", {"seat": 2, "how": "vote"}),
    ("answer", {"seat": 1, "target": 5, "answer": "not_sheriff"}),
    ("answer", {"seat": 4, "target": 1, "answer": "black"}),
    ("refused", {"seat": 6, "why": "no"}),
    ("morning", {"killed": 4}),
    ("left", {"seat": 4, "how": "shot"}),
    ("best_move", {"seat": 4, "seats": [1, 3, 9]}),
    ("day", {"number": 2}),
    ("left", {"seat": 7, "how": "removal"}),
    ("morning", {"killed": None}),
    ("morning", {"killed": 8}),
    ("left", {"seat": 8, "how": "shot"}),
    ("over", {"winner": "mafia", "cards": CARDS, "points": POINTS}),
]


def test_a_story_is_counted_as_it_is_told() -> None:
    tally = Tally()
    tally.add([Event(600.4, name, "all", fields) for name, fields in STORY], (1, 2, 3), commands=77)
    told = tally.summary()
    assert {side: won["count"] for side, won in told["wins"].items()} == {"town": 0, "mafia": 1, "draw": 0}
    assert told["days"] == {"mean": 2.0, "p50": 2, "p95": 2, "longest": 2}
    assert told["table_s"]["p50"] == 600
    assert told["first_night_kill"]["count"] == 1
    assert told["kills"] == {"count": 2, "of": 3, "rate": 0.666667}
    assert told["votes_for_black"] == {"count": 1, "of": 2, "rate": 0.5}
    assert told["voted_out_black"] == {"count": 1, "of": 1, "rate": 1.0}
    assert told["checks_hit"]["town"] == {"count": 1, "of": 1, "rate": 1.0}
    assert told["checks_hit"]["mafia"] == {"count": 0, "of": 1, "rate": 0.0}
    assert told["best_moves"] == {"2": 1}
    sheriff, civilian, mafia = (told["cards"][card] for card in ("sheriff", "civilian", "mafia"))
    assert sheriff["first_night"]["count"] == 1
    assert "low" in sheriff["first_night"], "one sheriff a game: independent, so with an interval"
    assert sheriff["living_at_end"]["count"] == 0
    assert sheriff["points_mean"] == 0.3
    assert (civilian["seats"], civilian["first_night"]["count"], civilian["living_at_end"]["count"]) == (6, 0, 4)
    assert "low" not in civilian["first_night"]
    assert {how: left["count"] for how, left in civilian["left"].items()} == {"removal": 1, "shot": 1}
    assert civilian["points_mean"] == pytest.approx((5 * 0.3 + 1.0) / 6, abs=1e-6)
    assert (mafia["won"]["count"], mafia["points_mean"]) == (2, 0.4)
    assert (told["commands_per_game"], told["events_per_game"], told["refused"]) == (77, len(STORY), 1)


def test_a_game_that_is_not_over_is_not_counted() -> None:
    with pytest.raises(ValueError, match="ends with 'over', not 'abandoned'"):
        Tally().add([Event(1.0, "abandoned", "all", {"by": None})], (1,), 0)


@pytest.fixture(scope="module")
def games() -> list[Played]:
    named = ("sport", "quick", "teaching", "party")
    return [play(seed, ruleset, kinds=RANDOM) for ruleset in named for seed in range(8)]


def tally_of(games: list[Played]) -> Tally:
    tally = Tally()
    for game in games:
        tally.add(game.events, game.game.state.mafia, len(game.inputs))
    return tally


def test_tallies_add_up_in_any_order(games: list[Played]) -> None:
    parts = [tally_of(games[i : i + 5]) for i in range(0, len(games), 5)]
    whole = tally_of(games)
    assert total(parts) == whole
    assert total(reversed(parts)) == whole
    assert total([]).summary()["wins"]["town"]["rate"] is None


def test_counts_are_those_of_the_games(games: list[Played]) -> None:
    tally, told = tally_of(games), tally_of(games).summary()
    assert {side: won["count"] for side, won in told["wins"].items() if won["count"]} == Counter(
        game.events[-1].fields["winner"] for game in games
    )
    assert sum(card.seats for card in tally.cards.values()) == sum(len(game.game.cards) for game in games)
    left = sum(card.left.total() for card in tally.cards.values())
    assert left == sum(len(game.game.cards) - len(game.game.living) for game in games)
    for side, won in told["wins"].items():
        if side != "draw":
            seats = sum(
                len(game.game.state.mafia) if side == "mafia" else len(game.game.cards) - len(game.game.state.mafia)
                for game in games
                if game.game.state.winner == side
            )
            assert won["count"] <= seats
    assert told["table_s"]["longest"] == max(round(game.events[-1].t) for game in games)
    assert told["refused"] == 0
