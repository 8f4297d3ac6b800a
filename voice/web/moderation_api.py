"""The moderators' queue over HTTP: flagged and reported lines, oldest first, and the rulings on them."""

import json
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, Path, Request
from sqlalchemy import func, select

from voice.store import schema
from voice.table.mail import TableError
from voice.table.running import ruling
from voice.web.bodies import Ruling
from voice.web.errors import ApiError
from voice.web.guard import client_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sqlalchemy import Column, FunctionElement, Label, RowMapping

    from voice.web.house import House

AROUND = 2  # lines shown before and after
PAGE = 200  # lines of one answer
LineId: TypeAlias = Annotated[int, Path(ge=0, lt=2**63)]  # what the database can hold

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
        await check_moderator(house, request)
        query = _JOINED.order_by(schema.flagged.c.id).limit(PAGE)
        if state != "all":
            is_open = schema.flagged.c.state == "open"
            query = query.where(is_open if state == "open" else ~is_open)
        return {"lines": await _flagged(house, await house.store.read(query))}

    @router.post("/lines/{line}/ruling")
    async def rule(request: Request, line: LineId, body: Ruling) -> dict[str, Any]:
        await check_moderator(house, request)
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
        (ruled,) = await _flagged(house, [await _row(house, line)])
        return ruled

    @router.get("/tables")
    async def tables(request: Request) -> dict[str, Any]:
        await check_moderator(house, request)
        return {
            "tables": [
                {
                    "table": table.id,
                    "name": table.name,
                    "lang": table.lang,
                    "ruleset": table.ruleset,
                    "code": table.rules.code,
                    "stoppable": table.rules.stoppable,
                    "state": table.state,
                    "people": len(table.people),
                    "day": None if table.running is None else table.running.play.day,
                    "phase": None if table.running is None else table.running.play.game.phase.name,
                }
                for table in house.tables
            ]
        }

    @router.post("/tables/{table}/stop")
    async def stop(request: Request, table: str) -> dict[str, Any]:
        await check_moderator(house, request)
        found = await house.tables.find(table)
        if found is None:
            raise ApiError(404, "no_table", "there is no such table")
        await found.abandon()
        return {"table": found.id, "state": found.state}

    @router.get("/stats")
    async def stats(request: Request) -> dict[str, Any]:
        await check_moderator(house, request)
        running = [(table.id, table.running) for table in house.tables]
        return {
            "tables": [{"table": name, "media": each.voices.stats()} for name, each in running if each is not None],
            "speech": house.speech_stats(),
            "media": house.media_stats(),
            "toxicity": house.toxicity_stats(),
        }

    return router


async def check_moderator(house: "House", request: Request) -> None:
    """Raises ApiError 401 or 429 where the request does not have the moderators' token."""
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


async def _flagged(house: "House", rows: "Sequence[RowMapping]") -> list[dict[str, Any]]:
    around = await _surroundings(house, rows)
    return [_shown(row, *around.get((row["table"], row["number"]), ([], []))) for row in rows]


def _shown(row: "RowMapping", before: list[dict[str, Any]], after: list[dict[str, Any]]) -> dict[str, Any]:
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
        "before": before,
        "after": after,
        "at": row["at"],
        "state": row["state"],
        "reason": row["reason"],
        "source": row["source"],
    }


_Around = tuple[list[dict[str, Any]], list[dict[str, Any]]]


async def _surroundings(house: "House", rows: "Sequence[RowMapping]") -> dict[tuple[str, int], _Around]:
    """The lines before and after each row's, by table and number; one query, however many rows."""
    log = schema.log.c

    def shifted(to: "Callable[[Column[Any], int], FunctionElement[Any]]", name: str, n: int) -> "Label[Any]":
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
        .join(schema.flagged, (schema.flagged.c.table == lines.c.table) & (schema.flagged.c.number == lines.c.number))
        .where(schema.flagged.c.id.in_([row["id"] for row in rows]))
    )
    return {
        (each["table"], each["number"]): (
            _texts(each[f"before_{n}"] for n in range(AROUND, 0, -1)),
            _texts(each[f"after_{n}"] for n in range(1, AROUND + 1)),
        )
        for each in await house.store.read(wanted)
    }


def _texts(bodies: "Iterable[str | None]") -> list[dict[str, Any]]:
    spoken = (json.loads(body) for body in bodies if body is not None)
    # A line whose words are deleted tells a moderator nothing.
    return [{"seat": line["seat"], "text": line["text"]} for line in spoken if line.get("text")]
