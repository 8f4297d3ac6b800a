"""Party Mafia: the table and the cards."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

TABLE = Section(
    "table",
    Words("The table and the cards", "Стол и карты"),
    (
        Rule(
            "party.seats",
            Words("The table", "Стол"),
            Words(
                "{seats|player|players} at this table; the game can be played with {seats_low} to {seats_high}. The "
                "host is the program and takes no seat.",
                "За этим столом {seats|игрок|игрока|игроков}; можно играть от {seats_low} до {seats_high}. Ведёт "
                "программа, места она не занимает.",
            ),
            "seed 004, Which roles; contract, Rulesets",
        ),
        Rule(
            "party.deal",
            Words("The deal", "Раздача"),
            Words(
                "Here: {count_mafia} mafia, {count_detective|detective|detectives}, {count_doctor|doctor|doctors} and "
                "{count_town|townsperson|townspeople}. With fewer than {second_mafia_seats|player|players} there is "
                "{mafia_few} mafia, from then on {mafia_many}; the rest of the table changes in townspeople alone. "
                "The list is open, each player’s card is secret.",
                "Здесь: {count_mafia|мафиози|мафиози|мафиози}, {count_detective|детектив|детектива|детективов}, "
                "{count_doctor|доктор|доктора|докторов} и {count_town|горожанин|горожанина|горожан}. Когда игроков "
                "меньше {second_mafia_seats}, мафиози {mafia_few}, начиная с этого числа — {mafia_many}; в остальном "
                "меняется только число горожан. Состав известен всем, карта каждого — тайна.",
            ),
            "seed 004, Which roles",
        ),
        Rule(
            "party.card.mafia",
            Words("Mafia", "Мафия"),
            Words(
                "{count_mafia|card|cards}. The mafia know each other and together choose somebody else at night.",
                "{count_mafia|карта|карты|карт}. Мафия знает своих и ночью вместе выбирает кого-то чужого.",
            ),
            "seed 004, Which roles",
        ),
        Rule(
            "party.card.detective",
            Words("Detective", "Детектив"),
            Words(
                "{count_detective|card|cards}, town. Each night learns of another living player: mafia or not.",
                "{count_detective|карта|карты|карт}, город. Каждую ночь узнаёт про другого живого игрока, мафия ли он.",
            ),
            "seed 004, Which roles",
        ),
        Rule(
            "party.card.doctor",
            Words("Doctor", "Доктор"),
            Words(
                "{count_doctor|card|cards}, town. Each night protects a living player, who may be the doctor.",
                "{count_doctor|карта|карты|карт}, город. Каждую ночь защищает живого игрока, можно и себя.",
            ),
            "seed 004, Which roles",
        ),
        Rule(
            "party.card.town",
            Words("Town", "Город"),
            Words(
                "{count_town|card|cards}. No move at night: talk and vote by day.",
                "{count_town|карта|карты|карт}. Ночного хода нет: днём говорить и голосовать.",
            ),
            "seed 004, Which roles",
        ),
    ),
)
