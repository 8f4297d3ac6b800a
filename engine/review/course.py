"""The course of a game: its log, with the stage and the living seats at each event."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from engine.errors import shown
from engine.review.log import LogError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.events import Event

Circle: TypeAlias = 'tuple[Literal["night", "day"], int]'
"""A night or a day, by its number."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Where in a game something happened. Before the first night `circle` is None, and `phase` "".

    opened: table time at which the phase began. ends: when it ends by itself.
    """

    circle: Circle | None = None
    phase: str = ""
    seat: int | None = None
    round: int | None = None
    opened: float = 0.0
    ends: float | None = None

    def to_json(self) -> dict[str, object]:
        """`night` or `day`, `phase`, and `seat` and `round` where they apply."""
        stage: dict[str, object] = {}
        if self.circle is not None:
            stage[self.circle[0]] = self.circle[1]
        if self.phase:
            stage["phase"] = self.phase
        if self.seat is not None:
            stage["seat"] = self.seat
        if self.round is not None:
            stage["round"] = self.round
        return stage


@dataclass(frozen=True, slots=True)
class Step:
    """One event in its place. index: from 0. living: the seats at the table before it, sorted."""

    index: int
    event: Event
    stage: Stage
    living: tuple[int, ...]

    @property
    def fields(self) -> Mapping[str, Any]:
        """The event's own fields; their types are the contract's."""
        return self.event.fields

    @property
    def t(self) -> float:
        """The event's table time, in seconds."""
        return self.event.t


@dataclass(frozen=True, slots=True)
class Course:
    """A game from its log. cards: by seat, as dealt; fewer than seats where the log ends within the deal."""

    steps: tuple[Step, ...]
    cards: Mapping[int, str]
    team: tuple[int, ...]
    living: tuple[int, ...]

    def named(self, *names: str) -> list[Step]:
        """The steps whose event has one of these names, in order."""
        return [step for step in self.steps if step.event.name in names]

    @property
    def events(self) -> list[Event]:
        """The log itself."""
        return [step.event for step in self.steps]

    @property
    def state(self) -> Literal["finished", "abandoned", "unfinished"]:
        """Whether the log goes to the game's end."""
        names = {step.event.name for step in self.steps}
        if "abandoned" in names:
            return "abandoned"
        return "finished" if "over" in names else "unfinished"

    @property
    def winner(self) -> str | None:
        """`town`, `mafia` or `draw`; None where the log does not tell."""
        over = self.named("over")
        return str(over[0].fields["winner"]) if over else None

    def is_black(self, seat: int) -> bool:
        """Whether the seat is of the mafia's team."""
        return seat in self.team


@dataclass(slots=True)
class _Fold:
    stage: Stage = field(default_factory=Stage)
    cards: dict[int, str] = field(default_factory=dict)
    team: tuple[int, ...] = ()
    living: tuple[int, ...] = ()
    dealing: bool = True
    ended: bool = False
    t: float = 0.0


def course_of(events: Sequence[Event]) -> Course:
    """The course of a game from its first event on; the log may end anywhere.

    Raises:
        LogError: the log does not begin with a deal, or contradicts itself; the message has the event's number.
    """
    fold = _Fold()
    steps: list[Step] = []
    for index, event in enumerate(events):
        try:
            living = fold.living
            _follow(fold, event)
        except LogError as why:
            raise LogError(f"event {index + 1}: {why}") from None
        steps.append(Step(index, event, fold.stage, living))
    return Course(tuple(steps), fold.cards, fold.team, fold.living)


def _follow(fold: _Fold, event: Event) -> None:
    if event.t < fold.t:
        raise LogError(f"{event.name!r} at {event.t:g} s comes after {fold.t:g} s")
    fold.t = event.t
    fields: Mapping[str, Any] = event.fields
    if event.name == "dealt":
        _deal(fold, fields)
        return
    if not fold.cards:
        raise LogError(f"{event.name!r} before the deal")
    fold.dealing = False
    if fold.ended and event.name != "refused":
        raise LogError(f"{event.name!r} after the game's end")
    _check_seats(fold, event.name, fields)
    _check_cards(fold, event.name, fields)
    if event.name in ("night", "day"):
        circle: Circle = ("night" if event.name == "night" else "day", fields["number"])
        fold.stage = Stage(circle, opened=event.t)
    elif event.name == "phase":
        fold.stage = Stage(
            fold.stage.circle, fields["name"], fields.get("seat"), fields.get("round"), event.t, fields["ends"]
        )
    elif event.name == "left":
        if fields["seat"] not in fold.living:
            raise LogError(f"seat {fields['seat']} leaves, and is not at the table")
        fold.living = tuple(seat for seat in fold.living if seat != fields["seat"])
    elif event.name == "over":
        fold.ended = True


def _deal(fold: _Fold, fields: Mapping[str, Any]) -> None:
    if not fold.dealing:
        raise LogError("a second deal")
    if fields["seat"] != len(fold.cards) + 1:
        raise LogError(f"expected the card of seat {len(fold.cards) + 1}, not of seat {fields['seat']}")
    fold.cards[fields["seat"]] = fields["card"]
    fold.living = tuple(fold.cards)
    team = tuple(fields.get("team", ()))
    if team and fold.team and team != fold.team:
        raise LogError(f"the team is {list(fold.team)}, and to seat {fields['seat']} it is {list(team)}")
    if (fields["seat"] in team) != bool(team):
        raise LogError(f"seat {fields['seat']} is told a team that it is not of")
    fold.team = team or fold.team


def _check_cards(fold: _Fold, name: str, fields: Mapping[str, Any]) -> None:
    """What is said of the cards must be so."""
    said = {int(seat): card for seat, card in fields["cards"].items()} if name == "over" else {}
    if name == "left" and "card" in fields:
        said[fields["seat"]] = fields["card"]
    for seat, card in said.items():
        if fold.cards[seat] != card:
            raise LogError(f"{name!r}: seat {seat} has the card {fold.cards[seat]!r}, not {shown(card)}")
    if name == "over" and len(said) < len(fold.cards):
        raise LogError(f"'over' shows {len(said)} of {len(fold.cards)} cards")
    if name == "answer":
        target, answer = fields["target"], fields["answer"]
        black, sheriff = target in fold.team, fold.cards[target] == "sheriff"
        true = {"black": black, "red": not black, "mafia": black, "not_mafia": not black}
        if not {**true, "sheriff": sheriff, "not_sheriff": not sheriff}[answer]:
            raise LogError(f"'answer': seat {target} has the card {fold.cards[target]!r}, which is not {answer!r}")


def _check_seats(fold: _Fold, name: str, fields: Mapping[str, Any]) -> None:
    named = [fields.get(key) for key in ("seat", "target", "by", "killed")]
    for key in ("seats", "sentence"):
        named += fields.get(key, ())
    for key in ("votes", "cards", "points"):
        named += [int(seat) for seat in fields.get(key, {})]
    if name == "votes":
        named += fields["votes"].values()
    for seat in named:
        if isinstance(seat, int) and not isinstance(seat, bool) and seat not in fold.cards:
            raise LogError(f"{name!r}: there is no seat {shown(seat)} at this table of {len(fold.cards)}")
