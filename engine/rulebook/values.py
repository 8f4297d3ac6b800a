"""What placeholders are filled from: the table of numbers, the deck that follows from it, and a book's own values."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from engine.numbers import limits

if TYPE_CHECKING:
    from engine.numbers import Numbers
    from engine.rulebook.rule import Book
    from engine.rulesets.base import Ruleset


def values_of(book: Book, rules: Ruleset, numbers: Numbers) -> dict[str, float]:
    """The values of a table with these numbers.

    Beside each number by its name: `count_<card>` for each card of the ruleset, `red` and `black` (cards of the town
    and of the mafia), `seats_low` and `seats_high` (how many seats the ruleset allows), `others` (all seats but one).
    """
    table: dict[str, float] = {entry.name: getattr(numbers, entry.name) for entry in fields(numbers)}
    deck = rules.deck(numbers)
    black = sum(card in rules.mafia_cards for card in deck)
    low, high = seats_range(numbers)
    counts = {f"count_{card}": float(count) for card, count in Counter(deck).items()}
    from_deck = {"red": len(deck) - black, "black": black, "seats_low": low, "seats_high": high}
    return {**table, **counts, **from_deck, "others": numbers.seats - 1, **book.values(rules, numbers)}


def seats_range(numbers: Numbers) -> tuple[int, int]:
    """How many seats a ruleset's table of numbers allows, at least and at most."""
    allowed = limits(type(numbers), "seats")
    assert allowed is not None, "seats are a number"
    low, high = allowed
    return int(low), int(high)


def decks(rules: Ruleset, numbers: Numbers) -> dict[int, Counter[str]]:
    """How many of each card there are, by number of seats, with all other numbers as they are."""
    low, high = seats_range(numbers)
    return {seats: Counter(rules.deck(replace(numbers, seats=seats))) for seats in range(low, high + 1)}
