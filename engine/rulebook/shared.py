"""Rules that several rulesets share; their ids begin with the ruleset's name."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Words


def lines(ruleset: str) -> tuple[Rule, ...]:
    """Warnings and fouls for what is said, and how people come in."""
    return (
        Rule(
            f"{ruleset}.foul.warning",
            Words("A public warning", "Публичное предупреждение"),
            Words(
                "The table’s own check listens for insults, hate and sexual remarks. A player’s first such line "
                "brings a warning that all can see: the seat and the category, never the words.",
                "Проверка стола следит за оскорблениями, ненавистью и сексуальными высказываниями. Первая такая "
                "реплика игрока — предупреждение, которое видят все: в нём место и категория, но не сами слова.",
            ),
            "seed 000, Fouls; contract, sport fouls",
        ),
        Rule(
            f"{ruleset}.foul.line",
            Words("Foul: a flagged line", "Фол: отмеченная реплика"),
            Words(
                "A further such line in the same game, of whatever category, or a clear case at once, is a foul. "
                "Lines that a person has dismissed do not count.",
                "Ещё одна такая реплика за партию, любой категории, или сразу явный случай — фол. Реплики, которые "
                "человек отклонил, не считаются.",
            ),
            "seed 000, Fouls; contract, sport fouls",
        ),
        Rule(
            f"{ruleset}.foul.report",
            Words("A report", "Жалоба"),
            Words(
                "Any player may report a line to the moderators, the table is not told, and only a person’s ruling "
                "can make it a foul.",
                "Любой игрок может пожаловаться на реплику модераторам, стол об этом не узнаёт, и фолом она "
                "становится только по решению человека.",
            ),
            "seed 000, Fouls; contract, Commands",
        ),
        Rule(
            f"{ruleset}.foul.ruling",
            Words("Foul: a person’s ruling", "Фол: решение человека"),
            Words(
                "A moderator who upholds a flagged or reported line gives the foul, unless that line has given one: "
                "no line gives more. The latest ruling stands. Once ruled on, a line cannot be flagged.",
                "Модератор, который подтвердил отмеченную реплику или жалобу, даёт фол, если она его ещё не дала: "
                "больше одного реплика не даёт. Действует последнее решение. После него реплику уже не отмечают.",
            ),
            "seed 000, Fouls; contract, sport fouls",
        ),
    )


def later(ruleset: str) -> tuple[Rule, ...]:
    """Lines of those who have left, and what is taken back."""
    return (
        Rule(
            f"{ruleset}.foul.kept",
            Words("A line of a player who has left", "Реплика выбывшего"),
            Words(
                "A line flagged when its player has left is noted for the moderators and never penalised. A ruling’s "
                "foul for an earlier line of theirs is counted and shown, and has no effect.",
                "Реплика, отмеченная, когда игрок уже ушёл, записывается для модераторов и никогда не наказывается. "
                "Фол по решению за его прежнюю реплику считают и показывают, но ничего за ним не следует.",
            ),
            "contract, sport fouls",
        ),
        Rule(
            f"{ruleset}.foul.cleared",
            Words("Taken back", "Отмена"),
            Words(
                "A moderator who dismisses a line takes back the warning or foul it brought, and what would have come "
                "of that foul and has not yet. What has happened stands.",
                "Модератор, который отклонил реплику, отменяет её предупреждение или фол и то, что из этого фола ещё "
                "не наступило. Что произошло, то в силе.",
            ),
            "contract, sport fouls",
        ),
    )


def count(ruleset: str) -> tuple[Rule, ...]:
    """What fouls do where they neither skip a speech nor remove."""
    return (
        Rule(
            f"{ruleset}.foul.count",
            Words("What fouls do here", "Что здесь дают фолы"),
            Words(
                "Fouls are counted and shown. They skip no speech and remove nobody: in this game people decide, and "
                "may stop it.",
                "Фолы считают и показывают. Речь за них не пропускают и никого не удаляют: в этой игре решают люди, и "
                "они могут её остановить.",
            ),
            "contract, other rulesets",
        ),
    )


def stop(ruleset: str) -> tuple[Rule, ...]:
    """How a game can be stopped."""
    return (
        Rule(
            f"{ruleset}.end.stop",
            Words("Stopping the game", "Остановка игры"),
            Words(
                "Any player, or a moderator, may stop the game. It is abandoned then: nobody wins, and the cards stay "
                "closed.",
                "Остановить игру может любой игрок или модератор. Тогда она прервана: никто не победил, карты "
                "остаются закрытыми.",
            ),
            "seed 004, What are the winning conditions; contract, Commands",
        ),
    )


def presence(ruleset: str) -> tuple[Rule, ...]:
    """Lost connections."""
    return (
        Rule(
            f"{ruleset}.away",
            Words("A lost connection", "Потеря связи"),
            Words(
                "There are {away_s|second|seconds} to come back. The game goes on meanwhile, and what the player "
                "still sends counts.",
                "На возвращение есть {away_s|секунда|секунды|секунд}. Игра тем временем идёт, и то, что игрок "
                "успевает сделать, считается.",
            ),
            "seed 000, What is different online; contract, other rulesets",
        ),
        Rule(
            f"{ruleset}.bot",
            Words("A bot takes the seat", "Место берёт бот"),
            Words(
                "After that a bot plays the seat to the end of the game.",
                "После этого за место до конца игры играет бот.",
            ),
            "seed 000, What is different online; contract, other rulesets",
        ),
    )


def buttons(ruleset: str) -> tuple[Rule, ...]:
    """Captions by button."""
    return (
        Rule(
            f"{ruleset}.day.buttons",
            Words("Captions by button", "Подписи кнопками"),
            Words(
                "Whoever has the floor may show a caption by “Claim” (a card of this game), “Defend” or “Ask” "
                "(another seat).",
                "Тот, у кого слово, может показать подпись кнопкой «Заявка» (карта этой игры), «Защита» или «Вопрос» "
                "(другое место).",
            ),
            "contract, Commands",
        ),
    )


def picks(ruleset: str) -> tuple[Rule, ...]:
    """What a pick is."""
    return (
        Rule(
            f"{ruleset}.night.picks",
            Words("Picks", "Выбор ночью"),
            Words(
                "A pick may be changed until its time is up; the one that stands then counts.",
                "Выбор можно менять, пока идёт его время; считается последний.",
            ),
            "contract, Phases",
        ),
    )


def reveal(ruleset: str) -> tuple[Rule, ...]:
    """What happens to whoever leaves, where cards are shown."""
    return (
        Rule(
            f"{ruleset}.leaving.reveal",
            Words("Leaving the table", "Кто выбывает"),
            Words(
                "The card of whoever leaves is shown to all at once. The player stays to watch, but speaks, votes and "
                "signs no more until the end.",
                "Карту выбывшего сразу видят все. Он может смотреть дальше, но до конца игры больше не говорит, не "
                "голосует и не подаёт знаков.",
            ),
            "seeds 001, 003 and 004; contract, other rulesets",
        ),
    )


def over(ruleset: str) -> tuple[Rule, ...]:
    """The end, where nobody is owed a word."""
    return (
        Rule(
            f"{ruleset}.end.over",
            Words("The end", "Конец игры"),
            Words(
                "The result is looked at after everybody who leaves, before anything else. Once it is certain the "
                "game ends: all cards are opened, all microphones too, and those who have left share their team’s "
                "result.",
                "Результат проверяется после каждого ухода, раньше всего остального. Как только он определён, игра "
                "кончается: открываются все карты и все микрофоны, и выбывшие делят результат своей команды.",
            ),
            "seeds 001 and 004; contract, order of events",
        ),
    )
