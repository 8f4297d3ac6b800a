"""By which rules a log's game was played: found by its cards, or told."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING

from engine.errors import GameError
from engine.game import Game
from engine.numbers import Numbers, limits, read
from engine.review.log import LogError
from engine.rulesets import names, ruleset
from engine.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from engine.review.course import Course


@dataclass(frozen=True, slots=True)
class Played:
    """A ruleset with its options. deck: how many of each card. colour: of each card, `red` or `black`.

    result: whose win is certain with so many black and so many red seats living, or None.

    told: whether the options are known; a log of events alone does not have them, and the defaults stand for them.
    """

    ruleset: str
    options: Mapping[str, object]
    numbers: Numbers
    deck: Mapping[str, int]
    colour: Mapping[str, str]
    result: Callable[[int, int], str | None]
    told: bool

    def lost_in(self, black: int, red: int) -> int | None:
        """How many red seats have to leave until the mafia has won; None where the result is certain already."""
        if not black or self.result(black, red) is not None:
            return None
        return next((gone for gone in range(1, red + 1) if self.result(black, red - gone) == "mafia"), None)


WIDEST = 20
"""Numbers that may be this far apart say how many of something there are; wider ones are times, points and limits."""


def played_by(course: Course, name: str | None, options: Mapping[str, object] | None) -> Played | None:
    """The rules of a game; None where its log ends within the deal, and nobody has told.

    Raises:
        LogError: the cards are those of no ruleset, or not of the one that is told.
        GameError: an unknown ruleset or option.
    """
    if name is not None:
        return _rules(course, name, dict(options or {}), told=options is not None)
    within_deal = all(step.event.name == "dealt" for step in course.steps)
    for candidate, guess in _candidates(len(course.cards)):
        try:
            return _rules(course, candidate, guess, told=False)
        except GameError:
            continue
    if within_deal:
        return None
    raise LogError(f"the cards are those of no ruleset: {_counted(course.cards.values())}")


def _candidates(seats: int) -> Iterable[tuple[str, dict[str, object]]]:
    for name in names():
        yield name, {"seats": seats}
    for name in names():  # another number than that of the seats may say which cards there are
        table = ruleset(name).numbers_type
        for entry in fields(table):
            low, high = limits(table, entry.name) or (0, 0)
            if entry.name != "seats" and high - low <= WIDEST:
                for value in range(int(low), int(high) + 1):
                    yield name, {"seats": seats, entry.name: value}


def _rules(course: Course, name: str, options: dict[str, object], told: bool) -> Played:
    rules = ruleset(name)
    numbers = read(rules.numbers_type, options)
    deck = rules.deck(numbers)
    if len(course.cards) < len(deck) and all(step.event.name == "dealt" for step in course.steps) and told:
        pass  # a log that ends within the deal
    elif Counter(course.cards.values()) != Counter(deck):
        raise LogError(f"expected the cards of {name}: {_counted(deck)}; the log has {_counted(course.cards.values())}")
    black = tuple(seat for seat, card in course.cards.items() if card in rules.mafia_cards)
    if course.team and black != course.team and len(course.cards) == len(deck):
        raise LogError(f"the team is told as {list(course.team)}; by the cards it is {list(black)}")
    colour = {card: "black" if card in rules.mafia_cards else "red" for card in deck}
    result = _result(name, tuple(sorted(deck)), options)
    return Played(name, options, numbers, Counter(deck), colour, result, told)


def _counted(cards: Iterable[str]) -> str:
    counts = Counter(cards)
    return ", ".join(f"{counts[card]} {card}" for card in sorted(counts))


def _result(name: str, deck: tuple[str, ...], options: Mapping[str, object]) -> Callable[[int, int], str | None]:
    """Asks the ruleset itself whose win is certain with so many black and red seats living."""
    rules = ruleset(name)
    state = Game.start(name, options, 0, deck)[0].state
    black = [seat for seat, card in enumerate(deck, start=1) if card in rules.mafia_cards]
    red = [seat for seat, card in enumerate(deck, start=1) if card not in rules.mafia_cards]

    @cache
    def result(black_living: int, red_living: int) -> str | None:
        state.living = sorted(black[:black_living] + red[:red_living])
        return rules.winner(Table(state, rules))

    return result
