"""Who has been gone for too long is away; who came back is back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voice.table.batch import Batch
    from voice.table.running import Running
    from voice.table.table import Table


def settle(table: Table, running: Running, moment: float, now: float, batch: Batch) -> None:
    """Tell the game of those whose time to come back is up by `moment` (of the clock) and of those who are back.

    `now` is the same in table time, s.
    """
    absent = table.audience.absent
    if running.play.over:
        absent.clear()
        return
    for person, when in list(absent.items()):
        seat = table.people[person].seat
        if when <= moment and seat is not None:
            del absent[person]
            if seat not in running.play.away and seat not in running.play.bots:
                running.presence(seat, "away", now, batch)
                table.unplug(seat)
    for seat in sorted(running.play.away):
        holder = table.people[running.play.started.seats[seat]]
        # Who gave the seat up may still have the page open in this moment: they are not back.
        if holder.token_hash is not None and table.audience.connected(holder.id):
            running.presence(seat, "back", now, batch)
