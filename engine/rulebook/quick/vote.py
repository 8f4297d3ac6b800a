"""Quick Mafia: the vote."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Values, Words


def runoff(values: Values) -> bool:
    """A table with the runoff."""
    return bool(values["runoff"])


def no_runoff(values: Values) -> bool:
    """A table without it."""
    return not values["runoff"]


VOTE = Section(
    "vote",
    Words("The vote", "Голосование"),
    (
        Rule(
            "quick.vote.ballot",
            Words("The vote", "Голосование"),
            Words(
                "Every living player has one vote, within {vote_s|second|seconds}: against another living seat, or "
                "“Pass”. It cannot be changed. All votes are hidden until everybody has answered or the time is up, "
                "then opened together.",
                "У каждого живого один голос, на это {vote_s|секунда|секунды|секунд}: против другого живого места или "
                "«Пас». Менять его нельзя. Голоса скрыты, пока не ответят все или не выйдет время, и открываются "
                "вместе.",
            ),
            "seed 001, Vote once; contract, other rulesets",
        ),
        Rule(
            "quick.vote.uncast",
            Words("A vote not cast", "Неотданный голос"),
            Words(
                "A vote not cast counts as a pass.",
                "Неотданный голос считается за «Пас».",
            ),
            "contract, other rulesets",
        ),
        Rule(
            "quick.vote.leaves",
            Words("Most votes leaves", "Больше всех голосов"),
            Words(
                "Whoever alone has the most votes leaves; more than half is not needed.",
                "Уходит тот, у кого одного голосов больше всех; больше половины не нужно.",
            ),
            "seed 001, Vote once",
        ),
        Rule(
            "quick.vote.pass",
            Words("Everybody passes", "Все воздержались"),
            Words(
                "Where everybody passes, nobody leaves and the night comes.",
                "Если воздержались все, никто не уходит и наступает ночь.",
            ),
            "seed 001, Vote once",
        ),
        Rule(
            "quick.vote.tie",
            Words("A tie", "Ничья в голосовании"),
            Words(
                "Seats that share the most votes: nobody leaves, and the night comes.",
                "Голосов поровну и больше всех у нескольких мест: никто не уходит, наступает ночь.",
            ),
            "seed 001, Vote once",
            when=no_runoff,
        ),
        Rule(
            "quick.runoff.speech",
            Words("Runoff: the tied speak", "Дополнительный тур: речи равных"),
            Words(
                "After a tie each of the tied speaks, in the order of their seats, up to "
                "{tie_speech_s|second|seconds}. “Pass” ends the speech early. There is none where everybody passed.",
                "После ничьей каждый из равных говорит по порядку мест, не дольше, чем "
                "{tie_speech_s|секунду|секунды|секунд}. «Пас» завершает речь раньше. Если воздержались все, "
                "дополнительного тура нет.",
            ),
            "seed 001, Ideas & Twists; contract, other rulesets",
            when=runoff,
        ),
        Rule(
            "quick.runoff.vote",
            Words("Runoff: the vote", "Дополнительный тур: голосование"),
            Words(
                "All living players then vote once more, between the tied alone and never for oneself, or pass. "
                "Whoever alone leads leaves; after another tie, or passes only, nobody does. The night comes as usual.",
                "Потом все живые голосуют ещё раз, только между равными и не за себя, или говорят «Пас». Уходит "
                "единственный лидер; если снова ничья или все воздержались, не уходит никто. Ночь наступает как "
                "обычно.",
            ),
            "seed 001, Ideas & Twists; contract, other rulesets",
            when=runoff,
        ),
    ),
)
