"""Seed 000, "How we differ from the club rulebook": every row of that table, in its order."""

from __future__ import annotations

from engine.review.club import Row
from engine.review.sport import penalties
from engine.rulebook.rule import Words


def _nothing(row: str, club: Words, why: Words) -> Row:
    return Row(row, club, None, why, "nothing")


def _cannot(row: str, club: Words, why: Words) -> Row:
    return Row(row, club, None, why, "can't")


CLUB: tuple[Row, ...] = (
    _nothing(
        "deal",
        Words("Cards are dealt by hand and the sheriff shows himself to the host.",
              "Карты раздают руками, шериф показывает себя ведущему."),
        Words("A matter of procedure: no player can break it here.",
              "Это порядок раздачи: нарушить его за нашим столом нельзя."),
    ),
    Row("agreement", Words("The agreement minute runs in full.", "Минута договорки идёт полностью."),
        penalties.agreement_ended_early),
    _nothing(
        "open_vote",
        Words("Hands go up in the open, name by name.", "Голосуют открыто, по каждой кандидатуре."),
        Words("Votes are opened at once: the log holds no hands that came late or were taken down.",
              "Голоса открываются разом: поздних и опущенных рук в журнале нет."),
    ),
    _nothing(
        "accepted",
        Words("“Accepted” is said aloud after each nomination.", "После выставления ведущий вслух говорит «принято»."),
        Words("The answer stands as a caption; nobody is penalised for it.",
              "Ответ появляется подписью; штрафовать не за что."),
    ),
    Row("gestures", Words("The host decides when gesturing is too much; none once the vote has begun.",
                          "Ведущий сам решает, когда жестов слишком много; на голосовании жестов нет."),
        penalties.gestures),
    _cannot(
        "out_of_turn",
        Words("Fouls mostly punish talking out of turn.", "Фолы дают в основном за разговоры вне своей минуты."),
        Words("Microphones are closed outside one's own minute: whoever talked then was heard by nobody.",
              "Вне своей минуты микрофон закрыт: сказанного тогда никто не слышал."),
    ),
    Row("insult", Words("An insult or swearing removes a player at once.", "Оскорбление или брань — сразу удаление."),
        penalties.insults),
    Row("last_word", Words("A violation during one's own last word is a removal and −0.8.",
                           "Нарушение в своём последнем слове — удаление и −0,8."),
        penalties.in_own_last_word),
    Row("fourth_foul", Words("A fourth foul removes a player at once.", "Четвёртый фол удаляет сразу."),
        penalties.removals_that_waited),
    Row("cancelled_vote", Words("A removal cancels the nearest vote.", "Удаление отменяет ближайшее голосование."),
        penalties.cancellations_used_up),
    _nothing(
        "shot_time",
        Words("The rulebook names no time for the shot.", "Время на выстрел в правилах не названо."),
        Words("The clock ends the shot; nobody can be late.", "Выстрел заканчивает таймер, опоздать нельзя."),
    ),
    Row("checks", Words("A repeat check, and a check of a teammate or of a player who is out, is penalised.",
                        "За повторную проверку, проверку своего или выбывшего — штраф."),
        penalties.wasted_checks),
    Row("best_move_seats", Words("The best move may name any seats.", "В лучшем ходе можно назвать любые места."),
        penalties.best_moves_refused),
    Row("draw_nights", Words("Three nights in a row with nobody leaving are a draw, the first night included.",
                             "Три ночи подряд без ушедших — ничья, первая ночь в счёте."),
        penalties.earlier_draw),
    Row("draw_points", Words("A draw pays 0.3 to everyone, minus small penalties.",
                             "За ничью всем по 0,3 минус мелкие штрафы."),
        penalties.draw_points),
    _cannot(
        "extra_points",
        Words("The host may add points, penalties and compensation.",
              "Ведущий может добавить баллы, штрафы и компенсацию."),
        Words("They are one person's judgement of the play; the sheet has room for them.",
              "Это оценка игры человеком; для неё на бланке есть место."),
    ),
    Row("pause", Words("A technical pause can stop the game.", "Игру может остановить техническая пауза."),
        penalties.lost_connections),
    _nothing(
        "phrases",
        Words("The host speaks fixed phrases.", "Ведущий говорит принятые фразы."),
        Words("The host is automatic and its words are the app's.", "Ведущий автоматический, слова у него свои."),
    ),
    Row("oneself", Words("Voting oneself out is penalised.", "За голос против себя — штраф."), penalties.own_votes),
)  # fmt: skip
