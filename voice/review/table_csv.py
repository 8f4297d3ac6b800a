"""The game as a table with one row a seat, in the columns that club tables use."""

from __future__ import annotations

import csv
import io
import unicodedata
from typing import TYPE_CHECKING

from engine.rulebook.labels import CARDS
from voice.review.words import CIRCLES, COLOURS, COLUMNS, LEFT, RESULTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.review import Review
    from engine.review.players import Player
    from engine.rulebook.rule import Lang

FORMULA = ("=", "+", "-", "@")
"""What makes a spreadsheet take a cell for a formula."""


def csv_table(review: Review, names: Mapping[int, str], lang: Lang) -> str:
    """The table as CSV (RFC 4180, UTF-8): a head of `COLUMNS`, then the seats in order.

    Checks stand as `5 black; 7 red`, seats of a best move as `1 5 9`. What the game does not have is left empty.

    Raises:
        SheetError: what is in the log can't stand on a sheet.
    """
    review.check_sheet()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([heading.say(lang) for heading in COLUMNS.values()])
    for player in review.players.values():
        row = _row(review, player, names, lang)
        writer.writerow([row[column] for column in COLUMNS])
    return text.getvalue()


def _row(review: Review, player: Player, names: Mapping[int, str], lang: Lang) -> dict[str, str]:
    points = review.points[player.seat] if review.points is not None else None
    counts = review.statistics[player.seat - 1]
    result, death = result_of(review, player), player.death
    named = player.best_move
    return {
        "seat": str(player.seat),
        "name": safe(names.get(player.seat, "")),
        "card": CARDS[player.card].say(lang) if player.card in CARDS else safe(player.card),
        "team": COLOURS[player.colour].say(lang),
        "result": RESULTS[result].say(lang) if result is not None else "",
        "points": "" if points is None else number(points.total),
        "extra": "" if points is None or points.extra is None else number(points.extra),
        "best_move": "" if named is None else " ".join(map(str, named)),
        "best_move_black": "" if named is None else str(counts["best_move_black"]),
        "first_killed": "1" if player.first_killed else "",
        "don_checks": _checks(player) if player.card == "don" else "",
        "sheriff_checks": _checks(player) if player.card in ("sheriff", "detective") else "",
        "fouls": str(player.fouls_standing),
        "left": "" if death is None else LEFT[death["how"]].say(lang),
        "when": "" if death is None else when(player, lang),
        "votes": str(counts["votes"]),
        "votes_for_black": str(counts["votes_for_black"]),
    }


def _checks(player: Player) -> str:
    return "; ".join(f"{check['target']} {check['answer']}" for check in player.checks)


def result_of(review: Review, player: Player) -> str | None:
    """`win`, `loss` or `draw` for a seat; None where the game has no result."""
    winner = review.course.winner
    if winner is None or winner == "draw":
        return winner
    return "win" if (player.colour == "black") == (winner == "mafia") else "loss"


def when(player: Player, lang: Lang) -> str:
    """The night or day on which a seat left; "" for one that stayed."""
    for kind, words in CIRCLES.items():
        if player.death is not None and kind in player.death:
            return words.say(lang).format(player.death[kind])
    return ""


def number(value: float) -> str:
    """A number of points: no trailing noughts, no minus nought."""
    return f"{round(value, 2) + 0.0:g}"


def safe(text: str) -> str:
    """`text` as no spreadsheet takes it for a formula, and on one line."""
    line = " ".join("".join(" " if unicodedata.category(each) == "Cc" else each for each in text).split())
    first = unicodedata.normalize("NFKC", line.lstrip())[:1]
    return f"'{line}" if first in FORMULA and first else line
