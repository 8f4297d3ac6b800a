"""What came of a case, for the people whom it concerns: who spoke, and who reported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, or_, select

from voice.store import schema

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, RowMapping

    from voice.store import Store

_CASE = schema.flagged.c

SHOWN_OF_A_HIT: Final = ("start", "end", "rule", "category")  # not what else the recogniser may have heard


def visible() -> ColumnElement[bool]:
    """Of a case: who spoke knows of it. What waits for a person silently, or was dismissed so, is shown to nobody."""
    return or_(_CASE.severity.is_not(None), _CASE.state == "upheld", _CASE.appeal_state.is_not(None))


async def concerned(store: Store, table: str, line: str, seat: int) -> list[str]:
    """The ids of the people at the table who are to hear of a case."""
    people, reports = schema.people.c, schema.reports.c
    spoke = await store.read(select(people.id).where(people.table == table, people.seat == seat))
    told = await store.read(select(reports.person).where(reports.table == table, reports.line == line))
    return [*(row["id"] for row in spoke), *(row["person"] for row in told)]


async def own_cases(store: Store, table: str, seat: int) -> list[dict[str, Any]]:
    """The flagged lines of a seat, for whoever sits there: the line, what was found in it, what a person said of it."""
    rows = await store.read(
        select(schema.flagged).where(_CASE.table == table, _CASE.seat == seat, visible()).order_by(_CASE.id)
    )
    return [_own(row) for row in rows]


async def own_reports(store: Store, table: str, person: str) -> list[dict[str, Any]]:
    """The lines that somebody reported, and how each ended: `open`, `upheld`, `dismissed`, `expired`."""
    reports = schema.reports
    rows = await store.read(
        select(reports.c.line, _CASE.seat, _CASE.state, reports.c.at, _CASE.ruled_at)
        .join(schema.flagged, and_(_CASE.table == reports.c.table, _CASE.line == reports.c.line))
        .where(reports.c.table == table, reports.c.person == person)
        .order_by(reports.c.id)
    )
    return [{name: row[name] for name in ("line", "seat", "state", "at", "ruled_at")} for row in rows]


def appealable(row: RowMapping) -> bool:
    """Whether who spoke may appeal: once, against what stands, while the words are kept."""
    return row["appeal_state"] is None and row["state"] in ("open", "upheld") and row["words_gone_at"] is None


def _own(row: RowMapping) -> dict[str, Any]:
    hits = [{name: hit[name] for name in SHOWN_OF_A_HIT if name in hit} for hit in json.loads(row["why"])]
    return {
        **{name: row[name] for name in ("line", "text", "category", "severity", "state", "reason", "at", "ruled_at")},
        "why": hits,
        "by_person": row["ruled_by"] is not None,
        "appealable": appealable(row),
        "appeal": None
        if row["appeal_state"] is None
        else {"state": row["appeal_state"], "text": row["appeal_text"], "at": row["appealed_at"]},
    }
