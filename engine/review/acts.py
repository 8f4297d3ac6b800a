"""Each act of the host with the rules it went by, as `engine.rulebook` names them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.events import VOTED_OUT
from engine.review.timeline import saves_of
from engine.rulebook import cite, rule_ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.review.course import Course, Step
    from engine.review.played import Played
    from engine.rulebook.rule import Lang


@dataclass(frozen=True, slots=True)
class Act:
    """One act of the host. index: its event's. seat: whom it concerns, where it does.

    rules: ids of the rulebook, the nearest one first; empty for a ruleset that has no rulebook.
    """

    index: int
    t: float
    event: str
    seat: int | None
    rules: tuple[str, ...]

    def to_json(self, ruleset: str, lang: Lang) -> dict[str, Any]:
        """Every field by its name; each rule with its heading."""
        rules = [{"id": rule, "heading": cite(ruleset, rule).heading.say(lang)} for rule in self.rules]
        return {"index": self.index, "t": self.t, "event": self.event, "seat": self.seat, "rules": rules}


def acts_of(course: Course, played: Played) -> list[Act]:
    """What the host did, in order, with the rules. What the seats themselves did is no act of the host.

    A rule is cited under the first of the names below that the ruleset's rulebook has.
    """
    rulebook = frozenset(rule_ids(played.ruleset))
    context = _Context(course)
    acts: list[Act] = []
    for step in course.steps:
        context.follow(step)
        named = (f"{played.ruleset}.{name}" for name in _names(step, context, played))
        rules = tuple(dict.fromkeys(name for name in named if name in rulebook))
        if step.event.name not in SEATS_OWN and (rules or not rulebook):
            acts.append(Act(step.index, step.t, step.event.name, step.fields.get("seat"), rules))
    return acts


SEATS_OWN = frozenset({"pick", "best_move", "signed", "said", "reported", "decided"})
"""What the seats do, and what only the stored game says."""

PHASES: Mapping[str, tuple[str, ...]] = {
    "agreement": ("night.agreement",),
    "recognition": ("night.recognition",),
    "shot": ("night.shot", "night.called"),
    "don_check": ("night.don_check", "night.called"),
    "sheriff_check": ("night.sheriff_check", "night.called"),
    "check": ("night.check", "night.called"),
    "protect": ("night.protect", "night.called"),
    "speech": ("day.speech",),
    "short_turn": ("foul.skip",),
    "discussion": ("day.discussion",),
    "nomination": ("nomination.asked", "nomination.accepted"),
    "defence": ("vote.defence",),
    "vote": ("vote.ballot",),
    "tie_speech": ("runoff.speech", "vote.tie"),
    "lift": ("vote.lift",),
    "best_move": ("leaving.best_move",),
    "last_word": ("leaving.last_word",),
    "over": ("end.over", "end.stop"),
}

REFUSALS: Mapping[str, tuple[str, ...]] = {
    "order": ("night.order",),
    "ok": ("night.ok",),
    "shoot": ("night.shot",),
    "protect": ("night.repeat", "night.protect"),
    "nominate": ("nomination.refused", "nomination.accepted"),
    "vote": ("vote.ballot",),
    "lift": ("vote.lift",),
    "best_move": ("leaving.best_move",),
    "sign": ("day.signs",),
    "say": ("day.buttons",),
    "floor": ("day.floor",),
    "pass": ("day.pass",),
    "report": ("foul.report",),
    "line": ("foul.line",),
    "ruling": ("foul.ruling",),
    "stop": ("end.no_stop", "end.stop"),
    "away": ("away",),
    "back": ("away",),
}


MOMENT_S = 1e-6
"""Two lengths that differ by less are the same: table times are rounded sums."""


class _Context:
    """What the choice of a rule looks back at."""

    def __init__(self, course: Course) -> None:
        self.saves = saves_of(course)
        self.nominees: set[int] = set()
        self.voted = self.cancelled = self.tied = self.taken = self.lifted = False
        self.abstained = self.repeated = False
        self.first_killed: int | None = None
        self.best_move_asked = self.best_move_made = self.removed = False
        self.agreement_ends = 0.0

    def follow(self, step: Step) -> None:
        """Takes in the next event."""
        match step.event.name:
            case "day":
                self.nominees = set()
                self.voted = self.cancelled = self.tied = self.taken = self.lifted = False
            case "nominated":
                self.repeated = step.fields["seat"] in self.nominees
                self.nominees.add(step.fields["seat"])
            case "votes":
                self.voted, self.tied, self.taken = True, False, False
                self.abstained = not any(step.fields["votes"].values())
            case "tie":
                self.tied = True
            case "lifted":
                self.lifted = True
            case "vote_cancelled":
                self.cancelled = True
            case "left" if step.fields["how"] in VOTED_OUT:
                self.taken = True
            case "left" if step.fields["how"] == "shot" and step.stage.circle == ("night", 2):
                self.first_killed = step.fields["seat"]
            case "left" if step.fields["how"] == "removal":
                self.removed = True
            case "best_move":
                self.best_move_made = True
            case "phase" if step.fields["name"] == "best_move":
                self.best_move_asked = True
            case "phase" if step.fields["name"] == "agreement":
                self.agreement_ends = step.fields["ends"] or 0.0
            case _:
                pass


def _names(step: Step, context: _Context, played: Played) -> Iterator[str]:
    fields = step.fields
    match step.event.name:
        case "dealt":
            yield from ("deal", "seats")
        case "night":
            yield from _night(step, context)
        case "day":
            if step.t < context.agreement_ends:
                yield "night.ok"
            yield from ("day.opener", "morning")
        case "phase":
            yield from _phase(step, context, played)
        case "mic":
            yield "day.mic"
            yield from PHASES.get(step.stage.phase, ())
        case "order" if fields["by"] == "lot":
            yield from ("night.lot", "night.order")
        case "order":
            yield "night.order"
        case "answer":
            yield from PHASES.get(step.stage.phase, ())[:1]
        case "morning":
            yield from _morning(step, context)
        case "nominated":
            if context.repeated:
                yield "nomination.repeat"
            yield "nomination.accepted"
        case "floor":
            yield "day.floor"
        case "votes":
            yield "runoff.vote" if fields["round"] > 1 else "vote.ballot"
            yield from ("vote.revote",) if fields["round"] > 1 else ()
            yield "vote.ballot"
            if None in fields["votes"].values():
                yield "vote.uncast"
        case "tie":
            yield "vote.tie"
        case "lifted":
            yield "vote.lift"
        case "left":
            yield from LEAVING[fields["how"]]
            yield from ("leaving.reveal", "closed")
        case "warned":
            yield "foul.warning"
        case "fouled":
            yield from _fouled(step, played)
        case "held" | "kept" | "cleared" | "vote_cancelled":
            yield f"foul.{step.event.name}"
        case "away" | "back":
            yield "away"
        case "bot":
            yield from ("bot", "away")
        case "over":
            yield f"end.{fields['winner']}"
            yield "end.over"
            if "points" in fields:
                yield "points.outcome"
                yield from ("points.best_move",) if context.best_move_made else ()
                yield from ("points.removal",) if context.removed else ()
        case "abandoned":
            yield "end.stop"
        case "refused":
            yield from _refused(step)
        case _:
            pass


LEAVING: Mapping[str, tuple[str, ...]] = {
    "shot": ("night.kill",),
    "vote": ("vote.leaves",),
    "lift": ("vote.lift",),
    "removal": ("foul.removal",),
}


def _night(step: Step, context: _Context) -> Iterator[str]:
    if step.fields["number"] == 1:
        yield from ("night.agreement", "night.recognition", "night.called")
        return
    if context.voted and not (context.taken or context.tied):
        yield from ("vote.stays", "vote.pass") if context.abstained else ("vote.stays",)
    elif context.tied and not context.taken:
        yield from ("vote.lift_barred", "vote.tie") if not context.lifted else ()
    elif not (context.voted or context.cancelled):
        if context.nominees:
            yield "vote.first_day"
        yield from ("vote.none", "nomination.none")
    yield "night.called"


def _phase(step: Step, context: _Context, played: Played) -> Iterator[str]:
    fields, stage = step.fields, step.stage
    if stage.phase == "vote" and fields.get("round", 1) > 1:
        yield from ("vote.revote", "runoff.vote")
    length_s = getattr(played.numbers, f"{stage.phase}_s", 0.0)
    ends = stage.ends if stage.ends is not None else math.inf
    if stage.phase == "speech" and ends - stage.opened < length_s - MOMENT_S:
        yield from ("foul.short_speech", "foul.skip")
    yield from PHASES.get(stage.phase, ())
    if stage.phase == "last_word" and fields.get("seat") == context.first_killed and not context.best_move_asked:
        yield "leaving.best_move_none"


def _morning(step: Step, context: _Context) -> Iterator[str]:
    if step.fields["killed"] is not None:
        yield "night.kill"
    elif step.stage.circle in context.saves:
        yield "night.saved"
    else:
        yield "night.miss"
    yield "morning"


def _fouled(step: Step, played: Played) -> Iterator[str]:
    fields: Mapping[str, Any] = step.fields
    yield f"foul.{fields['why']}"
    if fields["fouls"] == getattr(played.numbers, "skip_fouls", None):
        yield "foul.skip"
    if fields["fouls"] >= getattr(played.numbers, "removal_fouls", float("inf")):
        yield "foul.removal"
    yield "foul.count"


def _refused(step: Step) -> Iterator[str]:
    do = step.fields.get("do", "")
    yield from REFUSALS.get(do, ())
    yield from PHASES.get(step.stage.phase, ())
