"""Teaching Mafia: how the game ends."""

from __future__ import annotations

from engine.rulebook import shared
from engine.rulebook.rule import Rule, Section, Words

END = Section(
    "end",
    Words("How the game ends", "Конец игры"),
    (
        Rule(
            "teaching.end.town",
            Words("The town wins", "Победа города"),
            Words(
                "The town wins when the mafia has left.",
                "Город победил, когда мафия ушла из-за стола.",
            ),
            "seed 003, Winning",
        ),
        Rule(
            "teaching.end.mafia",
            Words("The mafia win", "Победа мафии"),
            Words(
                "The mafia wins when no more than {mafia_wins_at|other player is|other players are} left, so that the "
                "town cannot outvote it.",
                "Мафия победила, когда кроме неё осталось не больше, чем {mafia_wins_at|игрок|игрока|игроков}, и "
                "город её уже не переголосует.",
            ),
            "seed 003, Winning",
        ),
        *shared.over("teaching"),
        *shared.stop("teaching"),
    ),
)
