"""The third and the fourth foul: a skipped speech, and removal with the vote it cancels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rulesets.sport.state import numbers, sport

if TYPE_CHECKING:
    from engine.table import Table

AT_ONCE = frozenset({"short_turn", "vote", "lift", "best_move"})
"""Where nobody speaks and it is not night, a removal does not wait."""


def holds_line_foul(table: Table, seat: int) -> bool:
    """A machine's finding alone never removes a player."""
    return table.state.conduct.fouls.get(seat, 0) + 1 >= numbers(table).removal_fouls


def fouled(table: Table, seat: int) -> None:
    """A living seat has one foul more."""
    own, fouls = sport(table), table.state.conduct.fouls[seat]
    if fouls == numbers(table).skip_fouls:
        own.skips.add(seat)
    if fouls >= numbers(table).removal_fouls and seat not in own.waiting:
        own.waiting.append(seat)
        if table.state.phase.name in AT_ONCE:
            _remove_at_once(table)


def foul_taken_back(table: Table, seat: int) -> None:
    """What has not happened yet does not happen."""
    own, fouls = sport(table), table.state.conduct.fouls[seat]
    if fouls < numbers(table).skip_fouls:
        own.skips.discard(seat)
    if fouls < numbers(table).removal_fouls and seat in own.waiting:
        own.waiting.remove(seat)


def remove_waiting(table: Table) -> bool:
    """Those who wait leave, in the order of their fourth fouls. Returns whether anybody did.

    Outside a running vote this cancels one: that of the day whose speeches are running, else the coming day's.
    """
    state, own = table.state, sport(table)
    if not own.waiting:
        return False
    waiting, own.waiting = own.waiting, []
    for seat in waiting:
        own.removed.add(seat)
        table.leave(seat, "removal")
    before_vote = state.phase.name in ("speech", "short_turn")
    own.cancelled_day = state.day if before_vote else state.day + 1
    return True


def cancel_running_vote(table: Table) -> None:
    """A removal has ended the vote, its tie or its lift: the night comes."""
    sport(table).cancelled_day = table.state.day
    say_cancelled(table)
    table.turn("night")


def say_cancelled(table: Table) -> None:
    """Tells the table that this day has no vote any more."""
    table.emit("vote_cancelled", "all", {"day": table.state.day})


def _remove_at_once(table: Table) -> None:
    phase = table.state.phase
    seats = list(sport(table).waiting)
    remove_waiting(table)
    decided = table.decide()
    if phase.name == "best_move":
        return  # it is owed, and goes on
    if decided:
        table.finish()
    elif phase.name != "short_turn":
        cancel_running_vote(table)
    elif phase.seat in seats:
        table.turn("next_speech")
