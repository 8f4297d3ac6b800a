"""A player's appeal: once, against what stands; somebody else than who ruled decides it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import case, select, update

from voice.cases import audit
from voice.cases.outcomes import appealable, visible
from voice.store import schema

if TYPE_CHECKING:
    from voice.store import Store

_CASE = schema.flagged.c


class AppealError(Exception):
    """An appeal that can't be made; `code` is stable, `message` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


async def appeal(store: Store, table: str, line: str, seat: int, person: str, text: str, now: float) -> None:
    """Appeal against the flag of a line that `seat` spoke; `text`: why. `now`: wall clock, s.

    Where nobody has ruled on the line yet, it keeps its place in the queue; else it waits anew.
    Raises AppealError: `no_line`, `appealed`, `not_appealable`.
    """
    mine = _CASE.table == table, _CASE.line == line, _CASE.seat == seat, visible()
    rows = await store.read(select(schema.flagged).where(*mine))
    if not rows:
        raise AppealError("no_line", "no line of yours was flagged here")
    row = rows[0]
    if row["appeal_state"] is not None:
        raise AppealError("appealed", "you have appealed against this already: an appeal can be made once")
    if not appealable(row):
        raise AppealError(
            "not_appealable", "there is nothing to appeal against: it does not stand, or its time is over"
        )
    ruled = _CASE.state != "open"
    await store.write(
        [
            update(schema.flagged)
            .where(_CASE.id == row["id"], _CASE.appeal_state.is_(None), _CASE.state.in_(("open", "upheld")))
            .values(
                appeal_state="open",
                appeal_text=text,
                appealed_at=now,
                queued_at=case((ruled, now), else_=_CASE.queued_at),
                # Whoever has a ruling of their own in hand, to correct it, has it no more: it is another's now.
                claimed_by=case((ruled, None), else_=_CASE.claimed_by),
                claimed_until=case((ruled, None), else_=_CASE.claimed_until),
            ),
            audit.entry(person, "appealed", now, case=row["id"]),
        ]
    )
