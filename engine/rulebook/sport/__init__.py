"""Sport Mafia's rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rulebook import shared
from engine.rulebook.rule import Book, Section, Words
from engine.rulebook.sport.club import CLUB
from engine.rulebook.sport.day import DAY
from engine.rulebook.sport.differs import DIFFERS
from engine.rulebook.sport.end import END
from engine.rulebook.sport.fouls import FOULS
from engine.rulebook.sport.leaving import LEAVING
from engine.rulebook.sport.night import NIGHT
from engine.rulebook.sport.table import TABLE
from engine.rulebook.sport.vote import VOTE

if TYPE_CHECKING:
    from engine.numbers import Numbers
    from engine.rulesets.base import Ruleset

BEST_MOVES = ("points_best_move_3", "points_best_move_2")


def _values(_rules: Ruleset, _numbers: Numbers) -> dict[str, float]:
    """How many black seats each of the best move's points are for, as their fields' names say; and the club's."""
    named = {f"best_move_{count}_black": float(count) for count in (name.rsplit("_")[-1] for name in BEST_MOVES)}
    return {**named, **CLUB}


BOOK = Book(
    "sport",
    Words("Sport Mafia", "Спортивная мафия"),
    (
        TABLE,
        NIGHT,
        DAY,
        VOTE,
        LEAVING,
        FOULS,
        END,
        Section("online", Words("At an online table", "За сетевым столом"), shared.presence("sport")),
        DIFFERS,
    ),
    {
        "skip_fouls": Words("Fouls that skip a speech", "Фолов до пропуска речи"),
        "removal_fouls": Words("Fouls that remove", "Фолов до удаления"),
        "short_speech_living": Words("Living for a short speech, at most", "Живых для короткой речи, не больше"),
        "nominations": Words("Nominations a player and day", "Выставлений за день на игрока"),
        "first_day_nominees": Words("Nominees for a vote on the first day", "Кандидатур для голосования в первый день"),
        "lift_barred_tied": Words("No lift: so many tied ...", "Нет подъёма: столько равных ..."),
        "lift_barred_living": Words("... while so many are living", "... когда живых столько"),
        "best_move_seats": Words("Seats in a best move, at most", "Мест в лучшем ходе, не больше"),
        "best_move_barred_leavers": Words(
            "No best move: so many left on the first day", "Нет лучшего хода: столько ушло в первый день"
        ),
        "draw_nights": Words("Nights without a leaver for a draw", "Ночей без ушедших до ничьей"),
        "points_win": Words("Points: win", "Очки: победа"),
        "points_loss": Words("Points: loss", "Очки: поражение"),
        "points_draw": Words("Points: draw", "Очки: ничья"),
        "points_best_move_3": Words(
            "Points: best move, {best_move_3_black} black", "Очки: лучший ход, чёрных {best_move_3_black}"
        ),
        "points_best_move_2": Words(
            "Points: best move, {best_move_2_black} black", "Очки: лучший ход, чёрных {best_move_2_black}"
        ),
        "points_removal": Words("Points: removal", "Очки: удаление"),
    },
    _values,
)
