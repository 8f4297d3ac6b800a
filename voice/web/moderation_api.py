"""The moderators' queue over HTTP: flagged and reported lines, oldest first, and the rulings on them."""

import json
from typing import TYPE_CHECKING, Any, Literal

from fastapi import APIRouter, Request
from sqlalchemy import select

from voice.store import schema
from voice.table.mail import TableError
from voice.table.running import ruling
from voice.web.bodies import Ruling
from voice.web.errors import ApiError
from voice.web.guard import client_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import RowMapping

    from voice.web.house import House

AROUND = 2  # lines shown before and after
PAGE = 200  # lines of one answer

_JOINED = (
    select(schema.flagged, schema.tables.c.name.label("table_name"), schema.people.c.name.label("name"))
    .join(schema.tables, schema.tables.c.id == schema.flagged.c.table)
    .outerjoin(
        schema.people,
        (schema.people.c.table == schema.flagged.c.table) & (schema.people.c.seat == schema.flagged.c.seat),
    )
)


def routes(house: "House") -> APIRouter:
    """The routes under /api/moderation; each asks for the moderators' token."""
    router = APIRouter(prefix="/api/moderation")

    @router.get("/lines")
    async def lines(request: Request, state: Literal["open", "ruled", "all"] = "open") -> dict[str, Any]:
        await _moderator(house, request)
        query = _JOINED.order_by(schema.flagged.c.id).limit(PAGE)
        if state != "all":
            is_open = schema.flagged.c.state == "open"
            query = query.where(is_open if state == "open" else ~is_open)
        return {"lines": [await _flagged(house, row) for row in await house.store.read(query)]}

    @router.post("/lines/{line}/ruling")
    async def rule(request: Request, line: int, body: Ruling) -> dict[str, Any]:
        await _moderator(house, request)
        row = await _row(house, line)
        table = await house.tables.find(row["table"])
        try:
            if table is None or table.ended.is_set() or table.running is None:
                raise TableError("busy", "closed")
            await table.rule(row["line"], body.uphold, row["category"], body.reason)
        except TableError:
            # The table is closed for good: the ruling is kept with the line all the same.
            if table is not None and table.running is not None and not table.ended.is_set():
                raise
            await house.store.write([ruling(row["table"], row["line"], body.uphold, body.reason)])
        return await _flagged(house, await _row(house, line))

    @router.get("/tables")
    async def tables(request: Request) -> dict[str, Any]:
        await _moderator(house, request)
        return {
            "tables": [
                {
                    "table": table.id,
                    "name": table.name,
                    "lang": table.lang,
                    "state": table.state,
                    "people": len(table.people),
                    "day": None if table.running is None else table.running.play.day,
                    "phase": None if table.running is None else table.running.play.game.phase.name,
                }
                for table in house.tables
            ]
        }

    @router.get("/stats")
    async def stats(request: Request) -> dict[str, Any]:
        await _moderator(house, request)
        running = [(table.id, table.running) for table in house.tables]
        return {
            "tables": [{"table": name, "media": each.voices.stats()} for name, each in running if each is not None],
            "speech": house.speech_stats(),
        }

    return router


async def _moderator(house: "House", request: Request) -> None:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not house.keys.moderates(token.strip()):
        if not await house.limiter.allows("wrong token", client_of(request)):
            raise ApiError(429, "too_many", "too many wrong tokens: wait a minute", {"retry-after": "60"})
        raise ApiError(401, "bad_token", "open the moderators' link of this server", {"www-authenticate": "Bearer"})
    await house.limiter.check("moderate", request)


async def _row(house: "House", line: int) -> "RowMapping":
    rows = await house.store.read(_JOINED.where(schema.flagged.c.id == line))
    if not rows:
        raise ApiError(404, "no_line", "there is no such line")
    return rows[0]


async def _flagged(house: "House", row: "RowMapping") -> dict[str, Any]:
    log = schema.log.c
    spoken = select(log.body).where(log.table == row["table"], log.kind == "line").limit(AROUND)
    before = await house.store.read(spoken.where(log.number < row["number"]).order_by(log.number.desc()))
    after = await house.store.read(spoken.where(log.number > row["number"]).order_by(log.number))
    return {
        "id": row["id"],
        "table": row["table"],
        "table_name": row["table_name"],
        "seat": row["seat"],
        "name": row["name"],
        "lang": row["lang"],
        "line": row["line"],
        "text": row["text"],
        "category": row["category"],
        "severity": row["severity"],
        "review": row["review"],
        "scores": json.loads(row["scores"]),
        "why": json.loads(row["why"]),
        "before": _around(before[::-1]),
        "after": _around(after),
        "at": row["at"],
        "state": row["state"],
        "reason": row["reason"],
        "source": row["source"],
    }


def _around(rows: "Sequence[RowMapping]") -> list[dict[str, Any]]:
    bodies = (json.loads(row["body"]) for row in rows)
    return [{"seat": body["seat"], "text": body["text"]} for body in bodies]
