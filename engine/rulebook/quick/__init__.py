"""Quick Mafia's rulebook."""

from __future__ import annotations

from engine.rulebook import shared
from engine.rulebook.quick.day import DAY
from engine.rulebook.quick.end import END
from engine.rulebook.quick.night import NIGHT
from engine.rulebook.quick.table import TABLE
from engine.rulebook.quick.vote import VOTE
from engine.rulebook.rule import Book, Section, Words

BOOK = Book(
    "quick",
    Words("Quick Mafia", "Быстрая мафия"),
    (
        TABLE,
        NIGHT,
        DAY,
        VOTE,
        Section("leaving", Words("Leaving the table", "Уход из-за стола"), shared.reveal("quick")),
        Section(
            "fouls",
            Words("Fouls", "Фолы"),
            (*shared.lines("quick"), *shared.later("quick"), *shared.count("quick")),
        ),
        END,
        Section("online", Words("At an online table", "За сетевым столом"), shared.presence("quick")),
    ),
    {
        "runoff": Words("Runoff", "Дополнительный тур"),
        "draw_cycles": Words("Cycles without a leaver for a draw", "Кругов без ушедших до ничьей"),
    },
)
