"""The vote, its ties, and the lift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import voting
from engine.rulesets.sport import owed, removal
from engine.rulesets.sport.state import numbers, sport
from engine.speaking import next_speaker

if TYPE_CHECKING:
    from engine.table import Table


def begin_vote(table: Table) -> None:
    """The day's vote, where there is one and no removal has cancelled it; else the night.

    Where the day has no vote anyway, a cancellation is used up without a word.
    """
    state = table.state
    needed = numbers(table).first_day_nominees if state.day == 1 else 1
    if len(state.nominees) < needed:
        table.turn("night")
    elif sport(table).cancelled_day == state.day:
        removal.say_cancelled(table)
        table.turn("night")
    else:
        voting.open_round(table, list(state.nominees), 1)


def vote_ended(table: Table) -> None:
    """Most votes leaves; a tie is spoken about and voted on again, or settled by the lift."""
    ballot = table.state.ballot
    tied = voting.open_votes(table, default=ballot.candidates[-1])
    if len(tied) == 1:
        _leave(table, tied, "vote")
        return
    table.emit("tie", "all", {"seats": list(tied)})
    if ballot.round == 1 or len(tied) < len(ballot.candidates):
        ballot.candidates = tied
        table.state.speakers = list(tied)
        _next_tie_speech(table)
    elif _lift_may_be_asked(table, len(tied)):
        ballot.lift = {}
        table.begin("lift")
    else:
        table.turn("night")


def _lift_may_be_asked(table: Table, tied: int) -> bool:
    """Never for the whole table, nor for 3 players out of 9."""
    living, limits = len(table.state.living), numbers(table)
    barred = tied == limits.lift_barred_tied and living == limits.lift_barred_living
    return tied < living and not barred


def _next_tie_speech(table: Table) -> None:
    if not next_speaker(table, "tie_speech"):
        voting.next_round(table)


def tie_speech_ended(table: Table) -> None:
    """A removal that waited for its end ends the tie."""
    if not removal.remove_waiting(table):
        _next_tie_speech(table)
    elif table.decide():
        table.finish()
    else:
        removal.cancel_running_vote(table)


def lift_ended(table: Table) -> None:
    """All tied seats leave where more than half of the table wants it; else all stay."""
    if voting.open_lift(table):
        _leave(table, table.state.ballot.candidates, "lift")
    else:
        table.turn("night")


def _leave(table: Table, seats: list[int], how: str) -> None:
    for seat in seats:
        table.leave(seat, how)
        sport(table).owed.append(("last_word", seat))
    table.decide()
    owed.pay(table, then="night")
