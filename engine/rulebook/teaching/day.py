"""Teaching Mafia: the day."""

from __future__ import annotations

from engine.rulebook import shared
from engine.rulebook.rule import Rule, Section, Words

DAY = Section(
    "day",
    Words("The day", "День"),
    (
        Rule(
            "teaching.day.opener",
            Words("Who opens the day", "Кто открывает день"),
            Words(
                "Every day the lowest living seat speaks first.",
                "Каждый день первым говорит наименьшее живое место.",
            ),
            "contract, other rulesets",
        ),
        Rule(
            "teaching.day.speech",
            Words("The speech", "Речь"),
            Words(
                "Each living player speaks in the order of the seats, {speech_s|second|seconds}; “Pass” ends the "
                "speech early.",
                "Каждый живой говорит по порядку мест, {speech_s|секунду|секунды|секунд}; «Пас» завершает речь раньше.",
            ),
            "seed 003, Discuss and vote; contract, Phases",
        ),
        *shared.buttons("teaching"),
        Rule(
            "teaching.nomination.accepted",
            Words("The nomination", "Выставление"),
            Words(
                "After the speeches all living players may talk and put up a living seat, even their own, within "
                "{nomination_s|second|seconds}. The first nomination is the only one of that day.",
                "После речей все живые могут говорить и выставить живое место, можно и своё, на это "
                "{nomination_s|секунда|секунды|секунд}. Первое выставление — единственное за день.",
            ),
            "seed 003, Discuss and vote; contract, other rulesets",
        ),
        Rule(
            "teaching.nomination.none",
            Words("No nomination", "Никого не выставили"),
            Words(
                "Where nobody was put up in that time, there is no vote and the night comes.",
                "Если за это время никого не выставили, голосования нет, наступает ночь.",
            ),
            "contract, other rulesets",
        ),
    ),
)
