"""The moderators' WebSocket: tells when the queue changes, and whether a moderator is there.

Who goes away lets go of what they had in hand, a moment later: a reload of the page takes less.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from typing import TYPE_CHECKING, Final

import structlog
from starlette.websockets import WebSocketDisconnect, WebSocketState

from voice.bucket import Bucket
from voice.cases import claims
from voice.table.faults import place
from voice.web.guard import client_of
from voice.web.moderators import account_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.websockets import WebSocket

    from voice.accounts import Account
    from voice.web.house import House

logger = structlog.get_logger(__name__)

GRACE_S: Final = 5.0
PING_S: Final = 3.0
SILENT_S: Final = 10.0
HELLO_S: Final = 10.0
LEASES_S: Final = 10.0  # how often the queue is looked at anew for claims whose time is up
FRAME_LIMIT: Final = 4096
FRAMES_A_SECOND: Final = 5.0
FRAMES_AT_ONCE: Final = 20.0
PER_ADDRESS: Final = 16
MALFORMED, BAD_TOKEN, TIMEOUT, TOO_MANY, FAULT = 4400, 4401, 4408, 4429, 1011


class Present:
    """Which moderators have the console open; who has closed the last one lets go, GRACE_S later."""

    def __init__(self, let_go: Callable[[Account], Awaitable[None]]) -> None:
        self._let_go = let_go
        self._open: dict[str, int] = {}
        self._going: dict[str, asyncio.Task[None]] = {}

    def enter(self, who: Account) -> None:
        """One more console of theirs."""
        self._open[who.id] = self._open.get(who.id, 0) + 1
        going = self._going.pop(who.id, None)
        if going is not None:
            going.cancel()

    def exit(self, who: Account) -> None:
        """One less."""
        count = self._open.pop(who.id) - 1
        if count > 0:
            self._open[who.id] = count
        else:
            self._going[who.id] = asyncio.create_task(self._go(who))

    async def _go(self, who: Account) -> None:
        await asyncio.sleep(GRACE_S)
        try:
            await self._let_go(who)
        except Exception as error:  # what they had in hand is free when its time is up
            logger.error("a claim can't be let go", error=type(error).__name__, place=place(error))
        self._going.pop(who.id, None)

    async def close(self) -> None:
        """The server goes down: nobody is waited for."""
        for task in list(self._going.values()):
            task.cancel()
        await asyncio.gather(*self._going.values(), return_exceptions=True)


class Console:
    """One moderator's socket."""

    def __init__(self, house: House, socket: WebSocket) -> None:
        self._house = house
        self._socket = socket
        self._bell = asyncio.Event()
        self._bucket = Bucket(FRAMES_A_SECOND, FRAMES_AT_ONCE, time.monotonic())

    async def run(self, present: Present) -> None:
        """Serve the connection: `hello`, then news until one side goes."""
        try:
            async with asyncio.timeout(HELLO_S):
                first = await self._receive()
        except TimeoutError:
            await self._close(TIMEOUT, "no hello in time")
            return
        token = first.get("token") if first.get("type") == "hello" else None
        who = await account_of(self._house, token) if isinstance(token, str) else None
        if who is None or not who.moderates:
            await self._house.limiter.allows("wrong token", client_of(self._socket))
            await self._close(BAD_TOKEN, "this token is no moderator's")
            return
        docket = self._house.tables.docket
        present.enter(who)
        docket.subscribe(self._bell.set)
        try:
            await self._send({"type": "welcome", "name": who.name, "role": who.role})
            async with asyncio.TaskGroup() as group:
                group.create_task(self._tell())
                group.create_task(self._listen(who))
        except* (WebSocketDisconnect, RuntimeError, TimeoutError):
            pass
        finally:
            docket.unsubscribe(self._bell.set)
            present.exit(who)
        await self._close(TIMEOUT, "nothing heard for too long")

    async def _tell(self) -> None:
        ping_at = leases_at = time.monotonic()
        self._bell.set()
        while True:
            now = time.monotonic()
            if now >= ping_at:
                await self._send({"type": "ping", "at": round(now, 3)})
                ping_at = now + PING_S
            if self._bell.is_set() or now >= leases_at:
                self._bell.clear()
                leases_at = now + LEASES_S
                await self._send({"type": "changed"})
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, min(ping_at, leases_at) - time.monotonic())):
                    await self._bell.wait()

    async def _listen(self, who: Account) -> None:
        while True:
            async with asyncio.timeout(SILENT_S):
                frame = await self._receive()
            if frame.get("type") == "keep":  # a sign of life: they are at work on what they have in hand
                await self._house.store.write([claims.renewed(who, time.time())])

    async def _receive(self) -> dict[str, object]:
        raw = await self._socket.receive()
        if raw["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(raw.get("code", 1005))
        text = raw.get("text") or ""
        if not self._bucket.take(time.monotonic()) or len(text) > FRAME_LIMIT:
            await self._close(TOO_MANY, "too many or too large frames")
            raise WebSocketDisconnect(TOO_MANY)
        try:
            frame = json.loads(text)
        except (ValueError, RecursionError):
            frame = None
        if not isinstance(frame, dict):
            await self._close(MALFORMED, "expected JSON objects")
            raise WebSocketDisconnect(MALFORMED)
        return frame

    async def _send(self, frame: dict[str, object]) -> None:
        async with asyncio.timeout(SILENT_S):
            await self._socket.send_text(json.dumps(frame))

    async def _close(self, code: int, reason: str) -> None:
        if self._socket.application_state is WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._socket.close(code, reason)


def presence(house: House) -> Present:
    """Who of a house's moderators is there."""

    async def let_go(who: Account) -> None:
        if await claims.release(house.store, who, time.time(), why="gone") is not None:
            house.tables.docket.ring()

    present = Present(let_go)
    house.ends.append(present.close)
    return present


async def serve_console(house: House, present: Present, socket: WebSocket) -> None:
    """The route `/ws/moderation`."""
    client = client_of(socket)
    if not house.origins.allow(socket.headers):
        await socket.close()
        return
    key = f"console {client}"
    if not await house.limiter.allows("connect", client) or not house.connections.add(key, PER_ADDRESS):
        await socket.accept()
        await socket.close(TOO_MANY, "too many connections: wait a minute")
        return
    try:
        await socket.accept()
        await Console(house, socket).run(present)
    except WebSocketDisconnect:
        pass
    except Exception as error:  # a fault at one connection
        logger.error("a console failed", error=type(error).__name__, place=place(error))
        with contextlib.suppress(Exception):
            await socket.close(FAULT, "the server failed at this: come back")
    finally:
        house.connections.remove(key)
