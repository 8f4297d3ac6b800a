"""Sport Mafia: the table and the cards."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

TABLE = Section(
    "table",
    Words("The table and the cards", "Стол и карты"),
    (
        Rule(
            "sport.seats",
            Words("The table", "Стол"),
            Words(
                "{seats|player sits|players sit} at the table; who sits where is drawn by lot. Bots take the empty "
                "seats, so that the game starts on time.",
                "За столом {seats|игрок|игрока|игроков}, кто где сидит, решает жребий. Пустые места занимают боты, "
                "поэтому игра начинается вовремя.",
            ),
            "seed 000, Table; What is different online",
        ),
        Rule(
            "sport.deal",
            Words("The deal", "Раздача"),
            Words(
                "The program deals one card to each player: {red|red card|red cards}, the town "
                "({count_civilian|civilian|civilians} and {count_sheriff|sheriff|sheriffs}), and "
                "{black|black card|black cards}, the mafia ({count_mafia} mafia and {count_don|don|dons}). Players "
                "see only their own cards; the black ones also see who is in their team.",
                "Карты раздаёт программа, каждому по одной: {red|красная|красные|красных} — город "
                "({count_civilian|мирный|мирных|мирных} и {count_sheriff|шериф|шерифа|шерифов}) и "
                "{black|чёрная|чёрные|чёрных} — мафия ({count_mafia|мафиози|мафиози|мафиози} и "
                "{count_don|дон|дона|донов}). Свою карту знает только сам игрок; чёрные видят ещё и свою команду.",
            ),
            "seed 000, Table; The short version",
        ),
        Rule(
            "sport.card.civilian",
            Words("Civilian", "Мирный"),
            Words(
                "Red, {count_civilian|card|cards}. No move at night; the screen says so, and to wait for the morning. "
                "By day: talk, listen, vote.",
                "Красный, {count_civilian|карта|карты|карт}. Ночью хода нет, и экран прямо говорит ждать утра. Днём "
                "говорит, слушает и голосует.",
            ),
            "seed 000, The four cards",
        ),
        Rule(
            "sport.card.sheriff",
            Words("Sheriff", "Шериф"),
            Words(
                "Red, {count_sheriff|card|cards}. Every night asks for the colour of a seat. Nobody else sees the "
                "answer.",
                "Красный, {count_sheriff|карта|карты|карт}. Каждую ночь узнаёт цвет какого-нибудь места. Ответа "
                "больше никто не видит.",
            ),
            "seed 000, The four cards",
        ),
        Rule(
            "sport.card.mafia",
            Words("Mafia", "Мафиози"),
            Words(
                "Black, {count_mafia|card|cards}. Shoot at night, and the don with them.",
                "Чёрный, {count_mafia|карта|карты|карт}. Ночью стреляет, и дон вместе с ним.",
            ),
            "seed 000, The four cards",
        ),
        Rule(
            "sport.card.don",
            Words("Don", "Дон"),
            Words(
                "Black, {count_don|card|cards}, head of the mafia. Has a shot like the others, and looks for the "
                "sheriff, seat by seat and night by night.",
                "Чёрный, {count_don|карта|карты|карт}, во главе мафии. Стреляет со всеми и каждую ночь спрашивает про "
                "какое-нибудь место, не шериф ли там.",
            ),
            "seed 000, The four cards",
        ),
        Rule(
            "sport.closed",
            Words("Closed cards", "Карты закрыты"),
            Words(
                "No card is shown before the game is over, not even the card of a player who has left.",
                "Ни одна карта не открывается до конца игры, даже карта того, кто уже ушёл.",
            ),
            "seed 000, The short version; Last word",
        ),
    ),
)
