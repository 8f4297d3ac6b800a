"""Votes: casting, counting and telling them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.errors import Refusal

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table


def put_up(table: Table, command: Command) -> None:
    """Notes and tells the nomination of a living seat. One that is up already stays one nominee.

    Raises:
        Refusal: the target is no living seat.
    """
    target, nominees = command.target, table.state.nominees
    if not table.is_living(target):
        raise Refusal("this is no living seat")
    if target not in nominees:
        nominees.append(target)
    table.emit("nominated", "all", {"seat": target, "by": command.seat})


def vote(table: Table, command: Command) -> None:
    """A living seat votes for a candidate; the vote ends when all have voted."""
    cast(table, command.seat, command.target)


def cast(table: Table, seat: int, target: int | None) -> None:
    """The same as a call; `target` None abstains."""
    ballot = table.state.ballot
    if not table.is_living(seat):
        raise Refusal("you have left the table")
    if seat in ballot.votes:
        raise Refusal("you have voted already")
    if target is not None and target not in ballot.candidates:
        raise Refusal("this seat is not up for the vote")
    ballot.votes[seat] = target
    if len(ballot.votes) == len(table.state.living):
        table.end_phase()


def abstain(table: Table, command: Command) -> None:
    """A living seat votes for nobody; the vote ends when all have voted."""
    cast(table, command.seat, None)


def lift(table: Table, command: Command) -> None:
    """A living seat answers whether all tied seats should leave; the question ends when all have."""
    ballot, seat = table.state.ballot, command.seat
    if not table.is_living(seat):
        raise Refusal("you have left the table")
    if seat in ballot.lift:
        raise Refusal("you have answered already")
    ballot.lift[seat] = command.yes
    if len(ballot.lift) == len(table.state.living):
        table.end_phase()


def open_round(table: Table, candidates: list[int], number: int) -> None:
    """Begins round `number` of the vote between `candidates`, in nomination order."""
    ballot = table.state.ballot
    ballot.candidates, ballot.round, ballot.votes = candidates, number, {}
    table.begin("vote", vote_round=number)


def next_round(table: Table) -> None:
    """Votes once more between the ballot's candidates."""
    ballot = table.state.ballot
    open_round(table, ballot.candidates, ballot.round + 1)


def open_votes(table: Table, default: int | None) -> list[int]:
    """Opens all votes at once; those not cast count for `default`.

    Returns the candidates with the most votes above nought, in the candidates' order.
    """
    votes = count(table, default)
    most = max(votes.values(), default=0)
    return [seat for seat in table.state.ballot.candidates if votes[seat] == most] if most else []


def count(table: Table, default: int | None) -> Counter[int]:
    """Opens all votes at once, as `open_votes` does, and returns the number of votes for each seat."""
    ballot = table.state.ballot
    votes = {seat: ballot.votes.get(seat, default) for seat in table.state.living}
    opened: dict[str, int | None] = {str(seat): target for seat, target in votes.items()}
    table.emit("votes", "all", {"round": ballot.round, "votes": opened})
    return Counter(target for target in votes.values() if target is not None)


def settle(table: Table, out: int | None) -> None:
    """The day's end where it has no last words: `out`, or nobody, leaves by the vote; then the night, or the end."""
    if out is not None:
        table.leave(out, "vote")
        if table.decide():
            table.finish()
            return
    table.turn("night")


def open_lift(table: Table) -> bool:
    """Tells the answers to the lift; one not given counts as no. Returns whether more than half said yes."""
    ballot, living = table.state.ballot, table.state.living
    answers = {seat: ballot.lift.get(seat, False) for seat in living}
    leave = 2 * sum(answers.values()) > len(living)
    votes: dict[str, bool] = {str(seat): yes for seat, yes in answers.items()}
    table.emit("lifted", "all", {"votes": votes, "leave": leave})
    return leave
