"""What bots say: short lines in English and Russian, by what they speak of.

`{seat}` stands for a seat's number. The Russian lines avoid forms that would give a speaker a gender.
"""

from __future__ import annotations

from engine.bots.bot import Lang

LANGS: tuple[Lang, ...] = ("en", "ru")

WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "opening": {
        "en": (
            "Little to go on yet, so I would rather listen.",
            "I have no facts so far, only impressions.",
            "Let us hear the whole circle before we judge anyone.",
            "A quiet start; I am watching who avoids naming names.",
        ),
        "ru": (
            "Фактов пока мало, больше слушаю.",
            "Твёрдых выводов нет, одни впечатления.",
            "Давайте сначала послушаем весь круг.",
            "Начало тихое; смотрю, кто избегает имён.",
        ),
    },
    "suspect": {
        "en": (
            "Seat {seat} worries me most right now.",
            "I keep coming back to seat {seat}.",
            "If I had to pick one black seat, it would be number {seat}.",
        ),
        "ru": (
            "Больше всего вопросов к месту {seat}.",
            "Мысли всё время возвращаются к месту {seat}.",
            "Если называть одного чёрного, то это место {seat}.",
        ),
    },
    "trust": {
        "en": (
            "Seat {seat} sounds honest to me.",
            "I would not touch seat {seat} today.",
            "For now I take seat {seat} as red.",
        ),
        "ru": (
            "Место {seat} звучит честно.",
            "Место {seat} сегодня лучше не трогать.",
            "Место {seat} пока считаю красным.",
        ),
    },
    "nominate": {
        "en": (
            "I put up seat {seat}.",
            "My nomination is seat {seat}; let them answer.",
            "Seat {seat} goes on the list.",
        ),
        "ru": (
            "Выставляю место {seat}.",
            "Моя кандидатура — место {seat}, пусть ответит.",
            "Место {seat} — на голосование.",
        ),
    },
    "accused": {
        "en": (
            "Seat {seat} put me up without a single reason.",
            "Ask yourselves why seat {seat} was in such a hurry with my number.",
        ),
        "ru": (
            "Место {seat} выставляет меня без единой причины.",
            "Спросите себя, почему место {seat} так спешит с моим номером.",
        ),
    },
    "claim": {
        "en": ("I am the sheriff, and I have something to show.", "Sheriff here. Please watch my hands."),
        "ru": ("Я шериф, и мне есть что показать.", "Здесь шериф. Следите за жестами."),
    },
    "check_black": {
        "en": ("My check on seat {seat}: black.", "I checked seat {seat}, and the answer was black."),
        "ru": ("Моя проверка места {seat}: чёрный.", "Проверка места {seat}, ответ — чёрный."),
    },
    "check_red": {
        "en": ("My check on seat {seat}: red.", "I checked seat {seat}, and the answer was red."),
        "ru": ("Моя проверка места {seat}: красный.", "Проверка места {seat}, ответ — красный."),
    },
    "tie": {
        "en": (
            "Taking me out helps only the mafia. Vote for the other name.",
            "I am red. Look once more at who brought us to this tie.",
        ),
        "ru": (
            "Мой уход поможет только мафии. Голосуйте за другое имя.",
            "Я красный игрок. Посмотрите ещё раз, кто довёл до этой ничьей.",
        ),
    },
    "last_word": {
        "en": (
            "Thank you for the game. Remember how I voted.",
            "Good luck, town; go back over the votes.",
        ),
        "ru": (
            "Спасибо за игру. Вспомните мои голоса.",
            "Удачи, город; пересмотрите голосования.",
        ),
    },
    "done": {
        "en": ("That is all from me.", "I pass the turn."),
        "ru": ("У меня всё.", "Передаю слово."),
    },
}
