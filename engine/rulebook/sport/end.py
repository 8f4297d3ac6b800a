"""Sport Mafia: how the game ends."""

from __future__ import annotations

from engine.rulebook.rule import Rule, Section, Words

END = Section(
    "end",
    Words("How the game ends", "Конец игры"),
    (
        Rule(
            "sport.end.town",
            Words("The town wins", "Победа города"),
            Words(
                "The town wins when no black player is left.",
                "Город победил, когда чёрных не осталось.",
            ),
            "seed 000, Win",
        ),
        Rule(
            "sport.end.mafia",
            Words("The mafia win", "Победа мафии"),
            Words(
                "The mafia win when as many black players are left as red ones, or more.",
                "Мафия победила, когда чёрных осталось столько же, сколько красных, или больше.",
            ),
            "seed 000, Win",
        ),
        Rule(
            "sport.end.draw",
            Words("A draw", "Ничья"),
            Words(
                "{draw_nights|shooting night|shooting nights} in a row without anybody leaving by shot, vote, lift or "
                "removal. The agreement night is none of them.",
                "{draw_nights|ночь|ночи|ночей} стрельбы подряд, за которые никто не ушёл выстрелом, голосованием, "
                "подъёмом или удалением. Ночь договорки не в счёт.",
            ),
            "seed 000, Draw; contract, sport",
        ),
        Rule(
            "sport.end.over",
            Words("The end", "Конец игры"),
            Words(
                "When the result is certain, last words still due are spoken; then every card is opened, the points "
                "are shown, and the review can be read.",
                "Когда результат определён, звучат ещё положенные последние слова; потом открываются все карты, "
                "появляются очки и разбор партии.",
            ),
            "seed 000, How the game ends; contract, order of events",
        ),
        Rule(
            "sport.end.no_stop",
            Words("Played to the end", "До конца"),
            Words(
                "Nobody can stop or pause this game; it is played to its end.",
                "Эту игру нельзя ни остановить, ни поставить на паузу; она играется до конца.",
            ),
            "contract, Commands",
        ),
        Rule(
            "sport.points.outcome",
            Words("Points for the result", "Очки за результат"),
            Words(
                "A win brings {points_win}, a loss {points_loss}, a draw {points_draw}.",
                "За победу {points_win}, за поражение {points_loss}, за ничью {points_draw}.",
            ),
            "seed 000, Points",
        ),
        Rule(
            "sport.points.best_move",
            Words("Points for the best move", "Очки за лучший ход"),
            Words(
                "For red players: {best_move_3_black|black seat|black seats} among those named, "
                "{points_best_move_3:+}; {best_move_2_black}, {points_best_move_2:+}.",
                "Только красным: названо чёрных {best_move_3_black} — {points_best_move_3:+}, {best_move_2_black} — "
                "{points_best_move_2:+}.",
            ),
            "seed 000, Points",
        ),
        Rule(
            "sport.points.removal",
            Words("Points for a removal", "Очки за удаление"),
            Words(
                "A removal: {points_removal:+}, whatever the result. All of a player’s points are added up and "
                "rounded to one decimal.",
                "Удаление: {points_removal:+} при любом исходе. Все очки игрока складываются и округляются до одного "
                "знака после запятой.",
            ),
            "seed 000, Points; contract, sport",
        ),
    ),
)
