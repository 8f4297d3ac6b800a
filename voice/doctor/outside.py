"""The proof from another machine: the page, the WebSocket and a real call, to a server that runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from voice.media.settings import TurnServer
from voice.player.door import DoorError, ask

from .call import CallError, call, told
from .finding import fail, ok
from .network import through

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from .finding import Finding


async def check_from_outside(url: str, token: str) -> AsyncIterator[Finding]:
    """All that a player's browser needs of the server at `url`, tried from here."""
    try:
        health = await asyncio.to_thread(ask, f"{url}/api/health", None, None)
    except DoorError as error:
        yield fail("page", "outside_no_page", url=url, why=error)
        return
    yield ok("page", "outside_page", url=url, version=health.get("version", "?"))
    yield await _socket(url)
    answers: list[dict[str, Any]] = []

    async def answer(offer: str) -> str:
        answers.append(await asyncio.to_thread(ask, f"{url}/api/doctor/call", {"sdp": offer}, token))
        return str(answers[-1]["sdp"])

    try:
        made = await call(answer)
    except DoorError as error:
        yield fail("voice", "outside_refused", url=url, why=error)
        return
    except CallError as error:
        if not answers:  # it failed on this machine, before the server was asked
            yield fail("voice", "outside_no_call", addresses="-", why=error)
            return
        yield fail("voice", "outside_no_call", addresses=", ".join(told(str(answers[-1]["sdp"]))), why=error)
    else:
        yield ok("voice", "outside_call", address=made.address, ms=made.ms)
    async for finding in _relays(answers[-1].get("ice_servers", []), answer):
        yield finding


async def _socket(url: str) -> Finding:
    """The server closes a WebSocket whose first frame is no `hello` with 4400: an answer of its own, not a proxy's."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed, WebSocketException

    where = url.replace("http", "ws", 1) + "/ws"
    try:
        async with asyncio.timeout(10), connect(where) as socket:
            await socket.send("{}")
            while True:
                await socket.recv()
    except ConnectionClosed as closed:
        code = closed.rcvd.code if closed.rcvd is not None else None
        if code == 4400:
            return ok("websocket", "outside_socket", url=where)
        return fail("websocket", "outside_no_socket", url=where, why=f"it was closed with {code}")
    except (OSError, WebSocketException, TimeoutError) as error:
        return fail("websocket", "outside_no_socket", url=where, why=str(error) or type(error).__name__)


async def _relays(servers: list[dict[str, Any]], answer: Callable[[str], Awaitable[str]]) -> AsyncIterator[Finding]:
    for server in servers:
        for url in server["urls"]:
            if url.startswith("turn"):
                one = TurnServer((url,), server.get("username"), server.get("credential"))
                yield await through(one, lambda one: call(answer, turn=(one,)))
