"""All that is kept of somebody who sat at a table, as one JSON document."""

from __future__ import annotations

import base64
import json
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from voice.cases.docket import clip_of
from voice.cases.outcomes import own_reports, visible
from voice.clips.box import Box, ClipLostError
from voice.store import schema
from voice.table.records import Commanded, LogCorruptError, Spoken, from_row

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

    from voice.store import Store

_CASE = schema.flagged.c


async def data_of(store: Store, person: str, box: Box) -> dict[str, Any] | None:
    """Everything of a person at their table; None where nobody has that id.

    What waits silently for a moderator is left out while the game runs, as it is everywhere. A clip is Ogg Opus in
    base64; null where its key is gone.
    """
    people, tables = schema.people.c, schema.tables.c
    rows = await store.read(
        select(schema.people, tables.name.label("table_name"), tables.created_at, tables.ended_at, tables.state)
        .join(schema.tables, tables.id == people.table)
        .where(people.id == person)
    )
    if not rows:
        return None
    row = rows[0]
    lines, commands = await _in_log(store, row)
    return {
        "made_at": time.time(),
        "person": row["id"],
        "name": row["name"],
        "table": row["table"],
        "table_name": row["table_name"],
        "table_made_at": row["created_at"],
        "table_ended_at": row["ended_at"],
        "seat": row["seat"],
        "lines": lines,
        "commands": commands,
        "cases": await _cases(store, row, box),
        "reports": await own_reports(store, row["table"], person),
        "audit": await _audit(store, person),
    }


async def _in_log(store: Store, row: RowMapping) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What the person said, as far as the words are kept, and did; t, start and end are table time, s."""
    if row["seat"] is None:
        return [], []
    lines: list[dict[str, Any]] = []
    commands: list[dict[str, Any]] = []
    for number, stored in enumerate(await store.read_log(row["table"]), 1):
        try:
            body = from_row(stored, number).body
        except LogCorruptError:
            break
        if isinstance(body, Spoken) and body.seat == row["seat"] and body.text:
            lines.append({"line": body.line, "text": body.text, "start": body.start, "end": body.end, "by": body.by})
        elif isinstance(body, Commanded) and body.command.get("seat") == row["seat"] and body.command["do"] != "line":
            commands.append({"t": stored.t, **{name: each for name, each in body.command.items() if name != "seat"}})
    return lines, commands


async def _cases(store: Store, row: RowMapping, box: Box) -> list[dict[str, Any]]:
    query = select(schema.flagged).where(_CASE.table == row["table"], _CASE.seat == row["seat"]).order_by(_CASE.id)
    if row["state"] == "running":
        query = query.where(visible())
    shown = ("line", "lang", "text", "category", "severity", "at", "state", "reason", "source")
    return [
        {
            **{name: case[name] for name in shown},
            **{name: case[name] for name in ("ruled_at", "appeal_state", "appeal_text", "appealed_at")},
            "scores": json.loads(case["scores"]),
            "why": json.loads(case["why"]),
            "clip_ogg_base64": await _clip(store, case, box),
        }
        for case in await store.read(query)
    ]


async def _clip(store: Store, case: RowMapping, box: Box) -> str | None:
    clips = schema.clips.c
    rows = await store.read(select(schema.clips).where(clips.table == case["table"], clips.line == case["line"]))
    if not rows:
        return None
    try:
        sound = box.open(rows[0]["key"], rows[0]["body"], clip_of(case["table"], case["line"]))
    except ClipLostError:
        return None
    return base64.b64encode(sound).decode()


async def _audit(store: Store, person: str) -> list[dict[str, Any]]:
    rows = await store.read(select(schema.audit).where(schema.audit.c.who == person).order_by(schema.audit.c.number))
    return [{"at": row["at"], "what": row["what"]} for row in rows]
