"""Teaching Mafia: the vote."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

VOTE = Section(
    "vote",
    Words("The vote", "Голосование"),
    (
        Rule(
            "teaching.vote.defence",
            Words("The defence", "Защитная речь"),
            Words(
                "The nominee answers, {defence_s|second|seconds}; “Pass” ends it early.",
                "Выставленный отвечает, {defence_s|секунду|секунды|секунд}; «Пас» завершает речь раньше.",
            ),
            "seed 003, Discuss and vote; contract, Phases",
        ),
        Rule(
            "teaching.vote.ballot",
            Words("The vote", "Голосование"),
            Words(
                "Every living player, the nominee too, votes for the removal or passes, within "
                "{vote_s|second|seconds}. A vote cannot be changed. All are hidden until everybody has answered or "
                "the time is up, then opened together.",
                "Каждый живой, и сам выставленный, голосует за удаление или говорит «Пас», на это "
                "{vote_s|секунда|секунды|секунд}. Голос не меняют. Голоса скрыты, пока не ответят все или не выйдет "
                "время, и открываются вместе.",
            ),
            "seed 003, Discuss and vote; contract, Phases",
        ),
        Rule(
            "teaching.vote.uncast",
            Words("A vote not cast", "Неотданный голос"),
            Words(
                "A vote not cast is one against the removal.",
                "Неотданный голос — против удаления.",
            ),
            "contract, other rulesets",
        ),
        Rule(
            "teaching.vote.leaves",
            Words("A majority removes", "Большинство удаляет"),
            Words(
                "The nominee leaves with the votes of more than half of the living: {majority_all} of {seats} at a "
                "full table, {majority_less} of {others}.",
                "Выставленный уходит, если за это больше половины живых: {majority_all} из {seats} за полным столом, "
                "{majority_less} из {others}.",
            ),
            "seed 003, Discuss and vote; An example vote",
        ),
        Rule(
            "teaching.vote.stays",
            Words("No majority", "Большинства нет"),
            Words(
                "With half of them or fewer nobody leaves, the day is over, and the night comes.",
                "Если половина или меньше, никто не уходит, день окончен, наступает ночь.",
            ),
            "seed 003, Discuss and vote",
        ),
    ),
)
