"""The server's tables and counters over HTTP, for moderators."""

import time
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request

from voice.cases import audit
from voice.web.bodies import Seats
from voice.web.errors import ApiError
from voice.web.moderators import bind_seats, check_moderator, sat_at

if TYPE_CHECKING:
    from voice.web.house import House


def routes(house: "House") -> APIRouter:
    """The routes under /api/moderation; each asks for a moderator's token."""
    router = APIRouter(prefix="/api/moderation")

    @router.get("/me")
    async def me(request: Request) -> dict[str, Any]:
        who = await check_moderator(house, request)
        return {"name": who.name, "role": who.role}

    @router.post("/seats")
    async def seats(request: Request, body: Seats) -> dict[str, Any]:
        who = await check_moderator(house, request)
        return {"tables": await bind_seats(house, who, body.tokens, time.time())}

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
        who = await check_moderator(house, request)
        found = await house.tables.find(table)
        if found is None:
            raise ApiError(404, "no_table", "there is no such table")
        if await sat_at(house, who, table):
            raise ApiError(403, "own_table", "you sit at this table: somebody else must stop its game")
        await found.abandon()
        await house.store.write([audit.entry(who.id, "stopped", time.time(), table=found.id)])
        return {"table": found.id, "state": found.state}

    @router.get("/stats")
    async def stats(request: Request) -> dict[str, Any]:
        await check_moderator(house, request)
        running = [(table.id, table.running) for table in house.tables]
        return {
            "tables": [{"table": name, "media": each.voices.stats()} for name, each in running if each is not None],
            "speech": house.speech_stats(),
            "media": house.media_stats(),
            "second": house.second_stats(),
        }

    return router
