"""What each seat could know: only what its view has shown it, and what follows from that with certainty.

A seat's view is `engine.view.view`'s, event by event. From it follow: the own card and team, answers to checks, cards
that were shown, the number of each card (everybody knows the deck), and that a game which goes on is not decided. What
follows is exact: every way the cards may lie that fits all of it is looked at, and a fact is what all of them share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.review.mind import Cards, Mind
from engine.view import view

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.review.course import Circle, Course
    from engine.review.played import Played


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


def knowledge_of(course: Course, played: Played, seat: int) -> Knowledge:
    """What `seat` could know over the game."""
    mind = Mind(played)
    known: dict[int, str] = {}
    shown: list[int] = []
    facts: list[Fact] = []
    living = list(range(1, mind.seats + 1))
    by_these_rules = _went_on(course, played)
    for step in course.steps:
        seen = view(step.event, seat)
        if seen is None:
            continue
        if step.event.to != "all":
            shown.append(step.index)
        if seen["event"] == "left":
            living.remove(step.fields["seat"])
        went_on = by_these_rules and seen["event"] in ("night", "day") and mind.goes_on(living)
        if not (_take(mind, seen, seat) or went_on):
            continue
        for about, now in mind.certain().items():
            if known.get(about) != now and about in course.cards:
                known[about] = now
                how = mind.how[about] if mind.says_itself(about, now) else "deduced"
                facts.append(Fact(step.index, step.t, step.stage.circle, about, now, how, course.cards[about]))
    return Knowledge(seat, tuple(shown), tuple(facts))


def _went_on(course: Course, played: Played) -> bool:
    """Whether the game went on only where it may, by these rules; else their options are not the game's."""
    for step in course.named("night", "day"):
        black = sum(course.is_black(seat) for seat in step.living)
        if played.result(black, len(step.living) - black) is not None:
            return False
    return True


def _take(mind: Mind, seen: Mapping[str, Any], seat: int) -> bool:
    """Takes in what was shown; returns whether it is new."""
    match seen["event"]:
        case "dealt":
            new = mind.learn(seat, mind.cards([seen["card"]]), "own")
            for about in range(1, mind.seats + 1) if "team" in seen else ():
                new |= mind.learn(about, mind.of_colour("black" if about in seen["team"] else "red"), "team")
            return new
        case "answer":
            return mind.learn(seen["target"], _answered(mind, seen["answer"]), "check")
        case "left":
            return "card" in seen and mind.learn(seen["seat"], mind.cards([seen["card"]]), "shown")
        case "over":
            new = False
            for about, card in seen["cards"].items():
                new |= mind.learn(int(about), mind.cards([card]), "shown")
            return new
        case _:
            return False


def _answered(mind: Mind, answer: str) -> Cards:
    """The cards that a check's answer leaves open."""
    match answer:
        case "red" | "not_mafia":
            return mind.of_colour("red")
        case "black" | "mafia":
            return mind.of_colour("black")
        case "sheriff":
            return mind.cards(["sheriff"])
        case _:
            return mind.but("sheriff")
