"""Quick Mafia: how the game ends."""

from __future__ import annotations

from engine.rulebook import shared
from engine.rulebook.rule import Rule, Section, Words

END = Section(
    "end",
    Words("How the game ends", "Конец игры"),
    (
        Rule(
            "quick.end.town",
            Words("The town wins", "Победа города"),
            Words(
                "The town wins when no mafia are left.",
                "Город победил, когда мафии не осталось.",
            ),
            "seed 001, The quick version",
        ),
        Rule(
            "quick.end.mafia",
            Words("The mafia win", "Победа мафии"),
            Words(
                "The mafia win when they are as many as the town players left, or more, at dawn as well as after a "
                "vote.",
                "Мафия победила, когда её осталось столько же, сколько города, или больше, — и утром, и после "
                "голосования.",
            ),
            "seed 001, The quick version",
        ),
        Rule(
            "quick.end.draw",
            Words("A draw", "Ничья"),
            Words(
                "{draw_cycles|complete cycle|complete cycles} in a row, a day and the night after it, without anybody "
                "leaving: a draw.",
                "{draw_cycles|полный круг|полных круга|полных кругов} подряд, день и ночь после него, без единого "
                "ушедшего — ничья.",
            ),
            "seed 001, End and reset; contract, other rulesets",
        ),
        *shared.over("quick"),
        *shared.stop("quick"),
    ),
)
