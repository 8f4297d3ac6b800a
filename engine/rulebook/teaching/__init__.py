"""Teaching Mafia's rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rulebook import shared
from engine.rulebook.rule import Book, Section, Words
from engine.rulebook.teaching.day import DAY
from engine.rulebook.teaching.end import END
from engine.rulebook.teaching.night import NIGHT
from engine.rulebook.teaching.table import TABLE
from engine.rulebook.teaching.vote import VOTE

if TYPE_CHECKING:
    from engine.rulesets.base import Ruleset
    from engine.rulesets.teaching.numbers import TeachingNumbers


def _values(_rules: Ruleset, numbers: TeachingNumbers) -> dict[str, float]:
    """How many votes are more than half, at a full table and with one player fewer."""
    return {"majority_all": numbers.seats // 2 + 1, "majority_less": (numbers.seats - 1) // 2 + 1}


BOOK = Book(
    "teaching",
    Words("Teaching Mafia", "Учебная мафия"),
    (
        TABLE,
        NIGHT,
        DAY,
        VOTE,
        Section("leaving", Words("Leaving the table", "Уход из-за стола"), shared.reveal("teaching")),
        Section(
            "fouls",
            Words("Fouls", "Фолы"),
            (*shared.lines("teaching"), *shared.later("teaching"), *shared.count("teaching")),
        ),
        END,
        Section("online", Words("At an online table", "За сетевым столом"), shared.presence("teaching")),
    ),
    {
        "mafia_wins_at": Words(
            "Others left when the mafia wins, at most", "Остальных, когда мафия победила, не больше"
        ),
    },
    _values,
)
