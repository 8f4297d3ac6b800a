"""Every number of sport Mafia is one field, has the value of the rules of record, and an option overrides it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from engine import Game, GameError
from engine.numbers import listed
from engine.rulesets.sport.numbers import SportNumbers
from engine.scenario import check, play
from tests.engine.expectations import fits

CARDS = ["civilian", "civilian", "sheriff", "civilian", "don", "mafia", "mafia", "civilian", "civilian", "civilian"]

OF_RECORD = {
    "seats": 10, "away_s": 120, "signs_per_speech": 3, "signs_per_sentence": 5,
    "agreement_s": 60, "speech_s": 60, "short_speech_s": 30, "short_turn_s": 10, "vote_s": 60, "tie_speech_s": 30,
    "lift_s": 60, "shot_s": 20, "don_check_s": 20, "sheriff_check_s": 20, "best_move_s": 20, "last_word_s": 60,
    "skip_fouls": 3, "removal_fouls": 4, "short_speech_living": 4,
    "nominations": 1, "first_day_nominees": 2, "lift_barred_tied": 3, "lift_barred_living": 9,
    "best_move_seats": 3, "best_move_barred_leavers": 2, "draw_nights": 3,
    "points_win": 1.3, "points_loss": 0.3, "points_draw": 0,
    "points_best_move_3": 0.7, "points_best_move_2": 0.5, "points_removal": -0.8,
}  # fmt: skip


def test_the_numbers_of_record() -> None:
    assert listed(SportNumbers()) == OF_RECORD


def until(phase: str, seat: int | None = None) -> dict[str, Any]:
    return {"until": phase} if seat is None else {"until": phase, "seat": seat}


def do(name: str, seat: int, **more: Any) -> dict[str, Any]:
    return {"do": name, "seat": seat, **more}


def signs(seat: int, sentences: int) -> list[dict[str, Any]]:
    return [do("sign", seat, sentence=[1])] * sentences


def votes(*targets: int) -> list[dict[str, Any]]:
    return [do("vote", seat, target=target) for seat, target in enumerate(targets, start=1)]


def shots(target: int) -> list[dict[str, Any]]:
    return [do("shoot", seat, target=target) for seat in (5, 6, 7)]


def phase(name: str, t: float, ends: float, **more: Any) -> dict[str, Any]:
    return {"event": "phase", "name": name, "t": t, "ends": ends, **more}


def points(seat: int, value: float) -> tuple[str, int, float]:
    return ("points", seat, value)


FIRST_DAY = [until("speech", 1), do("nominate", 1, target=8), until("speech", 2), do("nominate", 2, target=4)]
VOTE = [*FIRST_DAY, until("vote")]
TIE = [8, 8, 8, 8, 8, 4, 4, 4, 4, 4]
LIFT = [*VOTE, *votes(*TIE), until("vote"), *votes(*TIE)]
KILL = [until("shot"), *shots(9)]
NO_BLACK = [*signs(5, 7), *signs(6, 7), *signs(7, 7), until("over")]
TOWN_WINS = [until("speech", 1), *NO_BLACK]

# by field: a value that is not of record, the steps, and what it changes
CHANGED: dict[str, tuple[float, list[dict[str, Any]], Any]] = {
    "away_s": (30, [do("away", 4)], {"event": "away", "seat": 4, "until": 30}),
    "signs_per_speech": (1, [until("speech", 1), *signs(2, 2)], {"event": "fouled", "seat": 2, "fouls": 1}),
    "signs_per_sentence": (1, [until("speech", 1), do("sign", 2, sentence=[1, 2])], {"event": "refused", "do": "sign"}),
    "agreement_s": (61, [], phase("agreement", 0, 61)),
    "speech_s": (61, [until("speech", 1)], phase("speech", 60, 121)),
    "short_speech_s": (
        31, [until("speech", 1), *signs(2, 6), until("speech", 2)], phase("speech", 120, 151, seat=2),
    ),
    "short_turn_s": (11, [until("speech", 1), *signs(2, 6), until("short_turn")], phase("short_turn", 120, 131)),
    "vote_s": (61, VOTE, phase("vote", 660, 721)),
    "tie_speech_s": (31, [*VOTE, *votes(*TIE)], phase("tie_speech", 660, 691)),
    "lift_s": (61, LIFT, phase("lift", 720, 781)),
    "shot_s": (21, [until("shot")], phase("shot", 660, 681)),
    "don_check_s": (21, [until("don_check")], phase("don_check", 680, 701)),
    "sheriff_check_s": (21, [until("sheriff_check")], phase("sheriff_check", 700, 721)),
    "best_move_s": (21, [*KILL, until("best_move")], phase("best_move", 720, 741)),
    "last_word_s": (61, [*KILL, until("last_word")], phase("last_word", 740, 801)),
    "skip_fouls": (2, [until("speech", 1), *signs(2, 5), until("short_turn")], phase("short_turn", 120, 130)),
    "removal_fouls": (2, [until("speech", 1), *signs(2, 5), until("speech", 3)], {"event": "left", "seat": 2}),
    "nominations": (
        2, [*FIRST_DAY, do("nominate", 2, target=5)], {"event": "nominated", "seat": 5, "by": 2},
    ),
    "first_day_nominees": (1, [*FIRST_DAY[:2], until("vote")], phase("vote", 660, 720)),
    "lift_barred_tied": (2, [*LIFT, {"wait": 1}], phase("shot", 720, 740)),
    "best_move_seats": (
        1, [*KILL, until("best_move"), do("best_move", 9, seats=[1, 2])], {"event": "refused", "do": "best_move"},
    ),
    "best_move_barred_leavers": (
        1, [*VOTE, *votes(*[4] * 10), *KILL, until("last_word", 9)], phase("last_word", 780, 840, seat=9),
    ),
    "draw_nights": (1, [until("over")], {"event": "decided", "winner": "draw", "t": 720}),
    "points_win": (2.5, TOWN_WINS, points(1, 2.5)),
    "points_loss": (2.5, TOWN_WINS, points(5, 1.7)),
    "points_draw": (0.7, [until("over")], points(1, 0.7)),
    "points_best_move_3": (
        1.0, [*KILL, until("best_move"), do("best_move", 9, seats=[5, 6, 7]), until("speech", 2), *NO_BLACK],
        points(9, 2.3),
    ),
    "points_best_move_2": (
        1.0, [*KILL, until("best_move"), do("best_move", 9, seats=[5, 6]), until("speech", 2), *NO_BLACK],
        points(9, 2.3),
    ),
    "points_removal": (-0.1, TOWN_WINS, points(5, 0.2)),
}  # fmt: skip
ALONG = {  # what else must be set for the number to show
    "short_speech_s": {"short_speech_living": 10},
    "lift_barred_tied": {"lift_barred_living": 10},
}
SHOWN_ELSEWHERE = {"seats", "short_speech_living", "lift_barred_living"}


def test_every_field_is_shown_to_work() -> None:
    assert set(CHANGED) | SHOWN_ELSEWHERE == {field.name for field in fields(SportNumbers)}


@pytest.mark.parametrize("name", CHANGED)
def test_an_option_of_the_same_name_overrides_it(name: str) -> None:
    value, steps, wanted = CHANGED[name]
    overridden = _play(steps, {name: value, **ALONG.get(name, {})})
    assert _shows(wanted, overridden)
    assert not _shows(wanted, _play(steps, ALONG.get(name, {}), lenient=True))


def _play(steps: list[dict[str, Any]], options: dict[str, Any], *, lenient: bool = False) -> list[dict[str, Any]]:
    scenario = {"ruleset": "sport", "cards": CARDS, "options": options, "steps": steps}
    try:
        return [event.to_json() for event in play(check(scenario))]
    except GameError:
        assert lenient  # without the option the game may never reach the phase that it is about
        return []


def _shows(wanted: Any, events: list[dict[str, Any]]) -> bool:
    if isinstance(wanted, tuple):
        _, seat, value = wanted
        return any(event["event"] == "over" and event["points"][str(seat)] == value for event in events)
    return any(fits(wanted, event) for event in events)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"speach_s": 60}, "speach_s"),
        ({"runoff": True}, "runoff"),
        ({"speech_s": "60"}, "speech_s"),
        ({"speech_s": True}, "speech_s"),
        ({"speech_s": None}, "speech_s"),
        ({"speech_s": -1}, "speech_s"),
        ({"speech_s": float("nan")}, "speech_s"),
        ({"speech_s": float("inf")}, "speech_s"),
        ({"speech_s": 10**400}, "speech_s"),
        ({"draw_nights": 0}, "draw_nights"),
        ({"draw_nights": 2.5}, "draw_nights"),
        ({"skip_fouls": False}, "skip_fouls"),
        ({"points_win": "much"}, "points_win"),
        ({"points_win": float("nan")}, "points_win"),
        ({"seats": 9}, "seats"),
        ({"seats": 11}, "seats"),
        ({"seats": 10.0}, "seats"),
        ({5: 1}, "5"),
    ],
)
def test_wrong_options_are_named_in_one_line(options: Any, named: str) -> None:
    with pytest.raises(GameError) as caught:
        Game.start("sport", options)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_whole_numbers_are_taken_as_seconds() -> None:
    game, _ = Game.start("sport", {"agreement_s": 5})
    assert game.due == 5.0
    assert isinstance(game.due, float)
