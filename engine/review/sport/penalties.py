"""The places in a game of sport Mafia where a club host would have acted otherwise, one finder a row of the table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.commands import is_form_refusal
from engine.review.club import Finding
from engine.review.timeline import Ballots
from engine.rulebook.rule import Words
from engine.rulesets.sport.numbers import SportNumbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.review.course import Course, Stage, Step
    from engine.review.played import Played
    from engine.review.players import Player
    from engine.review.timeline import SpokenLine

CLUB_DRAW_POINTS = 0.3
"""What the club rulebook pays everyone for a draw (seed 000)."""

VOTING = frozenset({"vote", "lift"})
IN_VOTE = frozenset({"vote", "tie_speech", "lift"})


def _numbers(played: Played) -> SportNumbers:
    assert isinstance(played.numbers, SportNumbers)
    return played.numbers


def agreement_ended_early(
    course: Course, _played: Played, _players: Mapping[int, Player], _lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """ "OK" ended the agreement before its time."""
    stage: Stage | None = None
    for step in course.steps:
        if step.event.name == "phase" and stage is None and step.stage.phase == "agreement":
            stage = step.stage
        elif stage is not None and step.event.name in ("phase", "day", "left"):
            if stage.ends is not None and step.t < stage.ends:
                note = Words("the minute would have run on", "минута шла бы дальше")
                yield Finding(step.t, stage, None, note, {"left_s": round(stage.ends - step.t, 3)})
            return


def gestures(
    course: Course, _played: Played, _players: Mapping[int, Player], _lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """Sign sentences beyond the fixed number, where a host would have judged by eye; and signs tried in a vote.

    Fewer signs, with which a host may have lost patience too, a log can't tell.
    """
    for step in course.named("fouled", "refused"):
        if step.event.name == "fouled" and step.fields["why"] == "signs":
            note = Words("would have judged the gestures by eye", "судил бы о жестах на глаз")
            yield Finding(step.t, step.stage, step.fields["seat"], note)
        elif step.fields.get("do") == "sign" and step.stage.phase in VOTING:
            yield Finding(
                step.t, step.stage, step.fields.get("seat"),
                Words("a foul for gesturing in the vote", "фол за жесты на голосовании"),
            )  # fmt: skip


def insults(
    course: Course, _played: Played, players: Mapping[int, Player], _lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """Lines that were warned of, fouled or held, and not taken back since. `sure`: the row names that kind of line."""
    note = Words("removed at once", "удаление сразу")
    cleared = {(step.fields["seat"], step.fields["line"]) for step in course.named("cleared")}
    taken_back = {
        mark["index"] for player in players.values() for mark in (*player.warnings, *player.fouls) if mark["taken_back"]
    }
    for step in course.named("warned", "fouled", "held"):
        fields = step.fields
        if step.index in taken_back or fields.get("why") == "signs":
            continue
        if step.event.name == "held" and (fields["seat"], fields["line"]) in cleared:
            continue
        category = fields.get("category")
        yield Finding(step.t, step.stage, fields["seat"], note, {"category": category, "sure": category == "insult"})


def in_own_last_word(
    course: Course, _played: Played, _players: Mapping[int, Player], lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """Lines flagged in a last word (`kept`), and signs tried there. Where the log has the spoken lines, a line counts
    by when it was spoken; else by when it was flagged. What nobody flagged, a log can't tell."""
    spoken = {str(line.line): line.start for line in lines}
    phases = course.named("phase")
    note = Words("a removal and −0.8", "удаление и −0,8")
    ends = [phase.t for phase in phases[1:]] + [math.inf]
    for here, until in zip(phases, ends, strict=False):
        if here.stage.phase != "last_word":
            continue
        seat = here.stage.seat
        for step in course.named("kept", "refused"):
            if step.fields.get("seat") != seat:
                continue
            if step.event.name == "kept":
                at = spoken.get(str(step.fields["line"]), step.t)
                if here.t <= at < until:
                    yield Finding(at, here.stage, seat, note, {"category": step.fields["category"]})
            elif step.fields.get("do") == "sign" and step.stage == here.stage:
                yield Finding(step.t, here.stage, seat, note, {"why": step.fields["why"]})


