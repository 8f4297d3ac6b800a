"""The answering end of `voicetable doctor --from-outside`: a test call, for who has the moderators' token."""

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, Request

from voice.doctor.call import Echo
from voice.media.errors import MediaError
from voice.web.bodies import TestCall
from voice.web.errors import ApiError
from voice.web.ice import ice_servers
from voice.web.moderators import check_moderator

if TYPE_CHECKING:
    from voice.web.house import House

CALLS: Final = 4  # at once; each lives for some seconds


def routes(house: "House") -> APIRouter:
    """The route under /api/doctor."""
    router = APIRouter(prefix="/api/doctor")
    running: set[Echo] = set()

    async def end() -> None:
        await asyncio.gather(*(echo.close() for echo in running))

    house.ends.append(end)

    @router.post("/call")
    async def call(request: Request, body: TestCall) -> dict[str, Any]:
        await check_moderator(house, request)
        if not house.settings.media:
            raise ApiError(409, "no_media", "this server carries no sound")
        if len(running) >= CALLS:
            raise ApiError(429, "too_many", f"at most {CALLS} test calls at once: wait a moment", {"retry-after": "15"})
        echo = Echo(house.media)
        running.add(echo)
        echo.ended.add_done_callback(lambda _ended: running.discard(echo))
        try:
            answer = await echo.answer(body.sdp)
        except MediaError as error:
            raise ApiError(422, error.code, error.message) from error
        return {"sdp": answer, "ice_servers": ice_servers(house.settings, "doctor", time.time())}

    return router
