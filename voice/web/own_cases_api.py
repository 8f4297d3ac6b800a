"""A player's own cases over HTTP: what was flagged and why, an appeal, and how the reports they made ended."""

import time
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from fastapi import APIRouter, Path, Request

from voice.cases.appeals import AppealError, appeal
from voice.cases.outcomes import own_cases, own_reports
from voice.web.bodies import Appeal
from voice.web.errors import ApiError
from voice.web.seats import seated

if TYPE_CHECKING:
    from voice.web.house import House

LineId: TypeAlias = Annotated[str, Path(max_length=32)]


def routes(house: "House") -> APIRouter:
    """The routes ask for the token of a seat at that table; they work during the game and after it."""
    router = APIRouter(prefix="/api/tables/{table}")

    @router.get("/cases")
    async def cases(request: Request, table: str) -> dict[str, Any]:
        await house.limiter.check("look", request)
        seat = await seated(house, request, table)
        return {
            "lines": await own_cases(house.store, table, seat.number),
            "reports": await own_reports(house.store, table, seat.person),
        }

    @router.post("/lines/{line}/appeal")
    async def make(request: Request, table: str, line: LineId, body: Appeal) -> dict[str, Any]:
        await house.limiter.check("look", request)
        seat = await seated(house, request, table)
        try:
            await appeal(house.store, table, line, seat.number, seat.person, body.text, time.time())
        except AppealError as error:
            raise ApiError(404 if error.code == "no_line" else 409, error.code, error.message) from error
        house.tables.docket.ring()
        (mine,) = (each for each in await own_cases(house.store, table, seat.number) if each["line"] == line)
        return mine

    return router
