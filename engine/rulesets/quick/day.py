"""The days: an open discussion, then a vote among all living seats, with a runoff where that is agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import voting
from engine.errors import Refusal
from engine.rulesets.quick.state import numbers
from engine.speaking import next_speaker

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table


def begin_day(table: Table) -> None:
    """All discuss."""
    table.call_day()
    table.begin("discussion")


def discussion_ended(table: Table) -> None:
    """Every living seat is up for the vote."""
    voting.open_round(table, list(table.state.living), 1)


def vote(table: Table, command: Command) -> None:
    """A living seat votes for another one."""
    if command.target == command.seat:
        raise Refusal("you vote for another seat")
    voting.vote(table, command)


def vote_ended(table: Table) -> None:
    """A unique highest number of votes takes its seat out; a tie may lead to one runoff."""
    ballot = table.state.ballot
    highest = voting.open_votes(table, default=None)
    if len(highest) < 2:
        voting.settle(table, highest[0] if highest else None)
        return
    table.emit("tie", "all", {"seats": list(highest)})
    if numbers(table).runoff and ballot.round == 1:
        ballot.candidates = highest
        table.state.speakers = list(highest)
        tie_speech_ended(table)
    else:
        voting.settle(table, None)


def tie_speech_ended(table: Table) -> None:
    """The next tied seat speaks; after the last one, the runoff."""
    if not next_speaker(table, "tie_speech"):
        voting.next_round(table)
