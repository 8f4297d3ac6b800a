"""Party Mafia: the vote."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

VOTE = Section(
    "vote",
    Words("The vote", "Голосование"),
    (
        Rule(
            "party.vote.defence",
            Words("The defence", "Защитная речь"),
            Words(
                "The nominees speak in seating order, {defence_s|second|seconds} each, with no questions in between. "
                "“Pass” ends it early.",
                "Выставленные говорят по порядку мест, по {defence_s|секунде|секунды|секунд}, без вопросов. «Пас» "
                "завершает речь раньше.",
            ),
            "seed 004, How do nominations and voting work; contract, Phases",
        ),
        Rule(
            "party.vote.ballot",
            Words("The vote", "Голосование"),
            Words(
                "Every living player, nominees too, has one vote, within {vote_s|second|seconds}: for a nominee, even "
                "for themselves, or “Pass” to abstain. Any other vote is refused and may be cast anew; a vote that "
                "was accepted cannot be changed. All are hidden until everybody has answered or the time is up, then "
                "opened together.",
                "У каждого живого, и у выставленных, один голос, на это {vote_s|секунда|секунды|секунд}: за "
                "выставленного, можно и за себя, или «Пас», чтобы воздержаться. Любой другой голос отклоняется, и его "
                "можно отдать заново; принятый не меняют. Голоса скрыты, пока не ответят все или не выйдет время, и "
                "открываются вместе.",
            ),
            "seed 004, How do nominations and voting work; contract, other rulesets",
        ),
        Rule(
            "party.vote.uncast",
            Words("A vote not cast", "Неотданный голос"),
            Words(
                "A vote not cast is an abstention.",
                "Неотданный голос считается воздержанием.",
            ),
            "seed 004, How do nominations and voting work; contract, other rulesets",
        ),
        Rule(
            "party.vote.leaves",
            Words("Most votes leaves", "Больше всех голосов"),
            Words(
                "The nominee who alone has the most votes leaves.",
                "Уходит выставленный, у которого одного голосов больше всех.",
            ),
            "seed 004, How do nominations and voting work",
        ),
        Rule(
            "party.vote.tie",
            Words("A tie", "Ничья в голосовании"),
            Words(
                "Where nominees share the most votes, nobody leaves. There is no further vote, and the night comes.",
                "Если голосов больше всех у нескольких поровну, никто не уходит. Голосование не повторяют, наступает "
                "ночь.",
            ),
            "seed 004, How do nominations and voting work",
        ),
        Rule(
            "party.vote.pass",
            Words("Everybody abstains", "Все воздержались"),
            Words(
                "Where everybody abstains, nobody leaves and the night comes.",
                "Если воздержались все, никто не уходит и наступает ночь.",
            ),
            "seed 004, How do nominations and voting work",
        ),
    ),
)
