"""Sport Mafia: leaving the table."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

LEAVING = Section(
    "leaving",
    Words("Leaving the table", "Уход из-за стола"),
    (
        Rule(
            "sport.leaving.last_word",
            Words("The last word", "Последнее слово"),
            Words(
                "Whoever leaves by the vote, the lift or a shot has a last word, {last_word_s|second|seconds}; after "
                "a lift, one after the other in nomination order. Where the result is certain already, it changes "
                "nothing.",
                "У того, кто уходит голосованием, подъёмом или выстрелом, есть последнее слово, "
                "{last_word_s|секунда|секунды|секунд}; после подъёма — по очереди в порядке выставления. Уже "
                "определённого результата оно не меняет.",
            ),
            "seed 000, Last word; contract, order of events",
        ),
        Rule(
            "sport.leaving.best_move",
            Words("The best move", "Лучший ход"),
            Words(
                "Whoever is shot in the first night with a shot, of either colour, has {best_move_s|second|seconds} "
                "before the last word to name up to {best_move_seats|seat|seats} they hold for black: different "
                "living ones, not their own.",
                "Убитый в первую ночь стрельбы, любого цвета, до последнего слова называет тех, кого считает чёрными: "
                "на это {best_move_s|секунда|секунды|секунд}, не больше, чем {best_move_seats|место|места|мест}, "
                "разные живые и не своё.",
            ),
            "seed 000, Best move; contract, sport",
        ),
        Rule(
            "sport.leaving.best_move_none",
            Words("No best move", "Лучшего хода нет"),
            Words(
                "None where {best_move_barred_leavers|player|players} or more left by the vote or the lift on the "
                "first day (removals do not count), and none at all where the mafia missed on the first shooting "
                "night.",
                "Его нет, если в первый день голосованием или подъёмом ушло столько: "
                "{best_move_barred_leavers|игрок|игрока|игроков} или больше (удаления не в счёт), и нет ни у кого, "
                "если в первую ночь стрельбы мафия промахнулась.",
            ),
            "seed 000, Best move; contract, sport",
        ),
    ),
)
