"""Sport Mafia: fouls."""

from __future__ import annotations

from engine.rulebook import shared
from engine.rulebook.rule import Rule, Section, Words

FOULS = Section(
    "fouls",
    Words("Fouls", "Фолы"),
    (
        Rule(
            "sport.foul.signs",
            Words("Foul: too many signs", "Фол: лишние жесты"),
            Words(
                "After {signs_per_speech|sentence|sentences} by sign in a speech, each further one is a foul.",
                "В одной речи после {signs_per_speech|фразы|фраз|фраз} жестами каждая следующая — фол.",
            ),
            "seed 000, Fouls; contract, sport fouls",
        ),
        *shared.lines("sport"),
        Rule(
            "sport.foul.held",
            Words("Held for a person", "Ждёт человека"),
            Words(
                "A flagged line never removes by itself: a foul for one that would be the {removal_fouls:th} waits, "
                "the table untold, until a moderator rules.",
                "Отмеченная реплика сама никогда не удаляет: если фол за неё был бы {removal_fouls:-м}, он ждёт "
                "решения модератора, и стол об этом не узнаёт.",
            ),
            "contract, sport fouls",
        ),
        *shared.later("sport"),
        Rule(
            "sport.foul.skip",
            Words("The skipped speech", "Пропуск речи"),
            Words(
                "With the {skip_fouls:th} foul the player loses the next ordinary speech and has "
                "{short_turn_s|second|seconds} in its place, without a microphone, to nominate or to pass. Tie "
                "speeches and the last word are not touched.",
                "После {skip_fouls:-го} фола следующая обычная речь игрока пропускается: "
                "{short_turn_s|секунда|секунды|секунд} без микрофона, чтобы выставить или сказать «Пас». Речи при "
                "ничьей и последнее слово остаются.",
            ),
            "seed 000, Fouls",
        ),
        Rule(
            "sport.foul.short_speech",
            Words("The short speech", "Короткая речь"),
            Words(
                "With {short_speech_living|living player|living players} or fewer that speech is not skipped, but "
                "lasts {short_speech_s|second|seconds}.",
                "Когда живых {short_speech_living} или меньше, эта речь не пропускается, а длится "
                "{short_speech_s|секунду|секунды|секунд}.",
            ),
            "seed 000, Fouls",
        ),
        Rule(
            "sport.foul.removal",
            Words("Removal", "Удаление"),
            Words(
                "The {removal_fouls:th} foul removes the player, without a last word: after the running speech; by "
                "night, in the morning, also where the player was shot; at once where nobody is speaking. Until then "
                "the player is a living one. A removal that decides the game ends the day at once, but for a best "
                "move and last words already due.",
                "{removal_fouls:-й} фол удаляет игрока, без последнего слова: после идущей речи; ночью — утром, даже "
                "если его и убили; сразу, если никто не говорит. До этого игрок живой. Удаление, которое решает игру, "
                "сразу завершает день, кроме уже положенных лучшего хода и последних слов.",
            ),
            "seed 000, Fouls; contract, sport fouls",
        ),
        Rule(
            "sport.foul.vote_cancelled",
            Words("Removal cancels a vote", "Удаление отменяет голосование"),
            Words(
                "A removal cancels the running vote, its ties included, or else the coming one: before the day’s vote "
                "that one, after it or by night the next day’s. Several before the same vote cancel only that. Where "
                "the day has no vote anyway, the cancelling is spent.",
                "Удаление отменяет идущее голосование вместе с ничьёй, а если оно не идёт — ближайшее: до голосования "
                "дня его самого, после него или ночью — голосование следующего дня. Несколько удалений перед одним "
                "голосованием отменяют только его. Если голосования в этот день и так нет, отмена истрачена.",
            ),
            "seed 000, Fouls; contract, sport fouls",
        ),
    ),
)
