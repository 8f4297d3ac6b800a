"""The words of a protocol in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rulebook.rule import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

COLOURS: Mapping[str, Words] = {"red": Words("red", "красный"), "black": Words("black", "чёрный")}
WINNERS: Mapping[str, Words] = {
    "town": Words("Town", "Город"),
    "mafia": Words("Mafia", "Мафия"),
    "draw": Words("Draw", "Ничья"),
}
STATES: Mapping[str, Words] = {
    "finished": Words("finished", "сыграна"),
    "abandoned": Words("abandoned, no winner", "прервана, без победителя"),
    "unfinished": Words("not finished", "не закончена"),
}
RESULTS: Mapping[str, Words] = {
    "win": Words("win", "победа"),
    "loss": Words("loss", "поражение"),
    "draw": Words("draw", "ничья"),
}
LEFT: Mapping[str, Words] = {
    "shot": Words("shot", "убит"),
    "vote": Words("voted out", "голосование"),
    "lift": Words("lifted", "подъём"),
    "removal": Words("removed", "удалён"),
}
CIRCLES: Mapping[str, Words] = {"night": Words("night {}", "ночь {}"), "day": Words("day {}", "день {}")}

COLUMNS: Mapping[str, Words] = {
    "seat": Words("seat", "место"),
    "name": Words("name", "ник"),
    "card": Words("card", "роль"),
    "team": Words("team", "команда"),
    "result": Words("result", "итог"),
    "points": Words("Σ", "Σ"),
    "extra": Words("Σ+", "Σ+"),
    "best_move": Words("best move", "ЛХ"),
    "best_move_black": Words("best move, black", "ЛХ, чёрных"),
    "first_killed": Words("first killed", "ПУ"),
    "don_checks": Words("don's checks", "Д"),
    "sheriff_checks": Words("sheriff's checks", "Ш"),
    "fouls": Words("fouls", "фолы"),
    "left": Words("left", "ушёл"),
    "when": Words("when", "когда"),
    "votes": Words("votes", "голоса"),
    "votes_for_black": Words("votes for black", "голоса в чёрных"),
}
"""The columns of the table a seat, in their order."""
