"""Teaching Mafia: the table and the cards."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

TABLE = Section(
    "table",
    Words("The table and the cards", "Стол и карты"),
    (
        Rule(
            "teaching.seats",
            Words("The table", "Стол"),
            Words(
                "{seats|player holds a card|players hold cards}; the host is the program, and holds none.",
                "Карты у всех за столом, это {seats|игрок|игрока|игроков}; ведёт программа, и карты у неё нет.",
            ),
            "seed 003, Before you deal",
        ),
        Rule(
            "teaching.deal",
            Words("The deal", "Раздача"),
            Words(
                "The list of cards is open, who holds which is not: dealt by lot are {count_mafia} mafia, "
                "{count_detective|detective|detectives}, {count_doctor|doctor|doctors} and "
                "{count_town|town player|town players}. Players see only their own cards.",
                "По жребию; состав известен всем, а кто есть кто — тайна: {count_mafia|мафиози|мафиози|мафиози}, "
                "{count_detective|детектив|детектива|детективов}, {count_doctor|доктор|доктора|докторов} и "
                "{count_town|горожанин|горожанина|горожан}. Каждый видит только свою карту.",
            ),
            "seed 003, Prepare six role cards",
        ),
        Rule(
            "teaching.card.mafia",
            Words("Mafia", "Мафия"),
            Words(
                "{count_mafia|card|cards}. Chooses in secret whom to remove at night.",
                "{count_mafia|карта|карты|карт}. Ночью тайно выбирает, кого убрать.",
            ),
            "seed 003, Prepare six role cards",
        ),
        Rule(
            "teaching.card.detective",
            Words("Detective", "Детектив"),
            Words(
                "{count_detective|card|cards}, town. Asks at night whether a living player is mafia.",
                "{count_detective|карта|карты|карт}, город. Ночью спрашивает про живого игрока, мафия ли он.",
            ),
            "seed 003, Prepare six role cards",
        ),
        Rule(
            "teaching.card.doctor",
            Words("Doctor", "Доктор"),
            Words(
                "{count_doctor|card|cards}, town. Protects a living player for that night.",
                "{count_doctor|карта|карты|карт}, город. Защищает живого игрока на эту ночь.",
            ),
            "seed 003, Prepare six role cards",
        ),
        Rule(
            "teaching.card.town",
            Words("Town", "Город"),
            Words(
                "{count_town|card|cards}. No move at night: talk and vote.",
                "{count_town|карта|карты|карт}. Ночного хода нет: говорить и голосовать.",
            ),
            "seed 003, Prepare six role cards",
        ),
    ),
)
