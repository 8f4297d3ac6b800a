"""The days: an open discussion with a floor to hold, nominations seat by seat, defences, and a vote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import floor, voting
from engine.errors import Refusal
from engine.speaking import next_speaker, own_turn
from engine.voting import put_up

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table


def begin_day(table: Table) -> None:
    """All discuss."""
    table.call_day()
    floor.begin_discussion(table)


def discussion_ended(table: Table) -> None:
    """The living seats are asked for a nomination, from seat 1."""
    table.state.speakers = list(table.state.living)
    nomination_ended(table)


def nominate(table: Table, command: Command) -> None:
    """The seat that is asked puts up another living seat."""
    own_turn(table, command)
    if command.target == command.seat:
        raise Refusal("you nominate another seat")
    put_up(table, command)
    table.end_phase()


def nomination_ended(table: Table) -> None:
    """The next seat is asked; after the last one the nominees defend themselves in seating order."""
    if not next_speaker(table, "nomination"):
        table.state.speakers = sorted(table.state.nominees)
        defence_ended(table)


def defence_ended(table: Table) -> None:
    """The next nominee; after the last one, the vote. Without a nominee the day is over."""
    if next_speaker(table, "defence"):
        return
    if table.state.nominees:
        voting.open_round(table, list(table.state.nominees), 1)
    else:
        table.turn("night")


def vote_ended(table: Table) -> None:
    """Most votes leaves; a tie, or no vote for anybody, takes nobody."""
    highest = voting.open_votes(table, default=None)
    if len(highest) > 1:
        table.emit("tie", "all", {"seats": list(highest)})
    voting.settle(table, highest[0] if len(highest) == 1 else None)
