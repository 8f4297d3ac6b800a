"""Quick Mafia: the table and the cards."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

TABLE = Section(
    "table",
    Words("The table and the cards", "Стол и карты"),
    (
        Rule(
            "quick.seats",
            Words("The table", "Стол"),
            Words(
                "{seats|player|players} at this table; the game can be played with {seats_low} to {seats_high}. The "
                "host is the program and takes no seat.",
                "За этим столом {seats|игрок|игрока|игроков}; можно играть от {seats_low} до {seats_high}. Ведёт "
                "программа, места она не занимает.",
            ),
            "seed 001, Deal roles; contract, Rulesets",
        ),
        Rule(
            "quick.deal",
            Words("The deal", "Раздача"),
            Words(
                "{count_mafia|mafia card|mafia cards} and {count_town|town card|town cards}, dealt by lot. Players "
                "see only their own cards; there are none with powers. Claiming any card is allowed.",
                "Карты по жребию: {count_mafia|карта|карты|карт} мафии и {count_town|карта|карты|карт} города. Каждый "
                "видит свою; карт с особым ходом нет. Выдавать себя за кого угодно можно.",
            ),
            "seed 001, Deal roles",
        ),
        Rule(
            "quick.card.mafia",
            Words("Mafia", "Мафия"),
            Words(
                "{count_mafia|card|cards}. The mafia know each other and choose at night whom to kill.",
                "{count_mafia|карта|карты|карт}. Мафия знает своих и ночью выбирает, кого убить.",
            ),
            "seed 001, The quick version",
        ),
        Rule(
            "quick.card.town",
            Words("Town", "Город"),
            Words(
                "{count_town|card|cards}. No move at night: the town talks and votes.",
                "{count_town|карта|карты|карт}. Ночного хода нет: город говорит и голосует.",
            ),
            "seed 001, The quick version",
        ),
    ),
)
