"""Who has which case in hand: one person at a time, until they rule, let go, go away, or do nothing for too long.

A claim is a lease in the case's own row. Every change of it is one statement whose conditions are checked where it is
written, so two people never get the same case, whatever they ask for at the same moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, or_, select, update

from voice.accounts import seats_of
from voice.cases import audit
from voice.store import schema

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Executable, Update

    from voice.accounts import Account
    from voice.store import Store

LEASE_S: Final = 300.0
"""How long a claim lasts without a sign of life."""

_CASE: Final = schema.flagged.c


class ClaimError(Exception):
    """A case that this person can't have in hand; `code` is stable, `message` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def waiting() -> ColumnElement[bool]:
    """Of a case: somebody must rule on it."""
    return or_(_CASE.state == "open", _CASE.appeal_state.is_not_distinct_from("open"))


def anothers(who: Account) -> ColumnElement[bool]:
    """Of a case: not of a table at which `who` sat."""
    return _CASE.table.not_in(seats_of(who))


def judgeable(who: Account) -> ColumnElement[bool]:
    """Of a case that waits: `who` is no party to it, and an appeal is not against their own ruling."""
    return and_(
        anothers(who), or_(_CASE.appeal_state.is_distinct_from("open"), _CASE.ruled_by.is_distinct_from(who.id))
    )


def correctable(who: Account) -> ColumnElement[bool]:
    """Of a case that was ruled on: `who` may change that. After an appeal nobody may."""
    own = _CASE.ruled_by == who.id
    return and_(anothers(who), _CASE.state.in_(("upheld", "dismissed")), _CASE.appeal_state.is_(None), own)


def free(now: float) -> ColumnElement[bool]:
    """Of a case: nobody has it in hand."""
    return or_(_CASE.claimed_until.is_(None), _CASE.claimed_until <= now)


async def held_by(store: Store, who: Account, now: float) -> int | None:
    """The case that `who` has in hand."""
    rows = await store.read(select(_CASE.id).where(_CASE.claimed_by == who.id, _CASE.claimed_until > now))
    return rows[0]["id"] if rows else None


async def claim_oldest(store: Store, who: Account, now: float) -> int | None:
    """The case that has waited longest, now in the hands of `who`; None where none is free for them.

    Who has a case in hand already gets that one again.
    """
    held = await held_by(store, who, now)
    if held is not None:
        await store.write([renewed(who, now)])
        return held
    oldest = (
        select(_CASE.id)
        .where(waiting(), judgeable(who), free(now))
        .order_by(_CASE.queued_at, _CASE.id)
        .limit(1)
        .scalar_subquery()
    )
    await store.write([_let_go(who), _take(who, now).where(_CASE.id == oldest)])
    held = await held_by(store, who, now)
    if held is not None:
        await store.write([audit.entry(who.id, "claimed", now, case=held)])
    return held


async def claim(store: Store, case: int, who: Account, now: float) -> None:
    """Take one case, and let go of another. Raises ClaimError: `no_line`, `own_table`, `own_ruling`,
    `claimed`, `decided`."""
    if await held_by(store, who, now) == case:
        await store.write([renewed(who, now)])
        return
    may = or_(and_(waiting(), judgeable(who)), correctable(who))
    other = schema.flagged.alias()
    taken = select(other.c.id).where(other.c.id == case, other.c.claimed_by == who.id, other.c.claimed_until > now)
    let_go = _let_go(who).where(_CASE.id != case, taken.exists())  # who does not get it keeps what they have
    await store.write([_take(who, now).where(_CASE.id == case, free(now), may), let_go])
    if await held_by(store, who, now) != case:
        raise await _why_not(store, case, who, now)
    await store.write([audit.entry(who.id, "claimed", now, case=case)])


async def release(store: Store, who: Account, now: float, *, why: str) -> int | None:
    """Whatever `who` has in hand is free again; which case that was. `why`: for the audit."""
    held = await held_by(store, who, now)
    if held is not None:
        await store.write([_let_go(who), audit.entry(who.id, "released", now, case=held, detail={"why": why})])
    return held


async def hold(store: Store, case: int, who: Account, now: float) -> None:
    """Make sure that the case is in the hands of `who` while its ruling is carried out: for LEASE_S more.

    Raises ClaimError `not_claimed`.
    """
    await store.write([renewed(who, now)])
    if await held_by(store, who, now) != case:
        raise ClaimError("not_claimed", "this case is not in your hands (any more): claim it first")


def renewed(who: Account, now: float) -> Executable:
    """The statement by which what `who` has in hand stays there: they are at work on it."""
    return (
        update(schema.flagged)
        .where(_CASE.claimed_by == who.id, _CASE.claimed_until > now)
        .values(claimed_until=now + LEASE_S)
    )


def _take(who: Account, now: float) -> Update:
    return update(schema.flagged).values(claimed_by=who.id, claimed_until=now + LEASE_S)


def _let_go(who: Account) -> Update:
    return update(schema.flagged).where(_CASE.claimed_by == who.id).values(claimed_by=None, claimed_until=None)


async def _why_not(store: Store, case: int, who: Account, now: float) -> ClaimError:
    known = _CASE.state, _CASE.appeal_state, _CASE.ruled_by
    rows = await store.read(
        select(*known, anothers(who).label("anothers"), free(now).label("free")).where(_CASE.id == case)
    )
    if not rows:
        return ClaimError("no_line", "there is no such case")
    row = rows[0]
    if not row["anothers"]:
        return ClaimError("own_table", "you sat at this table: somebody else must judge its cases")
    if row["appeal_state"] == "open" and row["ruled_by"] == who.id:
        return ClaimError("own_ruling", "this appeal is against your own ruling: somebody else must decide")
    if not row["free"]:
        return ClaimError("claimed", "somebody else has this case in hand")
    return ClaimError("decided", "this case is decided")
