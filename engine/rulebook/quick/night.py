"""Quick Mafia: the night."""

from __future__ import annotations

from engine.rulebook import shared
from engine.rulebook.rule import Rule, Section, Words

NIGHT = Section(
    "night",
    Words("The night", "Ночь"),
    (
        Rule(
            "quick.night.recognition",
            Words("The first night: recognition", "Первая ночь: знакомство"),
            Words(
                "The first night only lets the mafia see each other, for {recognition_s|second|seconds}. Nobody is "
                "killed.",
                "В первую ночь мафия только узнаёт своих, на это {recognition_s|секунда|секунды|секунд}. Никого не "
                "убивают.",
            ),
            "seed 001, Meet the hidden team",
        ),
        Rule(
            "quick.night.shot",
            Words("The mafia choose", "Выбор мафии"),
            Words(
                "On each later night the living mafia have {shot_s|second|seconds} to point at a living town seat. "
                "They see each other’s picks.",
                "Каждую следующую ночь у живой мафии {shot_s|секунда|секунды|секунд}, чтобы указать на живое место "
                "города. Выбор друг друга они видят.",
            ),
            "seed 001, Choose at night",
        ),
        *shared.picks("quick"),
        Rule(
            "quick.night.kill",
            Words("Killed", "Убит"),
            Words(
                "All living mafia on one seat: its player is killed, as all learn in the morning.",
                "Вся живая мафия указала на одно место: игрок на нём убит, об этом узнают утром.",
            ),
            "seed 001, Choose at night; contract, Phases",
        ),
        Rule(
            "quick.night.miss",
            Words("Nobody is killed", "Никто не убит"),
            Words(
                "Where their seats differ, or a pick is missing, nobody is killed.",
                "Если места разные или кто-то не назвал никакого, никто не убит.",
            ),
            "seed 001, Choose at night",
        ),
        Rule(
            "quick.night.called",
            Words("Every night alike", "Ночи одинаковы"),
            Words(
                "The night takes its full time, whatever is picked: neither its length nor its silence tells anything.",
                "Ночь длится всё своё время, что бы ни выбрали: ни её длина, ни тишина ничего не выдают.",
            ),
            "seed 001, Protect the hidden information; contract, Phases",
        ),
        Rule(
            "quick.morning",
            Words("The morning", "Утро"),
            Words(
                "The host names the player killed, or says that there is none. If the game goes on, the next day’s "
                "discussion follows.",
                "Ведущий называет убитого или говорит, что его нет. Если игра продолжается, следует обсуждение нового "
                "дня.",
            ),
            "seed 001, Choose at night",
        ),
    ),
)
