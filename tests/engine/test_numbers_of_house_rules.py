"""The numbers of quick, teaching and party: each is one field, has the value of record, and an option overrides it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from engine import Game, GameError
from engine.numbers import listed
from engine.rulesets import ruleset
from engine.scenario import check, play
from tests.engine.expectations import fits

QUICK = ["mafia", "mafia", "town", "town", "town", "town", "town", "town"]
TEACHING = ["mafia", "detective", "doctor", "town", "town", "town"]
PARTY = ["mafia", "mafia", "detective", "doctor", "town", "town", "town", "town", "town"]
CARDS = {"quick": QUICK, "teaching": TEACHING, "party": PARTY}

OF_RECORD: dict[str, dict[str, Any]] = {
    "quick": {
        "seats": 10, "runoff": False, "recognition_s": 10, "discussion_s": 180, "vote_s": 60, "tie_speech_s": 20,
        "shot_s": 30, "draw_cycles": 2, "away_s": 120,
    },
    "teaching": {
        "seats": 6, "shot_s": 30, "check_s": 30, "protect_s": 30, "speech_s": 60, "nomination_s": 30,
        "defence_s": 30, "vote_s": 30, "mafia_wins_at": 1, "away_s": 120,
    },
    "party": {
        "seats": 13, "second_mafia_seats": 9, "shot_s": 30, "check_s": 30, "protect_s": 30, "discussion_s": 240,
        "floor_s": 30, "nomination_s": 15, "defence_s": 30, "vote_s": 60, "away_s": 120,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", OF_RECORD)
def test_the_numbers_of_record(name: str) -> None:
    assert listed(ruleset(name).numbers_type()) == OF_RECORD[name]


def do(name: str, seat: int, **more: Any) -> dict[str, Any]:
    return {"do": name, "seat": seat, **more}


def phase(name: str, length: float) -> dict[str, Any]:
    return {"event": "phase", "name": name, "lasts": length}


AWAY: tuple[list[dict[str, Any]], dict[str, Any]] = ([do("away", 4)], {"event": "away", "until": 31})
VOTE = {"until": "vote"}
TIE = [do("vote", 1, target=5), do("vote", 2, target=6), *(do("pass", seat) for seat in range(3, 9))]
TALK = [{"until": "nomination"}, do("nominate", 4, target=5)]
NOMINATED = [{"until": "nomination"}, do("nominate", 1, target=5)]
KILL = [do("shoot", 1, target=4), {"until": "speech"}, {"until": "shot"}, do("shoot", 1, target=5), {"wait": 90}]

# by ruleset and field: a value that is not of record, the steps, and what it changes
CHANGED: dict[tuple[str, str], tuple[Any, list[dict[str, Any]], dict[str, Any]]] = {
    ("quick", "away_s"): (31, *AWAY),
    ("quick", "runoff"): (True, [VOTE, *TIE], phase("tie_speech", 20)),
    ("quick", "recognition_s"): (11, [], phase("recognition", 11)),
    ("quick", "discussion_s"): (11, [{"until": "discussion"}], phase("discussion", 11)),
    ("quick", "vote_s"): (11, [VOTE], phase("vote", 11)),
    ("quick", "tie_speech_s"): (11, [VOTE, *TIE], phase("tie_speech", 11)),
    ("quick", "shot_s"): (11, [{"until": "shot"}], phase("shot", 11)),
    ("quick", "draw_cycles"): (1, [{"until": "shot"}, {"wait": 30}], {"event": "decided", "winner": "draw"}),
    ("teaching", "away_s"): (31, *AWAY),
    ("teaching", "shot_s"): (11, [], phase("shot", 11)),
    ("teaching", "check_s"): (11, [{"until": "check"}], phase("check", 11)),
    ("teaching", "protect_s"): (11, [{"until": "protect"}], phase("protect", 11)),
    ("teaching", "speech_s"): (11, [{"until": "speech"}], phase("speech", 11)),
    ("teaching", "nomination_s"): (11, [{"until": "nomination"}], phase("nomination", 11)),
    ("teaching", "defence_s"): (11, TALK, phase("defence", 11)),
    ("teaching", "vote_s"): (11, [*TALK, VOTE], phase("vote", 11)),
    ("teaching", "mafia_wins_at"): (3, KILL, {"event": "decided", "winner": "mafia"}),
    ("party", "away_s"): (31, *AWAY),
    ("party", "shot_s"): (11, [], phase("shot", 11)),
    ("party", "check_s"): (11, [{"until": "check"}], phase("check", 11)),
    ("party", "protect_s"): (11, [{"until": "protect"}], phase("protect", 11)),
    ("party", "discussion_s"): (11, [{"until": "discussion"}], phase("discussion", 11)),
    ("party", "floor_s"): (11, [{"until": "discussion"}, do("floor", 5)], {"event": "floor", "until": 101}),
    ("party", "nomination_s"): (11, [{"until": "nomination"}], phase("nomination", 11)),
    ("party", "defence_s"): (11, [*NOMINATED, {"until": "defence"}], phase("defence", 11)),
    ("party", "vote_s"): (11, [*NOMINATED, VOTE], phase("vote", 11)),
}
ALONG = {("quick", "tie_speech_s"): {"runoff": True}}
SHOWN_ELSEWHERE = {"seats", "second_mafia_seats"}


def test_every_field_is_shown_to_work() -> None:
    for name in OF_RECORD:
        shown = {field for of, field in CHANGED if of == name}
        assert shown | SHOWN_ELSEWHERE >= {field.name for field in fields(ruleset(name).numbers_type)}


@pytest.mark.parametrize(("name", "option"), CHANGED)
def test_an_option_of_the_same_name_overrides_it(name: str, option: str) -> None:
    value, steps, wanted = CHANGED[name, option]
    along = ALONG.get((name, option), {})
    assert _shows(wanted, _play(name, steps, {option: value, **along}))
    assert not _shows(wanted, _play(name, steps, along, lenient=True))


def _play(name: str, steps: list[dict[str, Any]], options: dict[str, Any], *, lenient: bool = False) -> list[Any]:
    try:
        scenario = check({"ruleset": name, "cards": CARDS[name], "options": options, "steps": steps})
        events = [event.to_json() for event in play(scenario)]
    except GameError:
        assert lenient  # without the option the game may never reach the phase that it is about
        return []
    for event in events:
        if event["event"] == "phase" and isinstance(event["ends"], float):
            event["lasts"] = event["ends"] - event["t"]  # type: ignore[operator]  # a phase's time is a number
    return events


def _shows(wanted: dict[str, Any], events: list[dict[str, Any]]) -> bool:
    return any(fits(wanted, event) for event in events)


@pytest.mark.parametrize(
    ("name", "seats", "deck"),
    [
        *(("quick", seats, {"mafia": 2, "town": seats - 2}) for seats in range(6, 11)),
        ("teaching", 6, {"mafia": 1, "detective": 1, "doctor": 1, "town": 3}),
        *(("party", seats, {"mafia": 1, "detective": 1, "doctor": 1, "town": seats - 3}) for seats in (7, 8)),
        *(("party", seats, {"mafia": 2, "detective": 1, "doctor": 1, "town": seats - 4}) for seats in range(9, 14)),
    ],
)
def test_the_cards_of_a_table(name: str, seats: int, deck: dict[str, int]) -> None:
    dealt, _ = Game.start(name, {"seats": seats}, seed=4)
    cards = [card for card, count in deck.items() for _ in range(count)]
    assert sorted(dealt.cards) == sorted(cards)
    given, _ = Game.start(name, cards=cards)
    assert (given.cards, given.numbers.seats) == (tuple(cards), seats)


def test_how_many_seats_have_a_second_mafia_is_a_number() -> None:
    assert Game.start("party", {"seats": 8, "second_mafia_seats": 8})[0].cards.count("mafia") == 2


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"ruleset": "quick", "options": {"seats": 5}}, "seats"),
        ({"ruleset": "quick", "options": {"seats": 11}}, "seats"),
        ({"ruleset": "quick", "options": {"runoff": 1}}, "runoff"),
        ({"ruleset": "quick", "options": {"floor_s": 1}}, "floor_s"),
        ({"ruleset": "quick", "options": {"seats": 7}, "cards": QUICK}, "cards"),
        ({"ruleset": "quick", "cards": QUICK[:5]}, "cards"),
        ({"ruleset": "quick", "cards": QUICK[1:]}, "cards"),
        ({"ruleset": "quick", "cards": [*QUICK, *["town"] * 3]}, "cards"),
        ({"ruleset": "teaching", "options": {"seats": 7}}, "seats"),
        ({"ruleset": "teaching", "cards": [*TEACHING, "town"]}, "cards"),
        ({"ruleset": "teaching", "options": {"runoff": True}}, "runoff"),
        ({"ruleset": "party", "options": {"seats": 6}}, "seats"),
        ({"ruleset": "party", "options": {"seats": 14}}, "seats"),
        ({"ruleset": "party", "cards": PARTY[:8]}, "cards"),
        ({"ruleset": "party", "options": {"signs_per_speech": 3}}, "signs_per_speech"),
    ],
)
def test_wrong_options_and_cards_are_named_in_one_line(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(GameError) as caught:
        Game.start(**arguments)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)
