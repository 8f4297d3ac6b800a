"""A server in the test's own process, and clients over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any
from unittest import mock

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from voice.serve import serve
from voice.settings import Settings
from voice.web.app import create_app

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from fastapi import FastAPI

    from voice.web.house import House

CONSENT = {"consent": True}
# A whole game in a few seconds.
QUICK = {
    f"{phase}_s": 0.08
    for phase in (
        *("agreement", "speech", "short_speech", "short_turn", "vote", "tie_speech", "lift"),
        *("shot", "don_check", "sheriff_check", "best_move", "last_word"),
    )
}


class Client:
    """One WebSocket: what came, in order; pings are answered."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []
        self.raw: list[str] = []
        self.closed: tuple[int, str] | None = None
        self._news = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for text in self.socket:
                assert isinstance(text, str)
                frame = json.loads(text)
                if frame["type"] == "ping":
                    with contextlib.suppress(ConnectionClosed):
                        await self.send(type="pong", at=frame["at"])
                    continue
                async with self._news:
                    self.raw.append(text)
                    self.frames.append(frame)
                    self._news.notify_all()
        except ConnectionClosed:
            pass
        async with self._news:
            self.closed = (self.socket.close_code or 0, self.socket.close_reason or "")
            self._news.notify_all()

    async def send(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first frame, of those that came or are to come, that is `wanted`."""
        async with self._news:
            await self._news.wait_for(lambda: self.closed is not None or any(map(wanted, self.frames)))
            return next(filter(wanted, self.frames))

    async def of(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The first frame of that type with these fields."""
        return await self.until(
            lambda frame: frame["type"] == kind and all(frame.get(name) == value for name, value in fields.items())
        )

    async def event(self, name: str) -> dict[str, Any]:
        """The first event of that name."""
        return await self.until(lambda frame: frame["type"] == "event" and frame["event"]["event"] == name)

    async def end(self) -> tuple[int, str]:
        """Wait for the close: its code and reason."""
        async with self._news:
            await self._news.wait_for(lambda: self.closed is not None)
        assert self.closed is not None
        return self.closed

    async def close(self) -> None:
        await self.socket.close()
        await asyncio.gather(self._reader, return_exceptions=True)

    @property
    def numbered(self) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if "n" in frame]


class Server:
    """One server on a free port of the loopback interface."""

    def __init__(self, data: Path, **settings: Any) -> None:
        given = {"port": 0, "data": data, "speech": False, "media": False, "media_workers": 0, **settings}
        self.settings = Settings(**given)
        self.address = ""
        self.moderator = ""
        self.http: httpx.AsyncClient
        self.house: House
        self._stopping = asyncio.Event()
        self.tokens: list[dict[str, Any]] = []
        self._clients: list[Client] = []

    async def start(self) -> None:
        ready = asyncio.Event()

        def listens(address: str, link: str) -> None:
            self.address, self.moderator = address.replace("localhost", "127.0.0.1"), link.rpartition("/")[2]
            ready.set()

        def look(house: House) -> FastAPI:
            self.house = house
            return create_app(house)

        # The server is the real one; the test keeps its insides in sight.
        with mock.patch("voice.serve.create_app", look):
            await self._begin(listens, ready)

    async def _begin(self, listens: Callable[[str, str], None], ready: asyncio.Event) -> None:
        self._task = asyncio.create_task(serve(self.settings, listens, self._stopping))
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait({self._task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._task.done():
            self._task.result()
        self.http = httpx.AsyncClient(base_url=self.address)

    async def stop(self) -> None:
        await self.http.aclose()
        self._stopping.set()
        await self._task
        for client in self._clients:
            await client.close()

    async def table(self, name: str = "Anna", **body: Any) -> dict[str, Any]:
        """Make a table; the answer's body."""
        answer = await self.http.post("/api/tables", json={"name": "Club", "display_name": name, **CONSENT, **body})
        assert answer.status_code == 201, answer.text
        self.tokens.append(dict(answer.json()))
        return self.tokens[-1]

    async def join(self, invite: str, name: str) -> str:
        """Join; the seat token."""
        answer = await self.http.post(f"/api/invites/{invite}/join", json={"display_name": name, **CONSENT})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])

    async def raw(self, path: str = "/ws", **options: Any) -> Client:
        """A WebSocket without a `hello`."""
        client = Client(await connect(self.address.replace("http", "ws") + path, **options))
        self._clients.append(client)
        return client

    async def seat(self, token: str, after: int = 0, **hello: Any) -> Client:
        """A WebSocket after its `hello`."""
        client = await self.raw()
        await client.send(type="hello", token=token, after=after, **hello)
        return client

    async def people(self, count: int, **body: Any) -> tuple[str, list[str]]:
        """A table with so many people: its id, and their tokens, the owner's first."""
        made = await self.table(**body)
        tokens = [made["token"]]
        for i in range(1, count):
            tokens.append(await self.join(made["invite"], f"Guest {i}"))  # noqa: PERF401 - one after the other
        return made["table"], tokens


@contextlib.asynccontextmanager
async def serving(data: Path, **settings: Any) -> AsyncIterator[Server]:
    """A server for the length of a block."""
    server = Server(data, **settings)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
