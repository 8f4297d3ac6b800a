"""Sport Mafia: the night."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

NIGHT = Section(
    "night",
    Words("The night", "Ночь"),
    (
        Rule(
            "sport.night.agreement",
            Words("The first night: agreement", "Первая ночь: договорка"),
            Words(
                "The first night is for the mafia: they have {agreement_s|second|seconds} to settle in which order "
                "they will shoot. There is no shot and no check yet.",
                "Первая ночь — для мафии: {agreement_s|секунда|секунды|секунд}, чтобы условиться о порядке выстрелов. "
                "Ни выстрела, ни проверок нет.",
            ),
            "seed 000, Night 1",
        ),
        Rule(
            "sport.night.order",
            Words("The order of the shots", "Порядок отстрела"),
            Words(
                "The don names the order: different living seats, teammates’ too. It may be named anew until the time "
                "is up; the last one stands.",
                "Порядок называет дон: разные живые места, можно и своих. До конца времени его можно назвать заново; "
                "действует последний.",
            ),
            "seed 000, Night 1; contract, sport",
        ),
        Rule(
            "sport.night.lot",
            Words("Order by lot", "Порядок по жребию"),
            Words(
                "Where the don has named no order, an order of all living seats is drawn by lot when the agreement "
                "ends, and stands.",
                "Если дон порядка не назвал, в конце договорки все живые места расставляет жребий, и действует он.",
            ),
            "seed 000, Night 1; contract, sport",
        ),
        Rule(
            "sport.night.ok",
            Words("“OK” ends the agreement", "«Понятно» завершает договорку"),
            Words(
                "The agreement takes its full time. Only where all other black seats are played by bots does a black "
                "player’s “OK” end it early.",
                "Договорка идёт всё своё время. Только если за все остальные чёрные места играют боты, «Понятно» "
                "чёрного игрока завершает её раньше.",
            ),
            "seed 000, differences; contract, Phases",
        ),
        Rule(
            "sport.night.shot",
            Words("The shot", "Выстрел"),
            Words(
                "On every later night the living black players each pick a seat without the others, within "
                "{shot_s|second|seconds}: any living seat, even a teammate’s or their own.",
                "Каждую следующую ночь каждый живой чёрный сам выбирает место, на это "
                "{shot_s|секунда|секунды|секунд}. Годится любое живое место, в том числе своё или своего по команде.",
            ),
            "seed 000, Shot",
        ),
        Rule(
            "sport.night.kill",
            Words("Killed", "Убит"),
            Words(
                "All living black players on the same seat: its player is killed. Nobody knows before the morning; "
                "until then the player can still be checked, and still checks.",
                "Все живые чёрные выбрали одно место: игрок на нём убит. До утра этого никто не знает; до тех пор его "
                "могут проверить, и сам он тоже проверяет.",
            ),
            "seed 000, Shot; contract, Phases",
        ),
        Rule(
            "sport.night.miss",
            Words("A miss", "Промах"),
            Words(
                "Where their seats differ, or a pick is missing, that is a miss: nobody is killed.",
                "Если места разные или кто-то не назвал никакого, это промах: никто не убит.",
            ),
            "seed 000, Shot",
        ),
        Rule(
            "sport.night.don_check",
            Words("The don’s check", "Проверка дона"),
            Words(
                "Next the don picks a seat, within {don_check_s|second|seconds}, and learns: sheriff or not. It must "
                "be a living seat, and never the don’s own, a teammate’s, or one checked before.",
                "Затем дон выбирает место, на это {don_check_s|секунда|секунды|секунд}, и узнаёт: шериф или нет. "
                "Только живое место и никогда не своё, не своего по команде и не то, что дон уже проверил.",
            ),
            "seed 000, Don's check",
        ),
        Rule(
            "sport.night.sheriff_check",
            Words("The sheriff’s check", "Проверка шерифа"),
            Words(
                "Last the sheriff picks a seat, within {sheriff_check_s|second|seconds}, and learns: red or black. "
                "Any living seat will do but the sheriff’s own, even one checked before.",
                "Последним выбирает шериф, на это {sheriff_check_s|секунда|секунды|секунд}, и узнаёт: красный или "
                "чёрный. Любое живое место, кроме своего, можно и проверенное раньше.",
            ),
            "seed 000, Sheriff's check",
        ),
        Rule(
            "sport.night.called",
            Words("Everybody is called", "Зовут всех"),
            Words(
                "The shot, the don and the sheriff are called every night and given their full time, whoever has left "
                "and whatever is picked: no silence tells a card.",
                "Выстрел, дон и шериф вызываются каждую ночь и получают всё своё время, кто бы уже ни ушёл и что бы "
                "ни выбрали: по тишине карту не узнать.",
            ),
            "seed 000, Waking; contract, Phases",
        ),
        Rule(
            "sport.night.picks",
            Words("Picks", "Выбор ночью"),
            Words(
                "A pick may be changed until its time is up; the one that stands then counts. The answer comes at the "
                "end of that time, to that player alone.",
                "Выбор можно менять, пока идёт его время; считается последний. Ответ приходит в конце этого времени и "
                "только тому, кто спрашивал.",
            ),
            "contract, Phases",
        ),
        Rule(
            "sport.morning",
            Words("The morning", "Утро"),
            Words(
                "The host names the player killed, or tells of a miss, and says no more of the night. No such word "
                "follows the agreement.",
                "Ведущий называет убитого или сообщает о промахе и больше о ночи ничего не говорит. После договорки "
                "такого объявления нет.",
            ),
            "seed 000, The night",
        ),
    ),
)
