"""Seats whose connection is lost, and bots that take them over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import Refusal
from engine.table import Table, rounded

if TYPE_CHECKING:
    from engine.commands import Command


def away(table: Table, command: Command) -> None:
    """A seat's connection was lost: it has `away_s` to come back."""
    state, seat = table.state, command.seat
    if seat in state.bots:
        raise Refusal("a bot plays this seat")
    if seat in state.away:
        raise Refusal("this seat is away already")
    until = state.away[seat] = rounded(state.now + state.numbers.away_s)
    table.emit("away", "all", {"seat": seat, "until": until})


def back(table: Table, command: Command) -> None:
    """A seat's connection came back in time."""
    if command.seat not in table.state.away:
        raise Refusal("this seat is not away")
    del table.state.away[command.seat]
    table.emit("back", "all", {"seat": command.seat})


def hand_over(table: Table) -> None:
    """Bots take the seats whose time to come back has run out, to the end of the game."""
    state = table.state
    for seat in [seat for seat, until in state.away.items() if until <= state.now]:
        del state.away[seat]
        state.bots.add(seat)
        table.emit("bot", "all", {"seat": seat})
