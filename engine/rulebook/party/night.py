"""Party Mafia: the night."""

from __future__ import annotations

from engine.rulebook import shared
from engine.rulebook.rule import Rule, Section, Words

NIGHT = Section(
    "night",
    Words("The night", "Ночь"),
    (
        Rule(
            "party.night.shot",
            Words("The mafia choose", "Выбор мафии"),
            Words(
                "The living mafia have {shot_s|silent second|silent seconds} to pick the same living seat that is not "
                "mafia. They see each other’s picks, on the first night too.",
                "У живой мафии {shot_s|секунда|секунды|секунд} молчания, чтобы выбрать одно живое место, не своё. "
                "Выбор друг друга они видят, и в первую ночь тоже.",
            ),
            "seed 004, What does the moderator say",
        ),
        Rule(
            "party.night.check",
            Words("The detective’s check", "Проверка детектива"),
            Words(
                "Then the detective picks another living seat, within {check_s|second|seconds}, and alone is told at "
                "the end of that time: mafia or not. “Not” does not tell the doctor from a townsperson.",
                "Потом детектив выбирает другое живое место, на это {check_s|секунда|секунды|секунд}, и в конце этого "
                "времени узнаёт, один: мафия или нет. «Нет» не отличает доктора от горожанина.",
            ),
            "seed 004, What does the moderator say",
        ),
        Rule(
            "party.night.protect",
            Words("The doctor’s protection", "Защита доктора"),
            Words(
                "Last the doctor picks a living seat to protect, even the doctor’s own, within "
                "{protect_s|second|seconds}.",
                "Последним доктор выбирает живое место для защиты, можно и своё, на это "
                "{protect_s|секунда|секунды|секунд}.",
            ),
            "seed 004, What does the moderator say",
        ),
        Rule(
            "party.night.repeat",
            Words("No repeat of a protection", "Без повтора защиты"),
            Words(
                "The seat that was protected the night before is refused. A night without a pick frees it.",
                "Место, которое защищали прошлой ночью, отклоняется. Ночь без выбора снимает запрет.",
            ),
            "seed 004, Which roles; contract, other rulesets",
        ),
        *shared.picks("party"),
        Rule(
            "party.night.kill",
            Words("Killed", "Убит"),
            Words(
                "One seat picked by all living mafia and not protected: its player leaves in the morning, and still "
                "moves that night.",
                "Одно место, выбранное всей живой мафией и не защищённое: утром игрок уходит, а свой ход в эту ночь "
                "ещё делает.",
            ),
            "seed 004, What does the moderator announce; contract, Phases",
        ),
        Rule(
            "party.night.saved",
            Words("Protected", "Спасён"),
            Words(
                "The doctor picked that very seat: nobody leaves.",
                "Доктор выбрал именно это место: никто не уходит.",
            ),
            "seed 004, What does the moderator announce",
        ),
        Rule(
            "party.night.miss",
            Words("Nobody is chosen", "Никто не выбран"),
            Words(
                "The mafia were not of one mind in time: nobody leaves.",
                "Мафия вовремя не сошлась на одном месте: никто не уходит.",
            ),
            "seed 004, What does the moderator say",
        ),
        Rule(
            "party.night.called",
            Words("Everybody is called", "Зовут всех"),
            Words(
                "Mafia, detective and doctor are called in this order every night and given their full time, whoever "
                "has left: skipping one would tell the table.",
                "Мафию, детектива и доктора зовут в этом порядке каждую ночь, и время идёт полностью, кто бы ни "
                "выбыл: пропуск сказал бы об этом столу.",
            ),
            "seed 004, What does the moderator say; contract, Phases",
        ),
        Rule(
            "party.morning",
            Words("The morning", "Утро"),
            Words(
                "The host says who left in the night, or that nobody did, but never who was protected, checked, or "
                "picked in vain.",
                "Ведущий объявляет, кто ушёл ночью, или что никто не ушёл, но никогда не говорит, кого защитили, "
                "проверили или выбрали напрасно.",
            ),
            "seed 004, What does the moderator announce",
        ),
    ),
)
