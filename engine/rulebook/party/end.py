"""Party Mafia: how the game ends."""

from __future__ import annotations

from engine.rulebook import shared
from engine.rulebook.rule import Rule, Section, Words

END = Section(
    "end",
    Words("How the game ends", "Конец игры"),
    (
        Rule(
            "party.end.town",
            Words("The town wins", "Победа города"),
            Words(
                "The town wins when no living mafia are left.",
                "Город победил, когда живой мафии не осталось.",
            ),
            "seed 004, What are the winning conditions",
        ),
        Rule(
            "party.end.mafia",
            Words("The mafia win", "Победа мафии"),
            Words(
                "The mafia win when as many of them are living as other players: from then on they could block every "
                "vote.",
                "Мафия победила, когда её за столом столько же, сколько остальных: с этого мгновения она могла бы "
                "остановить любое голосование.",
            ),
            "seed 004, What are the winning conditions",
        ),
        *shared.over("party"),
        *shared.stop("party"),
    ),
)
