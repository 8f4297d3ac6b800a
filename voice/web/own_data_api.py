"""A person's own data over HTTP: all of it as a document, and its deletion."""

import time
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request

from voice.people.data import data_of
from voice.people.erase import ask
from voice.table.mail import Leave
from voice.web.errors import ApiError
from voice.web.seats import seated

if TYPE_CHECKING:
    from voice.web.house import House


def routes(house: "House") -> APIRouter:
    """The routes ask for the token of a seat at that table."""
    router = APIRouter(prefix="/api/tables/{table}/me")

    @router.get("")
    async def mine(request: Request, table: str) -> dict[str, Any]:
        await house.limiter.check("look", request)
        seat = await seated(house, request, table)
        found = await data_of(house.store, seat.person, house.tables.docket.box)
        if found is None:
            raise ApiError(404, "no_table", "there is no game of yours here")
        return found

    @router.delete("")
    async def erase(request: Request, table: str) -> dict[str, Any]:
        await house.limiter.check("look", request)
        seat = await seated(house, request, table)
        at_work = next((each for each in house.tables if each.id == table), None)
        if at_work is not None and at_work.state == "running":
            raise ApiError(409, "game_runs", "the game still runs: leave it, and ask again when it is over")
        if at_work is not None:
            at_work.post(Leave(seat.person))
        await ask(house.store, seat.person, seat.person, time.time())
        done = await house.tables.erase()
        return {"deleted": done > 0 and at_work is None}

    return router
