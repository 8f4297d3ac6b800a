"""Party Mafia's rulebook."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.rulebook import shared
from engine.rulebook.party.day import DAY
from engine.rulebook.party.end import END
from engine.rulebook.party.night import NIGHT
from engine.rulebook.party.table import TABLE
from engine.rulebook.party.vote import VOTE
from engine.rulebook.rule import Book, Section, Words

if TYPE_CHECKING:
    from engine.rulesets.base import Ruleset
    from engine.rulesets.party.numbers import PartyNumbers


def _values(rules: Ruleset, numbers: PartyNumbers) -> dict[str, float]:
    """How many mafia there are at tables below and from `second_mafia_seats` on, as the deck has them."""
    few = replace(numbers, second_mafia_seats=numbers.seats + 1)
    many = replace(numbers, second_mafia_seats=numbers.seats)
    return {"mafia_few": rules.deck(few).count("mafia"), "mafia_many": rules.deck(many).count("mafia")}


BOOK = Book(
    "party",
    Words("Party Mafia", "Домашняя мафия"),
    (
        TABLE,
        NIGHT,
        DAY,
        VOTE,
        Section("leaving", Words("Leaving the table", "Уход из-за стола"), shared.reveal("party")),
        Section(
            "fouls",
            Words("Fouls", "Фолы"),
            (*shared.lines("party"), *shared.later("party"), *shared.count("party")),
        ),
        END,
        Section("online", Words("At an online table", "За сетевым столом"), shared.presence("party")),
    ),
    {
        "second_mafia_seats": Words("Seats from which there is a further mafia", "Мест, с которых мафиози больше"),
    },
    _values,
)
