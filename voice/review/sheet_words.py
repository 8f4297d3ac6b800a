"""The words printed on a protocol sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rulebook.rule import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

SHEET: Mapping[str, Words] = {
    "title": Words("Game protocol", "Протокол игры"),
    "reverse": Words("Game protocol: reverse", "Протокол игры: оборот"),
    "votings_on": Words("Game protocol: votings, continued", "Протокол игры: голосования, продолжение"),
    "tournament": Words("Tournament", "Турнир"),
    "stage": Words("Stage", "Этап"),
    "date": Words("Date", "Дата"),
    "table_no": Words("Table №", "Стол №"),
    "game_no": Words("Game №", "Игра №"),
    "no": Words("№", "№"),
    "nick": Words("Nick", "Ник"),
    "role": Words("Role", "Роль"),
    "fouls": Words("Fouls", "Фолы"),
    "left": Words("Left", "Выбыл"),
    "points": Words("Points", "Очки"),
    "extra": Words("Extra", "Доп."),
    "winner": Words("Winning team", "Победила команда"),
    "best_move": Words("Best move by player №", "Лучший ход игрока №"),
    "protest": Words("Protest", "Протест"),
    "judge": Words("Judge", "Судья"),
    "signature": Words("Signature", "Подпись"),
    "votings": Words("Votings", "Голосования"),
    "day": Words("Day {}", "День {}"),
    "day_short": Words("d", "д"),
    "night_short": Words("n", "н"),
    "candidates": Words("Candidates", "Кандидаты"),
    "votes": Words("Votes", "Голоса"),
    "revote": Words("Re-vote, round {}", "Перегол., круг {}"),
    "lift": Words("All leave: yes", "Подъём: за"),
    "of": Words("of", "из"),
    "gone": Words("Left", "Ушли"),
    "nobody_gone": Words("Nobody left", "Никто не ушёл"),
    "reasons": Words("Reasons for extra points and penalties", "Обоснование дополнительных баллов и штрафов"),
    "protest_comments": Words("Comments on the protest", "Комментарии к протесту"),
    "for_best_move": Words("Seat {}: {} for the best move {}; {} of them black.",
                           "Место {}: {} за лучший ход {}; из них чёрных {}."),
    "for_removal": Words("Seat {}: {} for a removal.", "Место {}: {} за удаление."),
    "club": Words("A club host: {}, {}.", "Ведущий клуба: {}, {}."),
    "club_seats": Words("A club host: {}, {}, seat {}.", "Ведущий клуба: {}, {}, место {}."),
    "more": Words("… and {} lines more, in the JSON export.", "… и ещё строк: {}, они есть в выгрузке JSON."),
}  # fmt: skip
