"""The table as the rules see it: the state, and the only pen that writes events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine.commands import Command
from engine.events import Audience, Event
from engine.state import Phase, State

if TYPE_CHECKING:
    from engine.rulesets.base import Ruleset

OVER = "over"

TIME_DIGITS = 9
"""Table times are rounded to nanoseconds, so that 60 + 19.9 + 0.1 is 80 and a deadline is met exactly."""


def rounded(t: float) -> float:
    """A table time as the engine keeps it."""
    return round(float(t), TIME_DIGITS)


class Table:
    """A game's state under its ruleset. `out` collects the events of the call that is being answered."""

    __slots__ = ("out", "rules", "state")

    def __init__(self, state: State, rules: Ruleset) -> None:
        self.state = state
        self.rules = rules
        self.out: list[Event] = []

    # what is written

    def emit(self, name: str, to: Audience, fields: dict[str, object]) -> None:
        """Writes one event at the present time."""
        self.out.append(Event(self.state.now, name, to, fields))

    def begin(
        self, name: str, seconds: float | None = None, *, seat: int | None = None, vote_round: int | None = None
    ) -> None:
        """Begins a phase, `<name>_s` long unless `seconds` says otherwise, and moves the microphones."""
        state = self.state
        ends = None
        if name != OVER:
            length: float = getattr(state.numbers, f"{name}_s") if seconds is None else seconds
            ends = rounded(state.now + length)
        state.phase = Phase(name, ends, state.phase.number + 1, seat, vote_round)
        fields: dict[str, object] = {"name": name, "ends": ends}
        if seat is not None:
            fields["seat"] = seat
        if vote_round is not None:
            fields["round"] = vote_round
        self.emit("phase", "all", fields)
        step = self.rules.steps[name]
        if step.speech:
            state.signs.clear()
        state.floor = None
        self.move_mic(step.mic(self))

    def move_mic(self, seats: tuple[int, ...]) -> None:
        """Opens the microphones of `seats`, sorted, and closes all others."""
        if seats != self.state.mic:
            self.state.mic = seats
            self.emit("mic", "all", {"seats": list(seats)})

    def end_phase(self) -> None:
        """Ends the running phase, be it by its time or by what was done in it."""
        self.rules.steps[self.state.phase.name].ended(self)

    def turn(self, name: str) -> None:
        """Goes on with a turn of the game that the ruleset names, such as its night."""
        self.rules.turns[name](self)

    def call_day(self) -> None:
        """The next day breaks; nobody is nominated in it yet."""
        self.state.day += 1
        self.state.nominees.clear()
        self.emit("day", "all", {"number": self.state.day})

    def leave(self, seat: int, how: str) -> None:
        """A living seat leaves the table."""
        self.state.living.remove(seat)
        fields: dict[str, object] = {"seat": seat, "how": how}
        if self.rules.reveals:
            fields["card"] = self.card(seat)
        self.emit("left", "all", fields)
        self.rules.left(self, seat, how)

    def decide(self) -> bool:
        """Looks whether the result is certain, says so once, and returns whether it is."""
        state = self.state
        if state.winner is None:
            state.winner = self.rules.winner(self)
            if state.winner is not None:
                self.emit("decided", (), {"winner": state.winner})
        return state.winner is not None

    def finish(self) -> None:
        """Ends a decided game."""
        state = self.state
        assert state.winner is not None
        self.begin(OVER)
        cards = {str(seat): card for seat, card in enumerate(state.cards, start=1)}
        fields: dict[str, object] = {"winner": state.winner, "cards": cards}
        points = self.rules.points(self)
        if points is not None:
            fields["points"] = {str(seat): value for seat, value in points.items()}
        self.emit("over", "all", fields)

    # what is asked

    def card(self, seat: int) -> str:
        """The card of a seat at the table."""
        return self.state.cards[seat - 1]

    def is_mafia(self, seat: int) -> bool:
        """Whether a seat at the table is of the mafia's team."""
        return seat in self.state.mafia

    def is_living(self, seat: int) -> bool:
        """Whether `seat`, which may be any number, is a living seat of this table."""
        return seat in self.state.living

    def is_seat(self, seat: object) -> bool:
        """Whether `seat` is the number of a seat of this table, living or not."""
        return isinstance(seat, int) and 1 <= seat <= len(self.state.cards)

    def living_mafia(self) -> list[int]:
        """The living seats of the mafia's team, sorted."""
        return [seat for seat in self.state.living if seat in self.state.mafia]


Ended: TypeAlias = Callable[[Table], None]
Action: TypeAlias = Callable[[Table, Command], None]
"""Does a command, or raises Refusal before anything was changed."""


def nobody(_table: Table) -> tuple[int, ...]:
    """No microphone is open."""
    return ()


def its_seat(table: Table) -> tuple[int, ...]:
    """The microphone of the phase's own seat is open."""
    seat = table.state.phase.seat
    assert seat is not None
    return (seat,)


def living(table: Table) -> tuple[int, ...]:
    """The microphones of all living seats are open."""
    return tuple(table.state.living)


def everybody(table: Table) -> tuple[int, ...]:
    """Every microphone is open, the leavers' included."""
    return tuple(range(1, len(table.state.cards) + 1))


@dataclass(frozen=True, slots=True)
class Step:
    """A kind of phase: whose microphone is open, what may be done in it, and what follows.

    speech: hand signs are counted anew in it.
    """

    ended: Ended
    actions: Mapping[str, Action]
    mic: Callable[[Table], tuple[int, ...]] = nobody
    speech: bool = False


def _never(_table: Table) -> None:
    raise AssertionError("the phase `over` does not end")


OVER_STEP = Step(_never, {}, everybody)
