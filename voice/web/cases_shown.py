"""A case as moderators are shown it: the line, why it was flagged, what was said around it, and who has it in hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, func, select

from voice.accounts import HOST
from voice.store import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sqlalchemy import Column, FunctionElement, Label, RowMapping

    from voice.accounts import Account
    from voice.store import Store

AROUND: Final = 2  # lines shown before and after
EARLIER: Final = 40  # lines of the same player shown with a case
EARLIER_OF: Final = 1000  # lines of the game that are looked through for them

_CASE: Final = schema.flagged
JOINED: Final = (
    select(
        schema.flagged,
        schema.tables.c.name.label("table_name"),
        schema.people.c.name.label("name"),
        schema.clips.c.seconds.label("clip_s"),
    )
    .join(schema.tables, schema.tables.c.id == _CASE.c.table)
    .outerjoin(schema.people, and_(schema.people.c.table == _CASE.c.table, schema.people.c.seat == _CASE.c.seat))
    .outerjoin(schema.clips, and_(schema.clips.c.table == _CASE.c.table, schema.clips.c.line == _CASE.c.line))
)


async def shown(store: Store, rows: Sequence[RowMapping], who: Account, now: float) -> list[dict[str, Any]]:
    """The rows of JOINED as the console shows them to `who`; `now`: wall clock, s."""
    if not rows:
        return []
    around = await _surroundings(store, rows)
    reporters = await _reporters(store, rows)
    names = await account_names(store)
    return [
        {
            **_line(row),
            "before": around.get((row["table"], row["number"]), ([], []))[0],
            "after": around.get((row["table"], row["number"]), ([], []))[1],
            "reports": reporters.get((row["table"], row["line"]), []),
            "claim": _claim(row, who, names, now),
            "ruled_by": None if row["ruled_by"] is None else names.get(row["ruled_by"], row["ruled_by"]),
        }
        for row in rows
    ]


def _line(row: RowMapping) -> dict[str, Any]:
    appealed = row["appeal_state"] is not None
    return {
        **{name: row[name] for name in ("id", "table", "table_name", "seat", "name", "lang", "line", "text")},
        **{name: row[name] for name in ("category", "severity", "review", "at", "state", "reason", "source")},
        "scores": json.loads(row["scores"]),
        "why": json.loads(row["why"]),
        "queued_at": row["queued_at"],
        "ruled_at": row["ruled_at"],
        "words_gone": row["words_gone_at"] is not None,
        "clip_s": row["clip_s"],
        "appeal": {"state": row["appeal_state"], "text": row["appeal_text"], "at": row["appealed_at"]}
        if appealed
        else None,
    }


def _claim(row: RowMapping, who: Account, names: dict[str, str], now: float) -> dict[str, Any] | None:
    if row["claimed_until"] is None or row["claimed_until"] <= now:
        return None
    by = row["claimed_by"]
    return {"by": names.get(by, by), "mine": by == who.id, "until": row["claimed_until"]}


async def account_names(store: Store) -> dict[str, str]:
    """The names of all accounts by id, the host's among them."""
    rows = await store.read(select(schema.accounts.c.id, schema.accounts.c.name))
    return {HOST.id: HOST.name, **{row["id"]: row["name"] for row in rows}}


async def earlier(store: Store, row: RowMapping) -> list[dict[str, Any]]:
    """What the player of a case said before it in that game, as far as it is kept: `t` (table time, s), `text`."""
    log = schema.log.c
    bodies = await store.read(
        select(log.body)
        .where(log.table == row["table"], log.kind == "line", log.number < row["number"])
        .order_by(log.number.desc())
        .limit(EARLIER_OF)
    )
    lines = [line for each in bodies if (line := json.loads(each["body"])).get("seat") == row["seat"]]
    said = [{"t": line["start"], "text": line["text"]} for line in lines if line.get("text")]
    return said[:EARLIER][::-1]


_Around = tuple[list[dict[str, Any]], list[dict[str, Any]]]


async def _surroundings(store: Store, rows: Sequence[RowMapping]) -> dict[tuple[str, int], _Around]:
    """The lines before and after each row's, by table and number; one query, however many rows."""
    log = schema.log.c

    def shifted(to: Callable[[Column[Any], int], FunctionElement[Any]], name: str, n: int) -> Label[Any]:
        return to(log.body, n).over(partition_by=log.table, order_by=log.number).label(f"{name}_{n}")

    lines = (
        select(
            log.table,
            log.number,
            *(shifted(func.lag, "before", n) for n in range(1, AROUND + 1)),
            *(shifted(func.lead, "after", n) for n in range(1, AROUND + 1)),
        )
        .where(log.kind == "line", log.table.in_({row["table"] for row in rows}))
        .subquery()
    )
    wanted = (
        select(lines)
        .join(_CASE, (_CASE.c.table == lines.c.table) & (_CASE.c.number == lines.c.number))
        .where(_CASE.c.id.in_([row["id"] for row in rows]))
    )
    return {
        (each["table"], each["number"]): (
            _texts(each[f"before_{n}"] for n in range(AROUND, 0, -1)),
            _texts(each[f"after_{n}"] for n in range(1, AROUND + 1)),
        )
        for each in await store.read(wanted)
    }


async def _reporters(store: Store, rows: Sequence[RowMapping]) -> dict[tuple[str, str], list[int]]:
    """The seats that reported each line."""
    reports = schema.reports.c
    found: dict[tuple[str, str], list[int]] = {}
    for each in await store.read(
        select(reports.table, reports.line, reports.seat)
        .where(reports.table.in_({row["table"] for row in rows}))
        .order_by(reports.id)
    ):
        found.setdefault((each["table"], each["line"]), []).append(each["seat"])
    return found


def _texts(bodies: Iterable[str | None]) -> list[dict[str, Any]]:
    spoken = (json.loads(body) for body in bodies if body is not None)
    # A line whose words are deleted tells a moderator nothing.
    return [{"seat": line["seat"], "text": line["text"]} for line in spoken if line.get("text")]
