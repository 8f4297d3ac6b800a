"""How long the words and the sound of a case are kept, and their deletion.

What stays of a case is that there was one: its seat, rule, category, scores and outcome, for the figures.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import structlog
from sqlalchemy import case, delete, select, update

from voice.cases import audit
from voice.store import schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Executable, RowMapping

    from voice.store import Store

logger = structlog.get_logger(__name__)

CASES_AT_ONCE: Final = 50  # in one transaction: other tables' events wait for it

_CASE = schema.flagged.c


async def forget_evidence(store: Store, keep_s: float, now: float) -> int:
    """Delete the words and clips of every line that became a case `keep_s` before `now` (wall clock, s); of how many.

    A case on which nobody ruled in that time expires, as does an appeal that nobody decided: nothing is left to judge
    by. Raises SQLAlchemyError.
    """
    shadows = schema.shadows.c
    await store.write([update(schema.shadows).where(shadows.at <= now - keep_s, shadows.text != "").values(text="")])
    return await forget_where(store, _CASE.at <= now - keep_s, now)


async def forget_where(store: Store, due: ColumnElement[bool], now: float) -> int:
    """Delete the words and clips of these cases; of how many. Raises SQLAlchemyError."""
    gone = 0
    while rows := await store.read(
        select(_CASE.id, _CASE.table, _CASE.line, _CASE.why, _CASE.state)
        .where(due, _CASE.words_gone_at.is_(None))
        .order_by(_CASE.id)
        .limit(CASES_AT_ONCE)
    ):
        await store.write([each for row in rows for each in _forget(row, now)])
        gone += len(rows)
    if gone:
        logger.info("the words of cases are deleted", cases=gone)
    return gone


def _forget(row: RowMapping, now: float) -> Sequence[Executable]:
    clips, shadows = schema.clips.c, schema.shadows.c
    rules = [{"rule": hit["rule"], "category": hit["category"]} for hit in json.loads(row["why"])]
    return [
        delete(schema.clips).where(clips.table == row["table"], clips.line == row["line"]),
        update(schema.shadows).where(shadows.table == row["table"], shadows.line == row["line"]).values(text=""),
        update(schema.rulings).where(schema.rulings.c.case == row["id"]).values(reason=""),
        update(schema.flagged)
        .where(_CASE.id == row["id"])
        .values(
            text="",
            why=json.dumps(rules),
            reason="",
            appeal_text="",
            words_gone_at=now,
            state=case((_CASE.state == "open", "expired"), else_=_CASE.state),
            appeal_state=case((_CASE.appeal_state == "open", "expired"), else_=_CASE.appeal_state),
            claimed_by=None,
            claimed_until=None,
        ),
        audit.entry(audit.SERVER, "words deleted", now, case=row["id"]),
    ]
