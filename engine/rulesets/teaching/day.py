"""The days: everybody speaks, then one nomination, its defence, and a vote on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import voting
from engine.errors import Refusal
from engine.speaking import next_speaker
from engine.voting import put_up

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table


def begin_day(table: Table) -> None:
    """All living seats speak, from the lowest one."""
    table.call_day()
    table.state.speakers = list(table.state.living)
    speech_ended(table)


def speech_ended(table: Table) -> None:
    """The next one speaks; after the last one, anybody may nominate."""
    if not next_speaker(table, "speech"):
        table.begin("nomination")


def nominate(table: Table, command: Command) -> None:
    """Any living seat puts any living seat up, the own one allowed; the first one is the day's."""
    if not table.is_living(command.seat):
        raise Refusal("you have left the table")
    put_up(table, command)
    table.end_phase()


def nomination_ended(table: Table) -> None:
    """The nominee answers; without one the day is over."""
    nominees = table.state.nominees
    if nominees:
        table.begin("defence", seat=nominees[0])
    else:
        table.turn("night")


def defence_ended(table: Table) -> None:
    """All vote for or against removal."""
    voting.open_round(table, list(table.state.nominees), 1)


def vote_ended(table: Table) -> None:
    """More than half of the living seats must be for it."""
    count = voting.count(table, default=None)
    (nominee,) = table.state.ballot.candidates
    voting.settle(table, nominee if 2 * count[nominee] > len(table.state.living) else None)
