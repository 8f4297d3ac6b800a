"""Teaching Mafia: the night."""

from __future__ import annotations

from engine.rulebook import shared
from engine.rulebook.rule import Rule, Section, Words

NIGHT = Section(
    "night",
    Words("The night", "Ночь"),
    (
        Rule(
            "teaching.night.shot",
            Words("The mafia’s choice", "Выбор мафии"),
            Words(
                "First the mafia picks a living seat other than its own, within {shot_s|second|seconds}.",
                "Сначала мафия выбирает живое место, кроме своего, на это {shot_s|секунда|секунды|секунд}.",
            ),
            "seed 003, Run each night; contract, other rulesets",
        ),
        Rule(
            "teaching.night.check",
            Words("The detective’s question", "Вопрос детектива"),
            Words(
                "Then the detective picks a living seat, even the detective’s own, within {check_s|second|seconds}, "
                "and alone is told at the end of that time: mafia or not.",
                "Потом детектив выбирает живое место, можно и своё, на это {check_s|секунда|секунды|секунд}, и в "
                "конце этого времени узнаёт, один: мафия или нет.",
            ),
            "seed 003, Run each night; contract, other rulesets",
        ),
        Rule(
            "teaching.night.protect",
            Words("The doctor’s protection", "Защита доктора"),
            Words(
                "Last the doctor picks a living seat to protect, even the doctor’s own, within "
                "{protect_s|second|seconds}.",
                "Последним доктор выбирает живое место для защиты, можно и своё, на это "
                "{protect_s|секунда|секунды|секунд}.",
            ),
            "seed 003, Run each night",
        ),
        Rule(
            "teaching.night.repeat",
            Words("No repeat of a protection", "Без повтора защиты"),
            Words(
                "The seat that was protected the night before cannot be picked again. A night without a pick frees it.",
                "Место, которое защищали прошлой ночью, выбрать снова нельзя. Ночь без выбора снимает запрет.",
            ),
            "seed 003, Run each night; contract, other rulesets",
        ),
        *shared.picks("teaching"),
        Rule(
            "teaching.night.kill",
            Words("Killed", "Убит"),
            Words(
                "All moves of a night count together: the mafia’s pick leaves, unless it was protected. A player who "
                "was picked still moves that night.",
                "Все ходы ночи считаются вместе: выбранный мафией уходит, если его не защитили. Свой ход в эту ночь "
                "он ещё делает.",
            ),
            "seed 003, Run each night; contract, Phases",
        ),
        Rule(
            "teaching.night.saved",
            Words("Protected", "Спасён"),
            Words(
                "The same seat picked by mafia and doctor: nobody leaves.",
                "Мафия и доктор выбрали одно место: никто не уходит.",
            ),
            "seed 003, Run each night",
        ),
        Rule(
            "teaching.night.miss",
            Words("Nobody is chosen", "Никто не выбран"),
            Words(
                "No pick of the mafia in time: nobody leaves.",
                "Мафия не выбрала вовремя: никто не уходит.",
            ),
            "seed 003, Run each night; contract, Phases",
        ),
        Rule(
            "teaching.night.called",
            Words("Everybody is called", "Зовут всех"),
            Words(
                "Mafia, detective and doctor are called every night and given their full time, whoever has left: no "
                "pause tells a card.",
                "Мафию, детектива и доктора зовут каждую ночь, и время идёт полностью, кто бы ни выбыл: по паузе "
                "карту не узнать.",
            ),
            "seed 003, Run each night; contract, Phases",
        ),
        Rule(
            "teaching.morning",
            Words("The morning", "Утро"),
            Words(
                "The host says who left in the night, or that nobody did, but never whom the doctor protected, whom "
                "the mafia picked in vain, or what the detective learned.",
                "Ведущий объявляет, кто ушёл ночью, или что никто не ушёл, но никогда не говорит, кого защитил "
                "доктор, кого напрасно выбрала мафия и что узнал детектив.",
            ),
            "seed 003, Discuss and vote; A worked night",
        ),
    ),
)
