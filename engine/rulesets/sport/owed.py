"""What a leaver is owed: the best move, and the last word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import Refusal
from engine.rulesets.sport import removal
from engine.rulesets.sport.state import numbers, sport
from engine.speaking import own_turn

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table


def pay(table: Table, then: str) -> None:
    """Gives what is owed, one after the other; then comes the turn `then`, or the end of a decided game."""
    sport(table).after_owed = then
    _next(table)


def _next(table: Table) -> None:
    own = sport(table)
    if own.owed:
        phase, seat = own.owed.pop(0)
        table.begin(phase, seat=seat)
    elif table.state.winner is not None:
        table.finish()
    else:
        table.turn(own.after_owed)


def best_move(table: Table, command: Command) -> None:
    """The killed seat names the seats it holds for black."""
    own_turn(table, command)
    named, most = command.seats, numbers(table).best_move_seats
    if len(named) > most or len(set(named)) < len(named):
        raise Refusal(f"a best move names up to {most} different seats")
    if not all(table.is_living(seat) for seat in named):
        raise Refusal("a best move names living seats")
    sport(table).best_moves[command.seat] = named
    table.emit("best_move", "all", {"seat": command.seat, "seats": sorted(named)})
    table.end_phase()


def best_move_ended(table: Table) -> None:
    """Then the last word."""
    _next(table)


def last_word_ended(table: Table) -> None:
    """Removals that waited for its end may decide, but what is still owed is given."""
    if removal.remove_waiting(table):
        table.decide()
    _next(table)
