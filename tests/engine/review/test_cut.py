"""A log cut anywhere, of any game that can be driven, is reviewed; and what can't stand on a sheet is said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.review import LogError, SheetError, document, review
from tests.engine.driver import acts, drive, starts
from tests.engine.review.games import RULESETS, by_lot, do, made, shots, until

GAMES = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("ruleset", RULESETS)
@given(st.data())
@GAMES
def test_any_game_cut_anywhere_is_reviewed_truly(ruleset: str, data: st.DataObject) -> None:
    start = data.draw(starts(ruleset))
    events = drive(start, data.draw(acts)).events
    cut = data.draw(st.integers(1, len(events)))
    own = review(events[:cut], ruleset=ruleset, options=start.options)
    json.dumps(document(own))
    assert own.played is not None
    names = {event.name for event in events[:cut]}
    assert own.state == ("abandoned" if "abandoned" in names else "finished" if "over" in names else "unfinished")
    for knowledge in own.knowledge.values():
        for fact in knowledge.facts:
            assert fact.known in (fact.truth, own.played.colour[fact.truth])
    for points in (own.points or {}).values():
        assert points.outcome is not None or ruleset != "sport"
    if len(own.course.cards) == sum(own.played.deck.values()):
        own.check_sheet()
    else:
        with pytest.raises(SheetError, match="ends within the deal"):
            own.check_sheet()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_a_log_has_is_not_changed_by_what_comes_after(ruleset: str) -> None:
    """The facts, votes and fouls of a log cut short are the first ones of the whole."""
    events = by_lot(ruleset, 5)
    whole = review(events)
    for cut in range(len(whole.course.cards) + 1, len(events), 7):
        part = review(events[:cut])
        for seat, knowledge in part.knowledge.items():
            longer = [fact for fact in whole.knowledge[seat].facts if fact.index < cut]
            assert list(knowledge.facts) == longer
        assert whole.ballots[: len(part.ballots)][:-1] == part.ballots[:-1]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_ruleset_is_found_by_the_cards(ruleset: str) -> None:
    own = review(by_lot(ruleset, 2))
    assert own.played is not None
    assert own.played.ruleset == ruleset
    assert own.code() is None


def test_a_log_that_ends_within_the_deal_has_no_ruleset_yet() -> None:
    own = review(made()[:4])
    assert (own.played, own.state, own.acts, own.points) == (None, "unfinished", [], None)
    assert document(own)["ruleset"] is None
    with pytest.raises(SheetError, match="ends within the deal, with 4 cards"):
        own.check_sheet()


def test_seven_seats_with_two_mafia_are_found_as_well() -> None:
    cards = ["mafia", "mafia", "detective", "doctor", "town", "town", "town"]
    events = made(ruleset="party", cards=cards, options={"seats": 7, "second_mafia_seats": 7})
    own = review(events)
    assert own.played is not None
    assert own.played.ruleset == "party"


KILLED = [*shots(9), until("best_move"), do("best_move", 9, seats=[5, 6, 7]), until("speech")]


def tampered(**changes: Any) -> list[dict[str, Any]]:
    events = made(*KILLED)
    best_move = next(event for event in events if event["event"] == "best_move")
    best_move |= changes
    return events


@pytest.mark.parametrize(
    ("events", "why"),
    [
        (tampered(seat=1), "is the first-killed seat's; seat 1 is not"),
        (tampered(seats=[1, 2, 3, 4]), "at most 3 seats; seat 9 names"),
        (tampered(seats=[1, 1]), "different seats"),
        (tampered(seats=[9]), "the own seat"),
    ],
)
def test_a_best_move_that_can_not_be_is_refused_by_the_sheet(events: list[Any], why: str) -> None:
    review(made(*KILLED)).check_sheet()
    with pytest.raises(SheetError, match=why):
        review(events).check_sheet()


def test_the_sheet_has_one_first_killed_who_left_by_night() -> None:
    events = made(*KILLED)
    left = next(index for index, event in enumerate(events) if event["event"] == "left")
    two = [*events[: left + 1], {**events[left], "seat": 1}, *events[left + 1 :]]
    with pytest.raises(SheetError, match="one first-killed seat"):
        review(two).check_sheet()
    named = next(event for event in events if event["event"] == "best_move")
    again = [*events, {**named, "t": events[-1]["t"]}]
    with pytest.raises(SheetError, match="one best move"):
        review(again).check_sheet()


def test_a_best_move_of_a_seat_that_has_left_is_refused_by_the_sheet() -> None:
    events = made(until("speech", 1), *[do("sign", 8, sentence=["red"])] * 7, *KILLED)
    review(events).check_sheet()
    next(event for event in events if event["event"] == "best_move")["seats"] = [1, 8]
    with pytest.raises(SheetError, match=r"living seats; seat 9 names \[8\]"):
        review(events).check_sheet()


def test_cards_of_no_club_are_refused_at_once() -> None:
    events = made()
    events[0] = {**events[0], "card": "sheriff"}
    with pytest.raises(LogError, match="those of no ruleset: 5 civilian, 1 don, 2 mafia, 2 sheriff"):
        review(events)
