"""Logs as they are read back, and those that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.review import LogError, read_log, review
from engine.review.log import FORMS, event_of
from engine.view import MODERATORS_ONLY, NAMED, OWN, PUBLIC
from tests.engine.review.games import RULESETS, by_lot, made

DEAL = {"t": 0.0, "event": "dealt", "to": [1], "seat": 1, "card": "civilian"}


def lines(*events: Any) -> bytes:
    return "\n".join(json.dumps(event) for event in events).encode()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_log_read_back_is_the_log(ruleset: str) -> None:
    events = by_lot(ruleset, 1)
    assert [event.to_json() for event in read_log(lines(*events))] == list(events)


def test_every_event_and_field_that_a_view_knows_has_a_form() -> None:
    known = PUBLIC | NAMED | OWN | MODERATORS_ONLY
    assert set(FORMS) == set(known)
    for name, fields in known.items():
        assert set(fields) == set(FORMS[name]), name


def test_empty_lines_are_passed_over() -> None:
    assert len(read_log(b"\n" + lines(DEAL) + b"\r\n\n")) == 1


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (b"{", "line 2: not JSON"),
        (b"\xff", "line 2: not UTF-8: byte 0"),
        (b"[" * 100_000, "line 2: not"),
        (b"3", "line 2: expected an event, not 3"),
        (b"{}", "line 2: an event without 'event'"),
        (b'{"event": "dance"}', "line 2: unknown event 'dance'"),
        (b'{"event": ["day"]}', "line 2: unknown event"),
        (b'{"t": NaN, "event": "day"}', "line 2: not JSON: NaN"),
        (b'{"t": -1, "event": "day", "to": "all", "number": 1}', "line 2: 'day': 't' must be"),
        (b'{"t": 1' + b"0" * 400 + b', "event": "day", "to": "all", "number": 1}', "line 2: 'day': 't' must be"),
        (b'{"t": 1e999, "event": "day", "to": "all", "number": 1}', "line 2: 'day': 't' must be"),
        (b'{"t": true, "event": "day", "to": "all", "number": 1}', "line 2: 'day': 't' must be"),
        (b'{"t": 1, "event": "day", "to": "some", "number": 1}', "line 2: 'day': 'to' must be"),
        (b'{"t": 1, "event": "day", "to": "all"}', "line 2: 'day' needs 'number'"),
        (b'{"t": 1, "event": "day", "to": "all", "number": "1"}', "line 2: 'day': 'number' can't be '1'"),
        (b'{"t": 1, "event": "votes", "to": "all", "round": 1, "votes": {"a": 1}}', "line 2: 'votes': 'votes'"),
        (b'{"t": 1, "event": "left", "to": "all", "seat": 1, "how": "bored"}', "line 2: 'left': 'how'"),
        (b'{"t": 1, "event": "pick", "to": [1], "seat": 0, "target": 1}', "line 2: 'pick': 'seat' can't be 0"),
    ],
)
def test_a_broken_line_is_named(second: bytes, why: str) -> None:
    with pytest.raises(LogError) as error:
        read_log(lines(DEAL) + b"\n" + second)
    assert str(error.value).startswith(why)
    assert "\n" not in str(error.value)


def test_nothing_is_no_log() -> None:
    with pytest.raises(LogError, match="no events"):
        read_log(b" \n")
    with pytest.raises(LogError, match="no events"):
        review([])


def altered(change: dict[int, Any] | None = None, insert: tuple[int, dict[str, Any]] | None = None) -> list[Any]:
    events = [dict(event) for event in made({"wait": 130})]
    for index, fields in (change or {}).items():
        events[index] |= fields
    if insert is not None:
        events.insert(*insert)
    return events


@pytest.mark.parametrize(
    ("events", "why"),
    [
        (altered()[1:], "event 1: expected the card of seat 1, not of seat 2"),
        (altered()[10:], "event 1: 'night' before the deal"),
        (altered(insert=(11, DEAL)), "event 12: a second deal"),
        (altered({12: {"t": 500.0}}), "event 14: .* comes after 500 s"),
        (altered({5: {"team": [5, 6, 8]}}), "event 6: the team is"),
        (altered({0: {"team": [5, 6, 7]}}), "event 1: seat 1 is told a team"),
        (altered({0: {"card": "don"}}), "cards are those of no ruleset"),
        (altered(insert=(20, {"t": 130, "event": "left", "to": "all", "seat": 11, "how": "vote"})), "no seat 11"),
        (altered(insert=(11, {"t": 0.0, "event": "votes", "to": "all", "round": 1, "votes": {"1": 12}})), "no seat 12"),
    ],
)
def test_a_log_that_contradicts_itself_is_refused(events: list[Any], why: str) -> None:
    with pytest.raises(LogError, match=why):
        review(events)


def test_nobody_leaves_twice_and_nothing_follows_the_end() -> None:
    events = list(by_lot("sport", 1))
    left = next(event for event in events if event["event"] == "left")
    with pytest.raises(LogError, match="is not at the table"):
        review([*events[:-1], {**left, "t": events[-1]["t"]}])
    with pytest.raises(LogError, match="after the game's end"):
        review([*events, {**events[-1]}])


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("left", {"card": "doctor"}, "'left': seat . has the card '[a-z]+', not 'doctor'"),
        ("left", {"card": "x"}, "'left': seat . has the card"),
        ("over", {"cards": {"1": "x"}}, "'over': seat 1 has the card"),
        ("over", {"cards": {}}, "'over' shows 0 of 6 cards"),
        ("answer", {"answer": "sheriff"}, "which is not 'sheriff'"),
    ],
)
def test_what_is_said_of_the_cards_must_be_so(name: str, change: dict[str, Any], why: str) -> None:
    events = [dict(event) for event in by_lot("teaching", 2)]
    said = next(event for event in events if event["event"] == name)
    assert name != "left" or said["card"] != "doctor"
    said |= change
    with pytest.raises(LogError, match=why):
        review(events)


def test_cards_that_are_not_those_of_the_ruleset_told_are_refused() -> None:
    with pytest.raises(LogError, match=r"expected the cards of quick: .*; the log has 6 civilian"):
        review(made(), ruleset="quick")


def test_an_event_of_the_engine_is_taken_as_it_is() -> None:
    events = [event_of(event) for event in by_lot("quick", 2)]
    assert review(events).course.events == events
