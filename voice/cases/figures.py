"""How the check and its judges do: what was flagged, what of it stood, and how long people waited."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, func, select

from voice.store import schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import RowMapping

    from voice.store import Store

CASES_LIMIT: Final = 50_000  # the newest, of one answer

_CASE = schema.flagged.c


async def figures(store: Store, since: float) -> dict[str, Any]:
    """Counts of the cases since a moment (wall clock, s), in all, by category, by rule and by language.

    `overturned`: a person dismissed what the check had flagged, or an appeal did. `time_to_ruling_s`: from a case's
    coming to its first ruling.
    """
    rows = await store.read(
        select(
            *(_CASE.id, _CASE.category, _CASE.lang, _CASE.why, _CASE.source, _CASE.severity),
            *(_CASE.state, _CASE.appeal_state),
        )
        .where(_CASE.at >= since)
        .order_by(_CASE.id.desc())
        .limit(CASES_LIMIT)
    )
    return {
        "since": since,
        "all": _counts(rows),
        "by_category": _by(rows, lambda row: [row["category"] or "none"]),
        "by_rule": _by(rows, lambda row: sorted({hit["rule"] for hit in json.loads(row["why"])})),
        "by_lang": _by(rows, lambda row: [row["lang"]]),
        "by_source": _by(rows, lambda row: [row["source"]]),
        "appeals": _appeals(rows),
        "reports": await _reports(store, since),
        "moderators": await _moderators(store, since),
        "time_to_ruling_s": await _waits(store, since),
        "shadow": await _shadow(store, since),
    }


def _counts(rows: Iterable[RowMapping]) -> dict[str, int]:
    states = Counter(row["state"] for row in rows)
    return {
        "flagged": sum(states.values()),
        "upheld": states["upheld"],
        "overturned": states["dismissed"],
        "open": states["open"],
        "expired": states["expired"],
    }


def _by(rows: Sequence[RowMapping], of: Any) -> list[dict[str, Any]]:
    groups: defaultdict[str, list[RowMapping]] = defaultdict(list)
    for row in rows:
        for name in of(row):
            groups[name].append(row)
    counted = [{"name": name, **_counts(found)} for name, found in groups.items()]
    return sorted(counted, key=lambda each: (-each["flagged"], each["name"]))


def _appeals(rows: Iterable[RowMapping]) -> dict[str, int]:
    states = Counter(row["appeal_state"] for row in rows if row["appeal_state"] is not None)
    return {
        "made": sum(states.values()),
        **{name: states[name] for name in ("upheld", "overturned", "open", "expired")},
    }


async def _reports(store: Store, since: float) -> dict[str, int]:
    reports = schema.reports.c
    rows = await store.read(
        select(_CASE.state, func.count().label("count"))
        .join(schema.reports, and_(reports.table == _CASE.table, reports.line == _CASE.line))
        .where(reports.at >= since)
        .group_by(_CASE.state)
    )
    states: Mapping[str, int] = Counter({row["state"]: row["count"] for row in rows})
    return {"made": sum(states.values()), **{name: states[name] for name in ("upheld", "dismissed", "open", "expired")}}


async def _moderators(store: Store, since: float) -> list[dict[str, Any]]:
    """Who ruled how often, and how many of their rulings an appeal turned over."""
    rulings, accounts = schema.rulings.c, schema.accounts.c
    rows = await store.read(
        select(rulings.id, rulings.case, rulings.moderator, rulings.uphold, rulings.on_appeal, accounts.name)
        .outerjoin(schema.accounts, accounts.id == rulings.moderator)
        .where(rulings.at >= since)
        .order_by(rulings.id)
    )
    made, turned = Counter[str](), Counter[str]()
    before: dict[int, str] = {}
    for row in rows:
        name = row["name"] or row["moderator"]
        made[name] += 1
        if row["on_appeal"] and not row["uphold"] and row["case"] in before:
            turned[before[row["case"]]] += 1
        before[row["case"]] = name
    return [{"name": name, "rulings": count, "overturned": turned[name]} for name, count in sorted(made.items())]


async def _waits(store: Store, since: float) -> dict[str, float | int | None]:
    rulings = schema.rulings.c
    first = select(rulings.case, func.min(rulings.at).label("at")).group_by(rulings.case).subquery()
    rows = await store.read(
        select((first.c.at - _CASE.at).label("waited"))
        .join(schema.flagged, _CASE.id == first.c.case)
        .where(_CASE.at >= since)
    )
    waited = sorted(row["waited"] for row in rows)
    return {
        "n": len(waited),
        **{
            name: round(waited[min(len(waited) - 1, int(share * len(waited)))], 1) if waited else None
            for name, share in (("p50", 0.5), ("p95", 0.95))
        },
    }


async def _shadow(store: Store, since: float) -> list[dict[str, Any]]:
    """What each rule in the shadow would have flagged, and how much of it others flagged anyway."""
    shadows = schema.shadows.c
    rows = await store.read(
        select(shadows.rule, func.count().label("lines"), func.sum(shadows.flagged).label("anyway"))
        .where(shadows.at >= since)
        .group_by(shadows.rule)
        .order_by(shadows.rule)
    )
    return [{"rule": row["rule"], "lines": row["lines"], "anyway": row["anyway"]} for row in rows]
