"""The days' speeches and nominations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import Refusal
from engine.rulesets.sport import removal
from engine.rulesets.sport.state import numbers, sport
from engine.speaking import own_turn
from engine.voting import put_up

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table


def begin_day(table: Table) -> None:
    """All living seats speak, from the next one after the previous day's opener."""
    state, own = table.state, sport(table)
    table.call_day()
    own.nominated.clear()
    later = [seat for seat in state.living if seat > own.opener]
    earlier = [seat for seat in state.living if seat <= own.opener]
    state.speakers = later + earlier
    own.opener = state.speakers[0]
    next_speech(table)


def next_speech(table: Table) -> None:
    """The next speech, or what a third foul has left of it; after the last one, the vote."""
    state, own = table.state, sport(table)
    while state.speakers:
        seat = state.speakers.pop(0)
        if not table.is_living(seat):
            continue
        if seat not in own.skips:
            table.begin("speech", seat=seat)
        elif len(state.living) <= numbers(table).short_speech_living:
            own.skips.discard(seat)
            table.begin("speech", numbers(table).short_speech_s, seat=seat)
        else:
            own.skips.discard(seat)
            table.begin("short_turn", seat=seat)
        return
    table.turn("vote")


def nominate(table: Table, command: Command) -> None:
    """A seat puts a living seat up for today's vote, the own one allowed."""
    seat, nominated = command.seat, sport(table).nominated
    own_turn(table, command)
    if nominated.get(seat, 0) >= numbers(table).nominations:
        raise Refusal("you have nominated today")
    if command.target in table.state.nominees:
        raise Refusal("this seat is nominated already")
    put_up(table, command)
    nominated[seat] = nominated.get(seat, 0) + 1


def nominate_in_short_turn(table: Table, command: Command) -> None:
    """In a short turn the naming is all there is time for."""
    nominate(table, command)
    table.end_phase()


def speech_ended(table: Table) -> None:
    """Removals that waited for its end come first; one that decides ends the day."""
    if removal.remove_waiting(table) and table.decide():
        table.finish()
    else:
        next_speech(table)


def short_turn_ended(table: Table) -> None:
    """Nobody waits here: removals are done at once."""
    next_speech(table)
