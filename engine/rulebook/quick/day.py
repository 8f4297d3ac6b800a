"""Quick Mafia: the day."""

from __future__ import annotations

from engine.rulebook import shared
from engine.rulebook.rule import Rule, Section, Words

DAY = Section(
    "day",
    Words("The day", "День"),
    (
        Rule(
            "quick.day.discussion",
            Words("The discussion", "Обсуждение"),
            Words(
                "All living players talk freely for {discussion_s|second|seconds}, every microphone of theirs open. "
                "Lies and claims are part of the game; nobody can show a card. Then comes the vote.",
                "Все живые свободно говорят {discussion_s|секунду|секунды|секунд}, микрофоны у них открыты. Обман и "
                "заявки — часть игры; показать карту нельзя. Потом голосование.",
            ),
            "seed 001, Discuss for three minutes",
        ),
        *shared.buttons("quick"),
    ),
)
