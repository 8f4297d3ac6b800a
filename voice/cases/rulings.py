"""What a person decides on a case, and what that changes in the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import case, insert, literal, select, update

from voice.cases import audit
from voice.store import schema

if TYPE_CHECKING:
    from sqlalchemy import Executable

    from voice.accounts import Account


def ruling(number: int, who: Account, uphold: bool, reason: str, now: float) -> list[Executable]:
    """The statements that keep a ruling on case `number`; the latest stands. `now`: wall clock, s.

    Where an appeal is open, the ruling decides it.
    """
    flagged, state = schema.flagged.c, "upheld" if uphold else "dismissed"
    kept = insert(schema.rulings).from_select(
        ["case", "moderator", "uphold", "on_appeal", "reason", "at"],
        select(
            flagged.id,
            literal(who.id),
            literal(uphold),
            flagged.appeal_state.is_not_distinct_from("open"),
            literal(reason),
            literal(now),
        ).where(flagged.id == number),
    )
    changed = (
        update(schema.flagged)
        .where(flagged.id == number)
        .values(
            state=state,
            reason=reason,
            ruled_by=who.id,
            ruled_at=now,
            claimed_by=None,
            claimed_until=None,
            appeal_state=case(
                (flagged.appeal_state == "open", "upheld" if uphold else "overturned"), else_=flagged.appeal_state
            ),
        )
    )
    return [kept, changed, audit.entry(who.id, "ruled", now, case=number, detail={"uphold": uphold})]
