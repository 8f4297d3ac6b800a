"""The state of a game: plain data, compared with `==` and copied with `copy.deepcopy`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from engine.commands import LineId
    from engine.numbers import Numbers
    from engine.stream import Stream


class Phase(NamedTuple):
    """The running phase.

    number: counts this game's phases from 1. ends: table time at which it ends by itself; None for `over`.
    seat: whose phase it is, or None. round: of a vote, from 1.
    """

    name: str
    ends: float | None
    number: int
    seat: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Floor:
    """Who alone is heard in an open discussion, and until which table time."""

    seat: int
    until: float


@dataclass(slots=True)
class Ballot:
    """A day's vote: between whom, in nomination order, and what was answered so far."""

    candidates: list[int] = field(default_factory=list)
    round: int = 0
    votes: dict[int, int | None] = field(default_factory=dict)
    lift: dict[int, bool] = field(default_factory=dict)


@dataclass(slots=True)
class Line:
    """A spoken line that moderation flagged or a player reported.

    ruling: what a person last said of it; None before. warned, fouled, held: what stands because of it now.
    kept: it was flagged after its seat had left.
    """

    seat: int
    category: str | None = None
    flagged: bool = False
    kept: bool = False
    warned: bool = False
    fouled: bool = False
    held: bool = False
    ruling: bool | None = None

    @property
    def stands(self) -> bool:
        """Whether later lines of its seat are judged as repeats of it."""
        if self.kept or self.ruling is False:
            return False
        return self.flagged or self.ruling is True


@dataclass(slots=True)
class Conduct:
    """Fouls by seat, and every line that is known."""

    fouls: dict[int, int] = field(default_factory=dict)
    lines: dict[LineId, Line] = field(default_factory=dict)


@dataclass(slots=True)
class State:
    """Everything a game is.

    own: what only its ruleset knows of. picks: tonight's, by who picked, of the running phase. target: tonight's shot,
    known to nobody before the morning. floors_held: who has held the floor in the running discussion.
    """

    ruleset: str
    numbers: Numbers
    cards: tuple[str, ...]
    mafia: tuple[int, ...]
    stream: Stream
    bots: set[int]
    living: list[int]
    phase: Phase
    own: Any
    now: float = 0.0
    mic: tuple[int, ...] = ()
    night: int = 0
    day: int = 0
    winner: str | None = None
    away: dict[int, float] = field(default_factory=dict)
    speakers: list[int] = field(default_factory=list)
    signs: dict[int, int] = field(default_factory=dict)
    picks: dict[int, int] = field(default_factory=dict)
    target: int | None = None
    floor: Floor | None = None
    floors_held: set[int] = field(default_factory=set)
    nominees: list[int] = field(default_factory=list)
    ballot: Ballot = field(default_factory=Ballot)
    conduct: Conduct = field(default_factory=Conduct)
