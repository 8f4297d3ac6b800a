"""What happened, night by night and day by day: each phase with all that came in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.review.course import Circle, Course, Stage, Step


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A caption of the game, where its host has kept them. line: its id, as `warned` and the like name it.

    start, end: table times in seconds. by: `voice` or `bot`.
    """

    line: int | str
    seat: int
    text: str
    start: float
    end: float
    by: str

    def to_json(self) -> dict[str, object]:
        """As it stands in a timeline: an item called `line`."""
        return {
            "t": self.start, "event": "line", "line": self.line, "seat": self.seat, "text": self.text,
            "end": self.end, "by": self.by,
        }  # fmt: skip


@dataclass(slots=True)
class PhaseRecord:
    """One phase. until: when it really ended; None where the log ends in it. happened: in order, as JSON objects."""

    stage: Stage
    until: float | None = None
    happened: list[dict[str, object]] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        """Its name, seat and round, its times, and what happened in it."""
        record: dict[str, object] = {"phase": self.stage.phase}
        if self.stage.seat is not None:
            record["seat"] = self.stage.seat
        if self.stage.round is not None:
            record["round"] = self.stage.round
        return record | {
            "t": self.stage.opened, "ends": self.stage.ends, "until": self.until, "happened": self.happened
        }  # fmt: skip


@dataclass(slots=True)
class CircleRecord:
    """A night or a day. living: the seats at the table as it begins."""

    circle: Circle
    t: float
    living: tuple[int, ...]
    phases: list[PhaseRecord] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        """`night` or `day` with its number, then its phases."""
        phases = [phase.to_json() for phase in self.phases]
        return {self.circle[0]: self.circle[1], "t": self.t, "living": list(self.living), "phases": phases}


_OF_THE_FRAME = frozenset({"dealt", "night", "day", "phase", "mic", "refused"})
"""Told by the records themselves, or of one seat alone."""


def timeline_of(course: Course, lines: Sequence[SpokenLine] = ()) -> list[CircleRecord]:
    """The game's nights and days in order. A line stands in the phase in which it began."""
    circles: list[CircleRecord] = []
    ballots = Ballots()
    picks = standing_picks(course)
    for step in course.steps:
        name = step.event.name
        ballots.follow(step)
        if name in ("night", "day") and step.stage.circle is not None:
            _close(circles, step.t)
            circles.append(CircleRecord(step.stage.circle, step.t, step.living))
        elif name == "phase" and circles:
            _close(circles, step.t)
            circles[-1].phases.append(PhaseRecord(step.stage))
        elif name not in _OF_THE_FRAME and circles and circles[-1].phases:
            item: dict[str, object] = {"t": step.t, "event": name, "index": step.index, **step.fields}
            if name == "votes":
                item |= {"candidates": ballots.candidates, "count": counted(step.fields["votes"])}
            elif name == "pick":
                item["stands"] = step.index in picks
            circles[-1].phases[-1].happened.append(item)
    _add_lines(circles, lines)
    return circles


def _close(circles: Sequence[CircleRecord], t: float) -> None:
    if circles and circles[-1].phases:
        circles[-1].phases[-1].until = t


def _add_lines(circles: Sequence[CircleRecord], lines: Sequence[SpokenLine]) -> None:
    phases = [phase for circle in circles for phase in circle.phases]
    for line in lines:
        begun = [phase for phase in phases if phase.stage.opened <= line.start]
        if begun:
            begun[-1].happened.append(line.to_json())
    for phase in phases:
        phase.happened.sort(key=_time)  # stable: events of one time keep their order


def _time(item: Mapping[str, Any]) -> float:
    t: float = item["t"]
    return t


def counted(votes: Mapping[str, int | None]) -> dict[str, int]:
    """How many votes each seat got, most first, then by seat."""
    count = Counter(target for target in votes.values() if target is not None)
    return {str(seat): count[seat] for seat in sorted(count, key=lambda seat: (-count[seat], seat))}


def standing_picks(course: Course) -> dict[int, Step]:
    """The picks that stood when their night phase ended, by their events' indexes; a running phase counts as ended."""
    standing: dict[int, Step] = {}
    latest: dict[int, Step] = {}
    for step in course.steps:
        if step.event.name == "phase":
            standing |= {pick.index: pick for pick in latest.values()}
            latest = {}
        elif step.event.name == "pick":
            latest[step.fields["seat"]] = step
    return standing | {pick.index: pick for pick in latest.values()}


def saves_of(course: Course) -> dict[Circle, int]:
    """The seat that a protection has saved, by night: every living mafia seat shot at it, and nobody was killed."""
    shots: dict[Circle, dict[int, int]] = {}
    protected: dict[Circle, int] = {}
    saves: dict[Circle, int] = {}
    for step in standing_picks(course).values():
        night = step.stage.circle
        if night is not None and step.stage.phase == "shot":
            shots.setdefault(night, {})[step.fields["seat"]] = step.fields["target"]
        elif night is not None and step.stage.phase == "protect":
            protected[night] = step.fields["target"]
    for morning in course.named("morning"):
        night = morning.stage.circle
        if morning.fields["killed"] is None and night in protected:
            seat, made = protected[night], shots.get(night, {})
            if all(made.get(shooter) == seat for shooter in course.team if shooter in morning.living):
                saves[night] = seat
    return saves


@dataclass(slots=True)
class Ballots:
    """Follows a day's vote. candidates: between whom the running or last round is, in their order."""

    candidates: list[int] = field(default_factory=list)
    _nominees: list[int] = field(default_factory=list)
    _tied: list[int] = field(default_factory=list)

    def follow(self, step: Step) -> None:
        """Takes in the next event."""
        fields = step.fields
        match step.event.name:
            case "day":
                self._nominees, self._tied = [], []
            case "nominated":
                if fields["seat"] not in self._nominees:
                    self._nominees.append(fields["seat"])
            case "tie":
                self._tied = list(fields["seats"])
            case "phase":
                if fields["name"] == "vote":
                    first = self._nominees or list(step.living)
                    self.candidates = list(self._tied if fields.get("round", 1) > 1 and self._tied else first)
            case _:
                pass
