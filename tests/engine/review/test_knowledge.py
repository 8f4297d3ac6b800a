"""What a seat could know: held against a search through all ways the cards may lie, and against its view."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from engine import Event
from engine.lots import play
from engine.review import review
from engine.review.log import event_of
from engine.view import view
from tests.engine.review.games import CARDS, RULESETS, all_vote, by_lot, do, made, night, puts_up, until

BLACK = {"mafia", "don"}


def ways(deck: list[str]) -> list[tuple[str, ...]]:
    """Every way the cards may lie."""
    if len(deck) <= 6:
        return sorted(set(permutations(deck)))
    found: list[tuple[str, ...]] = [()]
    for _ in deck:
        found = [(*way, card) for way in found for card in sorted(set(deck)) if way.count(card) < deck.count(card)]
    return found


def fits(way: tuple[str, ...], seen: dict[str, Any]) -> bool:
    """Whether the cards may lie so, by one thing that was seen."""
    match seen["event"]:
        case "dealt":
            team = [seat for seat, card in enumerate(way, 1) if card in BLACK]
            return way[seen["seat"] - 1] == seen["card"] and seen.get("team", team) == team
        case "answer":
            card = way[seen["target"] - 1]
            said = {
                "red": card not in BLACK, "black": card in BLACK, "mafia": card in BLACK,
                "not_mafia": card not in BLACK, "sheriff": card == "sheriff", "not_sheriff": card != "sheriff",
            }  # fmt: skip
            return said[seen["answer"]]
        case "left":
            return "card" not in seen or way[seen["seat"] - 1] == seen["card"]
        case "over":
            return all(way[int(seat) - 1] == card for seat, card in seen["cards"].items())
        case _:
            return True


def goes_on(way: tuple[str, ...], living: set[int], ruleset: str) -> bool:
    """Whether the game can go on with these seats living."""
    black = sum(way[seat - 1] in BLACK for seat in living)
    red = len(living) - black
    return black > 0 and (red > 1 if ruleset == "teaching" else black < red)


def common(found: list[tuple[str, ...]]) -> dict[int, str]:
    """What all of these ways have in common, by seat."""
    known: dict[int, str] = {}
    for seat in range(1, len(found[0]) + 1):
        cards = {way[seat - 1] for way in found}
        if len(cards) == 1:
            known[seat] = cards.pop()
        elif len({card in BLACK for card in cards}) == 1:
            known[seat] = "black" if cards <= BLACK else "red"
    return known


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", [1, 4])
def test_each_seat_knows_exactly_what_follows_from_what_it_was_shown(ruleset: str, seed: int) -> None:
    options = {"seats": {"sport": 10, "quick": 7, "teaching": 6, "party": 8}[ruleset]}
    events = play(seed, ruleset, options).events
    own = review(events, ruleset=ruleset, options=options)
    deck = [str(event.fields["card"]) for event in events if event.name == "dealt"]
    for seat in list(own.knowledge)[:: 3 if ruleset == "sport" else 1]:
        open_, living = ways(deck), set(range(1, len(deck) + 1))
        for index, event in enumerate(events):
            seen = view(event, seat)
            if seen is None:
                continue
            if seen["event"] == "left":
                living.discard(event.fields["seat"])  # type: ignore[arg-type]  # the contract's
            if seen["event"] in ("dealt", "answer", "left", "over"):
                open_ = [way for way in open_ if fits(way, seen)]
            elif seen["event"] in ("night", "day"):
                open_ = [way for way in open_ if goes_on(way, living, ruleset)]
            else:
                continue
            assert own.knowledge[seat].at(index) == common(open_), (seat, index)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_a_seat_was_not_shown_changes_nothing_of_what_it_knew(ruleset: str) -> None:
    """All private events of others are something else; what a seat knew stays the same, event for event."""
    own = review(by_lot(ruleset, 3))
    events = own.course.events
    for seat, before in own.knowledge.items():
        hidden: list[Event] = [
            event if view(event, seat) is not None or event.name == "dealt" else _disguised(event) for event in events
        ]
        after = review(hidden).knowledge[seat]
        assert [fact.to_json() for fact in after.facts] == [fact.to_json() for fact in before.facts]
        assert after.shown == before.shown


def _disguised(event: Event) -> Event:
    """Something else that the seat is not shown either, at the same time."""
    return Event(event.t, "kept", (), {"seat": 1, "line": "x", "category": "hate"})


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_seat_knows_nothing_false_and_is_shown_what_names_it(ruleset: str) -> None:
    for seed in range(5):
        own = review(by_lot(ruleset, seed))
        for seat, knowledge in own.knowledge.items():
            for fact in knowledge.facts:
                colour = "black" if fact.truth in BLACK else "red"
                assert fact.known in (fact.truth, colour)
            for step in own.course.steps:
                mine = step.event.to != "all" and seat in step.event.to
                assert (step.index in knowledge.shown) == mine


def test_a_black_check_and_what_follows_from_it() -> None:
    own = review(made(*night(1, sheriff=6), *night(2, sheriff=7), *night(4, sheriff=5)))
    facts = [(fact.about, fact.known, fact.how) for fact in own.knowledge[3].facts]
    assert facts[:3] == [(3, "sheriff", "own"), (6, "black", "check"), (7, "black", "check")]
    assert set(facts[3:]) >= {(5, "black", "check"), (1, "civilian", "deduced"), (10, "civilian", "deduced")}
    assert own.knowledge[1].at(len(own.course.steps)) == {1: "civilian"}


def test_the_don_knows_the_cards_of_the_team_and_a_mafia_only_its_colour() -> None:
    own = review(made())
    everything = len(own.course.steps)
    assert own.knowledge[5].at(everything)[6] == "mafia"
    assert own.knowledge[6].at(everything)[5] == "black"
    assert own.knowledge[6].at(everything)[1] == "red"
    assert CARDS[0] == "civilian"


def test_the_don_finds_the_sheriff() -> None:
    own = review(made(*night(1, don=4), *night(2, don=3)))
    facts = [(fact.about, fact.known, fact.how) for fact in own.knowledge[5].facts]
    assert (4, "civilian", "check") in facts
    assert (3, "sheriff", "check") in facts
    assert (8, "civilian", "deduced") in facts


def voted_out(target: int, living: list[int]) -> list[dict[str, Any]]:
    """A day on which one seat is nominated, and all vote for it."""
    return [*puts_up(living[1], target), *all_vote(dict.fromkeys(living, target)), until("last_word", target)]


def test_that_the_game_goes_on_says_how_many_black_are_left() -> None:
    """Four living seats, one of them known for black, and no end: the others are red."""
    own = review(
        made(
            *night(1, sheriff=6),
            *voted_out(5, [2, 3, 4, 5, 6, 7, 8, 9, 10]),
            *[until("shot"), do("shoot", 6, target=2), do("shoot", 7, target=2), until("last_word", 2)],
            *voted_out(7, [3, 4, 6, 7, 8, 9, 10]),
            *[until("shot"), do("shoot", 6, target=4), until("last_word", 4), until("shot")],
            *[do("shoot", 6, target=8), until("last_word", 8), until("speech")],
        )
    )
    last = own.course.named("day")[-1]
    assert last.living == (3, 6, 9, 10)
    new = {fact.about: fact for fact in own.knowledge[3].facts if fact.index == last.index}
    assert {about: (fact.known, fact.how) for about, fact in new.items()} == {
        9: ("civilian", "deduced"), 10: ("civilian", "deduced"),
    }  # fmt: skip
    assert own.knowledge[9].at(last.index) == {9: "civilian"}


def test_views_are_those_of_the_seat() -> None:
    own = review(made(do("order", 5, seats=[1, 2])))
    seen = own.knowledge[6].views(own.course, len(own.course.steps) - 1)
    assert seen[-1] == {"t": 0.0, "event": "order", "seats": [1, 2], "by": "don"}
    assert own.knowledge[1].views(own.course, len(own.course.steps) - 1)[0]["seat"] == 1
    assert all(event["event"] != "order" for event in own.knowledge[1].views(own.course, 99))


def test_all_is_known_when_the_cards_are_open() -> None:
    own = review([event_of(event) for event in by_lot("sport", 2)])
    for knowledge in own.knowledge.values():
        assert knowledge.at(len(own.course.steps)) == dict(own.course.cards)
