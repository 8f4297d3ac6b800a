"""Sport Mafia: the vote."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

VOTE = Section(
    "vote",
    Words("The vote and ties", "Голосование и ничья"),
    (
        Rule(
            "sport.vote.ballot",
            Words("The vote", "Голосование"),
            Words(
                "After the last speech the living players vote on the nominees, in the order in which they were put "
                "up: one vote each, within {vote_s|second|seconds}. A vote stands as cast. All are hidden until "
                "everybody has voted or the time is up, then opened at once.",
                "После последней речи живые голосуют по списку выставленных, в порядке выставления: у каждого один "
                "голос, на это {vote_s|секунда|секунды|секунд}. Отданный голос не меняют. Все голоса скрыты, пока "
                "каждый не ответит или не выйдет время, и открываются разом.",
            ),
            "seed 000, Vote",
        ),
        Rule(
            "sport.vote.uncast",
            Words("A vote not cast", "Неотданный голос"),
            Words(
                "Whoever does not vote in time has voted for the last on the list, even if that is the voter. In a "
                "re-vote that is the last of the tied.",
                "Неотданный голос засчитывается против последнего в списке, даже если это сам голосующий. При "
                "переголосовании это последний из равных.",
            ),
            "seed 000, Vote; contract, sport",
        ),
        Rule(
            "sport.vote.leaves",
            Words("Most votes leaves", "Больше всех голосов"),
            Words(
                "Whoever has the most votes leaves the table. A vote against oneself is allowed.",
                "Тот, у кого голосов больше всех, покидает стол. Голосовать против себя можно.",
            ),
            "seed 000, Vote",
        ),
        Rule(
            "sport.vote.none",
            Words("A day without nominees", "День без кандидатур"),
            Words(
                "Where nobody was put up, there is no vote and the night comes.",
                "Если никого не выставили, голосования нет и наступает ночь.",
            ),
            "seed 000, Vote",
        ),
        Rule(
            "sport.vote.first_day",
            Words("Too few nominees on the first day", "Мало кандидатур в первый день"),
            Words(
                "The first day has no vote with fewer than {first_day_nominees|nominee|nominees}. On a later day a "
                "nominee who stands alone is voted on, and leaves.",
                "В первый день голосования нет, если выставлено меньше, чем "
                "{first_day_nominees|кандидатура|кандидатуры|кандидатур}. В остальные дни голосуют и по единственной "
                "кандидатуре, и этот игрок уходит.",
            ),
            "seed 000, Vote; contract, sport",
        ),
        Rule(
            "sport.vote.tie",
            Words("A tie", "Ничья в голосовании"),
            Words(
                "Players who share the most votes each speak {tie_speech_s|second|seconds} more, in nomination order; "
                "then the table votes between them alone.",
                "Каждый из тех, у кого голосов поровну и больше всех, говорит ещё "
                "{tie_speech_s|секунду|секунды|секунд} в порядке выставления; потом стол голосует только между ними.",
            ),
            "seed 000, Tie",
        ),
        Rule(
            "sport.vote.revote",
            Words("The re-vote", "Переголосование"),
            Words(
                "Its rules are the vote’s. Where fewer of them are tied then, those speak and are voted on again; "
                "where it is the very same players, the lift follows.",
                "Правила те же, что у голосования. Если равных стало меньше, говорят они и голосуют между ними; если "
                "равны все те же, следует подъём.",
            ),
            "seed 000, Tie",
        ),
        Rule(
            "sport.vote.lift",
            Words("The lift", "Подъём"),
            Words(
                "One question, {lift_s|second|seconds}: should all of the tied leave? With the yes of more than half "
                "of the living they all leave, else all stay. No answer is a no, and an answer stands as given.",
                "Один вопрос, {lift_s|секунда|секунды|секунд}: должны ли уйти все равные? Если «за» больше половины "
                "живых, уходят все, иначе все остаются. Нет ответа — значит «против», и данный ответ не меняют.",
            ),
            "seed 000, Tie; contract, sport",
        ),
        Rule(
            "sport.vote.lift_barred",
            Words("When the lift is not asked", "Когда вопрос не ставят"),
            Words(
                "The question is not put on the whole table, and not on {lift_barred_tied|tied player|tied players} "
                "while {lift_barred_living|is|are} living. All stay then, and the night comes.",
                "Вопрос не ставят обо всём столе, а также когда {lift_barred_tied|равный|равных|равных}, а живых "
                "{lift_barred_living}. Тогда все остаются и наступает ночь.",
            ),
            "seed 000, Tie; contract, sport",
        ),
    ),
)
