"""Sport Mafia: the day."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

DAY = Section(
    "day",
    Words("The day", "День"),
    (
        Rule(
            "sport.day.opener",
            Words("Who opens the day", "Кто открывает день"),
            Words(
                "The lowest seat opens the first day; each later day, the next living seat after yesterday’s opener.",
                "Первый день открывает наименьший номер места; каждый следующий — ближайшее живое место после "
                "вчерашнего первого.",
            ),
            "seed 000, Speech; contract, sport",
        ),
        Rule(
            "sport.day.speech",
            Words("The speech", "Речь"),
            Words(
                "All living players speak in the order of their seats, {speech_s|second|seconds} each.",
                "Все живые говорят по порядку мест, на речь {speech_s|секунда|секунды|секунд}.",
            ),
            "seed 000, Speech",
        ),
        Rule(
            "sport.day.mic",
            Words("The microphone", "Микрофон"),
            Words(
                "The host opens a microphone for its player’s own speech or last word and closes it after. By night "
                "and in a vote all are closed; when the game is over, all open.",
                "Ведущий открывает микрофон на речь или последнее слово его игрока и потом закрывает. Ночью и при "
                "голосовании закрыты все; когда игра кончилась, открыты все.",
            ),
            "seed 000, Fouls; contract, Phases",
        ),
        Rule(
            "sport.day.pass",
            Words("Pass", "Пас"),
            Words(
                "“Pass” ends one’s own speech or last word early; nothing else does, not even a nomination.",
                "«Пас» завершает свою речь или последнее слово раньше срока; больше ничто, и выставление тоже нет.",
            ),
            "seed 000, The day; contract, Phases",
        ),
        Rule(
            "sport.day.buttons",
            Words("Captions by button", "Подписи кнопками"),
            Words(
                "In one’s own speech the buttons “Claim” (a card), “Defend” and “Ask” (another seat) show the table a "
                "caption.",
                "В своей речи кнопки «Заявка» (карта), «Защита» и «Вопрос» (другое место) показывают столу подпись.",
            ),
            "seed 000, The day; contract, Commands",
        ),
        Rule(
            "sport.day.signs",
            Words("Hand signs", "Жесты"),
            Words(
                "In anybody’s speech the living players may show hand signs, up to "
                "{signs_per_speech|sentence|sentences} each, a sentence of at most {signs_per_sentence|sign|signs}: "
                "seat numbers and words such as sheriff, red or trust. Elsewhere, in a vote and by night too, there "
                "are none.",
                "В чью угодно речь живые игроки могут показывать жесты, каждый не больше, чем "
                "{signs_per_speech|фразу|фразы|фраз}, а во фразе не больше, чем "
                "{signs_per_sentence|жест|жеста|жестов}: номера мест и слова вроде «шериф», «красный» или «верю». В "
                "остальное время, и при голосовании, и ночью, жестов нет.",
            ),
            "seed 000, Fouls; contract, Commands",
        ),
        Rule(
            "sport.nomination.accepted",
            Words("Nomination accepted", "Выставление принято"),
            Words(
                "In their own speech players may put up {nominations|seat|seats} a day for the vote, living and not "
                "put up yet, even their own. The host confirms it with a caption and no voice, and marks the seat. "
                "The list is closed when the vote begins.",
                "В своей речи игрок может выставить за день {nominations|место|места|мест}: живое и ещё не "
                "выставленное, можно и своё. Ведущий подтверждает это подписью, без голоса, и отмечает место. С "
                "началом голосования список закрыт.",
            ),
            "seed 000, Nomination",
        ),
        Rule(
            "sport.nomination.refused",
            Words("Nomination refused", "Выставление отклонено"),
            Words(
                "A nomination too many is refused, and so is one of a seat that is up already or not living. Only the "
                "player who tried is told, the table is shown nothing, and the right is not used up.",
                "Лишнее выставление, выставление уже выставленного или неживого места отклоняется. Об этом узнаёт "
                "только сам игрок, столу ничего не показывают, и право на выставление не тратится.",
            ),
            "seed 000, Nomination; contract, sport",
        ),
    ),
)
