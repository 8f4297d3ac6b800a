"""What each seat could know: only what its view has shown it, and what follows from that with certainty.

A seat's view is `engine.view.view`'s, event by event. From it follow: the own card and team, answers to checks, cards
that were shown, the number of each card (everybody knows the deck), and that a game which goes on is not decided. What
follows is exact: every way the cards may lie that fits all of it is looked at, and a fact is what all of them share.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from engine.view import view

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.review.course import Circle, Course
    from engine.review.played import Played

COLOURS = ("red", "black")


@dataclass(frozen=True, slots=True)
class Fact:
    """Something a seat is certain of from the event `index` (from 0) on, for good.

    about: the seat it concerns. known: a card, or `red` or `black`. how: `own`, `team`, `check`, `shown`, or
    `deduced` where it follows from several of these. truth: the card that seat really holds.
    """

    index: int
    t: float
    circle: Circle | None
    about: int
    known: str
    how: str
    truth: str

    def to_json(self) -> dict[str, object]:
        """Every field by its name; `circle` is left out."""
        return {
            "index": self.index, "t": self.t, "about": self.about,
            "known": self.known, "how": self.how, "truth": self.truth,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What one seat could know over a game.

    shown: the indexes (from 0) of the events that its view has and that are not for all. facts: in order.
    """

    seat: int
    shown: tuple[int, ...]
    facts: tuple[Fact, ...]

    def at(self, index: int) -> dict[int, str]:
        """What the seat is certain of after the event `index`: by seat, a card where it knows it, else a colour."""
        return {fact.about: fact.known for fact in self.facts if fact.index <= index}

    def views(self, course: Course, index: int) -> list[dict[str, object]]:
        """All that was shown to the seat up to and with the event `index`, as its client got it."""
        seen = (view(step.event, self.seat) for step in course.steps[: index + 1])
        return [each for each in seen if each is not None]


@dataclass(slots=True)
class _Mind:
    """The ways the cards may lie, as one seat sees it. may: the cards each seat may still hold."""

    may: dict[int, set[str]]
    how: dict[int, str] = field(default_factory=dict)
    going_on: set[tuple[int, ...]] = field(default_factory=set)

    def learn(self, seat: int, cards: set[str], how: str) -> bool:
        before = self.may.get(seat)
        if before is None or before <= cards:
            return False
        self.may[seat] = before & cards
        self.how[seat] = how
        return True


def knowledge_of(course: Course, played: Played, seat: int) -> Knowledge:
    """What `seat` could know over the game."""
    cards = played.deck
    mind = _Mind({about: set(cards) for about in course.cards})
    known: dict[int, str] = {}
    shown: list[int] = []
    facts: list[Fact] = []
    living = set(course.cards)
    by_these_rules = _went_on(course, played)
    for step in course.steps:
        seen = view(step.event, seat)
        if seen is None:
            continue
        if step.event.to != "all":
            shown.append(step.index)
        if not _take(mind, seen, seat, living, played):
            continue
        if by_these_rules and seen["event"] in ("night", "day"):
            mind.going_on.add(tuple(sorted(living)))
        for about, now in _certain(mind, cards, played).items():
            if known.get(about) != now:
                known[about] = now
                how = mind.how.get(about, "deduced") if _direct(mind, about, now, played) else "deduced"
                facts.append(Fact(step.index, step.t, step.stage.circle, about, now, how, course.cards[about]))
    return Knowledge(seat, tuple(shown), tuple(facts))


def _went_on(course: Course, played: Played) -> bool:
    """Whether the game went on only where it may, by these rules; else their options are not the game's."""
    for step in course.named("night", "day"):
        black = sum(course.is_black(seat) for seat in step.living)
        if played.result(black, len(step.living) - black) is not None:
            return False
    return True


def _take(mind: _Mind, seen: Mapping[str, Any], seat: int, living: set[int], played: Played) -> bool:
    """Takes in what was shown; returns whether anything may follow from it."""
    match seen["event"]:
        case "dealt":
            new = mind.learn(seat, {seen["card"]}, "own")
            team = seen.get("team", ())
            for about in mind.may:
                if about != seat and team:
                    mind.learn(about, _of_colour(played, "black" if about in team else "red"), "team")
            return new
        case "answer":
            return mind.learn(seen["target"], _answered(played, seen["answer"]), "check")
        case "left":
            living.discard(seen["seat"])
            return "card" in seen and mind.learn(seen["seat"], {seen["card"]}, "shown")
        case "night" | "day":
            return True
        case "over":
            for about, card in seen["cards"].items():
                mind.learn(int(about), {card}, "shown")
            return True
        case _:
            return False


def _answered(played: Played, answer: str) -> set[str]:
    """The cards that a check's answer leaves open."""
    deck = set(played.colour)
    match answer:
        case "red" | "not_mafia":
            return _of_colour(played, "red")
        case "black" | "mafia":
            return _of_colour(played, "black")
        case "sheriff":
            return {"sheriff"}
        case _:
            return deck - {"sheriff"}


def _of_colour(played: Played, colour: str) -> set[str]:
    return {card for card, its in played.colour.items() if its == colour}


def _direct(mind: _Mind, about: int, now: str, played: Played) -> bool:
    """Whether what was shown of a seat says all that is known of it, without any of the other seats."""
    may = mind.may[about]
    return may == {now} if now in played.colour else {played.colour[card] for card in may} == {now}


def _certain(mind: _Mind, cards: Mapping[str, int], played: Played) -> dict[int, str]:
    """What every way the cards may lie has in common, by seat: a card, else a colour."""
    possible: dict[int, set[str]] = {about: set() for about in mind.may}
    for team in _teams(mind, cards, played):
        may = {
            about: {card for card in mind.may[about] if (played.colour[card] == "black") == (about in team)}
            for about in mind.may
        }
        if not _fits(may, cards):
            continue
        for about, its in may.items():
            for card in its - possible[about]:
                if _fits({**may, about: {card}}, cards):
                    possible[about].add(card)
    certain: dict[int, str] = {}
    for about, its in possible.items():
        colours = {played.colour[card] for card in its}
        if len(its) == 1:
            certain[about] = next(iter(its))
        elif len(colours) == 1:
            certain[about] = next(iter(colours))
    return certain


def _teams(mind: _Mind, cards: Mapping[str, int], played: Played) -> Iterator[frozenset[int]]:
    """The mafia teams that no colour and no undecided moment rules out."""
    size = sum(count for card, count in cards.items() if played.colour[card] == "black")
    sure = [about for about, may in mind.may.items() if {played.colour[card] for card in may} == {"black"}]
    open_ = [about for about, may in mind.may.items() if {played.colour[card] for card in may} == set(COLOURS)]
    for more in combinations(open_, size - len(sure)) if size >= len(sure) else ():
        team = frozenset((*sure, *more))
        if all(_undecided(team, living, played) for living in mind.going_on):
            yield team


def _undecided(team: frozenset[int], living: Sequence[int], played: Played) -> bool:
    black = sum(about in team for about in living)
    return played.result(black, len(living) - black) is None


def _fits(may: Mapping[int, set[str]], cards: Mapping[str, int]) -> bool:
    """Whether each seat can be given one of its cards (Hall's condition: as many seats as cards)."""
    kinds = list(cards)
    for size in range(1, len(kinds) + 1):
        for some in combinations(kinds, size):
            few = set(some)
            if sum(its <= few for its in may.values()) > sum(cards[card] for card in some):
                return False
    return True