def removals_that_waited(
    course: Course, played: Played, _players: Mapping[int, Player], _lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """How long after the fourth foul each removed seat stayed."""
    last: dict[int, Step] = {}
    for step in course.steps:
        if step.event.name == "fouled" and step.fields["fouls"] == _numbers(played).removal_fouls:
            last[step.fields["seat"]] = step
        elif step.event.name == "left" and step.fields["how"] == "removal":
            foul = last.get(step.fields["seat"])
            if foul is not None and step.t > foul.t:
                note = Words("would have left at the foul", "вышел бы сразу после фола")
                later_s = round(step.t - foul.t, 3)
                yield Finding(foul.t, foul.stage, step.fields["seat"], note, {"left_t": step.t, "later_s": later_s})


def cancellations_used_up(
    course: Course, _played: Played, _players: Mapping[int, Player], _lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """Removals whose day had no vote to cancel; at a club the next one would have been."""
    cancelled = {step.fields["day"] for step in course.named("vote_cancelled")}
    votes = sorted({step.stage.circle[1] for step in course.named("votes") if step.stage.circle is not None})
    over = {step.fields["number"] - 1 for step in course.named("night")}  # night 2 follows day 1, and so on
    note = Words("the next vote would have been cancelled", "отменилось бы следующее голосование")
    for step in course.named("left"):
        if step.fields["how"] != "removal" or step.stage.circle is None or step.stage.phase in IN_VOTE:
            continue
        kind, number = step.stage.circle
        this_day = kind == "night" or step.stage.phase in ("speech", "short_turn")
        day = number if this_day else number + 1
        if day in over and day not in cancelled:
            later = [vote for vote in votes if vote > day]
            more = {"day": day, "next_vote_day": later[0] if later else None}
            yield Finding(step.t, step.stage, step.fields["seat"], note, more)


def wasted_checks(
    course: Course, _played: Played, players: Mapping[int, Player], _lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """Checks that were refused, and those that the sheriff made again. Stored games of a server keep no refusals: there
    only the repeated ones are found."""
    note = Words("a penalty for a wasted check", "штраф за пустую проверку")
    checked: set[tuple[int, int]] = set()
    for step in course.named("answer", "refused"):
        fields = step.fields
        if step.event.name == "answer":
            pair = (fields["seat"], fields["target"])
            if pair in checked:
                yield Finding(step.t, step.stage, fields["seat"], note, {"target": fields["target"]})
            checked.add(pair)
        elif _refused_own(step, players, "check"):
            yield Finding(step.t, step.stage, fields["seat"], note, {"why": fields["why"]})


def _refused_own(step: Step, players: Mapping[int, Player], do: str) -> bool:
    """Whether it is a well-formed command that the phase was there for, refused to whom it was there for."""
    fields = step.fields
    if fields.get("do") != do or fields.get("seat") not in step.living or is_form_refusal(do, fields["why"]):
        return False
    return step.stage.phase == f"{players[fields['seat']].card}_check"


def best_moves_refused(
    course: Course, _played: Played, _players: Mapping[int, Player], _lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """Best moves that named a seat that has left, or the own one. A server's stored game keeps no refusals."""
    for step in course.named("refused"):
        fields = step.fields
        own = step.stage.phase == "best_move" and step.stage.seat == fields.get("seat")
        if own and fields.get("do") == "best_move" and not is_form_refusal("best_move", fields["why"]):
            note = Words("might have stood at a club", "в клубе могли бы принять")
            yield Finding(step.t, step.stage, fields["seat"], note, {"why": fields["why"]})


def earlier_draw(
    course: Course, played: Played, _players: Mapping[int, Player], _lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """Where three nights in a row without anybody leaving, the agreement counted, came before the game's own end."""
    idle, left_tonight = 0, False
    for step in course.steps:
        if step.event.name == "night":
            left_tonight = False
        elif step.event.name == "left":
            idle, left_tonight = 0, True
        elif step.event.name in ("decided", "over"):
            return
        elif step.event.name == "morning" or (step.event.name == "day" and step.fields["number"] == 1):
            idle += not left_tonight and step.fields.get("killed") is None
            if idle == _numbers(played).draw_nights:
                note = Words("a draw here", "здесь была бы ничья")
                if not _draw_at(course, step):
                    yield Finding(step.t, step.stage, None, note)
                return


def _draw_at(course: Course, step: Step) -> bool:
    """Whether the game itself was a draw at this morning."""
    after = course.steps[step.index + 1 : step.index + 2]
    return bool(after) and after[0].event.name == "decided"


def draw_points(
    course: Course, played: Played, players: Mapping[int, Player], _lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """What everyone would have got for a draw; the small penalties a log can't tell."""
    if course.winner == "draw":
        over = course.named("over")[0]
        note = Words("0.3 points for the draw", "0,3 балла за ничью")
        for seat in sorted(players):
            more = {"points": CLUB_DRAW_POINTS, "here": _numbers(played).points_draw}
            yield Finding(over.t, over.stage, seat, note, more)


def lost_connections(
    course: Course, _played: Played, players: Mapping[int, Player], _lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """Lost connections, at which a club may have paused."""
    for step in course.named("away"):
        player = players[step.fields["seat"]]
        away = next(each for each in player.away if each["time"] == step.t)
        note = Words("a technical pause", "техническая пауза")
        more = {"back_t": away["back"], "bot_t": player.bot_since if away["back"] is None else None}
        yield Finding(step.t, step.stage, player.seat, note, more)


def own_votes(
    course: Course, _played: Played, _players: Mapping[int, Player], _lines: Sequence[SpokenLine]
) -> Iterator[Finding]:
    """Votes of a seat against itself. Whether it cast one, or it counted as the last nominee's because none was cast, a
    log can't tell: `maybe_uncast` says that the seat was the last nominee, so that it may be either."""
    note = Words("a penalty for voting oneself out", "штраф за голос против себя")
    ballots = Ballots()
    for step in course.steps:
        ballots.follow(step)
        if step.event.name != "votes":
            continue
        left = _left_next(course, step)
        for voter, target in step.fields["votes"].items():
            if target == int(voter):
                last = ballots.candidates[-1:] == [target]
                more = {"round": step.fields["round"], "left": target in left, "maybe_uncast": last}
                yield Finding(step.t, step.stage, target, note, more)


def _left_next(course: Course, step: Step) -> set[int]:
    left: set[int] = set()
    for after in course.steps[step.index + 1 :]:
        if after.event.name != "left":
            break
        left.add(after.fields["seat"])
    return left
