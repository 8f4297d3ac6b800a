"""Party Mafia: the day."""

from __future__ import annotations

from engine.rulebook import shared
from engine.rulebook.rule import Rule, Section, Words

DAY = Section(
    "day",
    Words("The day", "День"),
    (
        Rule(
            "party.day.discussion",
            Words("The discussion", "Обсуждение"),
            Words(
                "All living players talk freely for {discussion_s|second|seconds}: accuse, defend, claim any card, "
                "lie. Pressure, insults, and what one knows of people outside the game do not belong here. The timer "
                "ends it.",
                "Все живые свободно говорят {discussion_s|секунду|секунды|секунд}: обвиняют, защищаются, выдают себя "
                "за кого угодно, обманывают. Давлению, оскорблениям и тому, что знаешь о людях вне игры, здесь не "
                "место. Конец — по таймеру.",
            ),
            "seed 004, How should daytime discussion work; contract, other rulesets",
        ),
        Rule(
            "party.day.floor",
            Words("An uninterrupted word", "Слово без перебивания"),
            Words(
                "Whoever was interrupted may take the floor alone for {floor_s|second|seconds}, at most to the end of "
                "the discussion: once per player and discussion, and not while another holds it. Then all talk again.",
                "Тот, кого перебили, может взять слово один на {floor_s|секунду|секунды|секунд}, самое большее до "
                "конца обсуждения: раз за обсуждение на игрока и не тогда, когда слово у другого. Потом снова говорят "
                "все.",
            ),
            "seed 004, How should daytime discussion work; contract, Commands",
        ),
        *shared.buttons("party"),
        Rule(
            "party.nomination.asked",
            Words("Asked seat by seat", "Опрос по местам"),
            Words(
                "After the discussion the living players are asked once each, from the lowest seat, "
                "{nomination_s|second|seconds} each, to put up another living seat or pass. Nobody needs to support "
                "it.",
                "После обсуждения живых спрашивают по разу, начиная с наименьшего места, у каждого "
                "{nomination_s|секунда|секунды|секунд}: выставить другое живое место или сказать «Пас». Поддержка не "
                "нужна.",
            ),
            "seed 004, How do nominations and voting work; contract, other rulesets",
        ),
        Rule(
            "party.nomination.accepted",
            Words("The nomination", "Выставление"),
            Words(
                "Every nomination is shown to all, and ends that player’s turn.",
                "Каждое выставление видят все, и очередь игрока на этом окончена.",
            ),
            "seed 004, How do nominations and voting work",
        ),
        Rule(
            "party.nomination.repeat",
            Words("Named again", "Названный снова"),
            Words(
                "A seat named by several is one nominee.",
                "Место, названное несколькими, — одна кандидатура.",
            ),
            "seed 004, How do nominations and voting work; contract, other rulesets",
        ),
        Rule(
            "party.nomination.none",
            Words("No nominee", "Никого не выставили"),
            Words(
                "Where nobody was put up, there is no defence, no vote, and the night comes.",
                "Если никого не выставили, нет ни защитных речей, ни голосования, наступает ночь.",
            ),
            "seed 004, How do nominations and voting work; contract, other rulesets",
        ),
    ),
)
