"""A held floor: in an open discussion, one who was interrupted is heard alone for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import Refusal
from engine.numbers import FloorNumbers
from engine.state import Floor
from engine.table import living, rounded

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table


def begin_discussion(table: Table) -> None:
    """An open discussion, in which nobody has held the floor yet."""
    table.state.floors_held.clear()
    table.begin("discussion")


def hold(table: Table, command: Command) -> None:
    """`floor`: this seat alone is heard for `floor_s`, at most to the end of the phase."""
    state, seat = table.state, command.seat
    if not table.is_living(seat):
        raise Refusal("you have left the table")
    if state.floor is not None:
        raise Refusal("somebody holds the floor")
    if seat in state.floors_held:
        raise Refusal("you have held the floor in this discussion")
    ends = state.phase.ends
    assert ends is not None
    assert isinstance(state.numbers, FloorNumbers)
    until = min(rounded(state.now + state.numbers.floor_s), ends)
    state.floors_held.add(seat)
    state.floor = Floor(seat, until)
    table.emit("floor", "all", {"seat": seat, "until": until})
    table.move_mic((seat,))


def end(table: Table) -> None:
    """The floor's time has run out: everybody living is heard again."""
    table.state.floor = None
    table.move_mic(living(table))
