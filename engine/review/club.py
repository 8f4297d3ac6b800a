"""Where a club host would have penalised or done otherwise: seed 000, "How we differ from the club rulebook".

Every row of that table is here, in its order. A row is `derived` from the log, has `nothing` in it that a game could
show, or is one that a log `can't` tell; the last two say why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from engine.review import penalties
from engine.rulebook.rule import Lang, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from engine.review.course import Course
    from engine.review.penalties import Finding
    from engine.review.played import Played
    from engine.review.players import Player
    from engine.review.timeline import SpokenLine

Finder: TypeAlias = "Callable[[Course, Played, Mapping[int, Player], Sequence[SpokenLine]], Iterator[Finding]]"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table. club: what a club does. find: the places in a game where it matters, where a log has them.

    why: where it has none, why.
    """

    id: str
    club: Words
    find: Finder | None = None
    why: Words | None = None
    can: Literal["derived", "nothing", "can't"] = "derived"


def _nothing(row: str, club: Words, why: Words) -> Row:
    return Row(row, club, None, why, "nothing")


def _cannot(row: str, club: Words, why: Words) -> Row:
    return Row(row, club, None, why, "can't")


SPORT: tuple[Row, ...] = (
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

TABLES: Mapping[str, tuple[Row, ...]] = {"sport": SPORT}
"""The table of each ruleset that has one; the others are house games without a club."""


def club_of(
    course: Course, played: Played, players: Mapping[int, Player], lines: Sequence[SpokenLine], lang: Lang
) -> list[dict[str, Any]]:
    """The table's rows with what was found for each, as JSON objects; none for a ruleset without a club rulebook."""
    rows: list[dict[str, Any]] = []
    for row in TABLES.get(played.ruleset, ()):
        found = row.find(course, played, players, lines) if row.find is not None else ()
        said: dict[str, Any] = {"row": row.id, "club": row.club.say(lang), "can": row.can}
        if row.why is not None:
            said["why"] = row.why.say(lang)
        rows.append(said | {"found": [finding.to_json(lang) for finding in found]})
    return rows
