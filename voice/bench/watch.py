"""A moderator of the bench: looks at the console, and fetches each new case's sound as it comes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from voice.player.door import DoorError, get_clip, get_flagged

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@dataclass(frozen=True, slots=True)
class Case:
    """A flagged line with its sound, and when a moderator had both (monotonic seconds)."""

    table: str
    seat: int
    had_s: float
    clip_bytes: int


class Watch:
    """The cases that came while it was open."""

    def __init__(self, address: str, moderator: str) -> None:
        self._address = address
        self._moderator = moderator
        self._known: set[int] = set()
        self.cases: list[Case] = []

    async def _look(self) -> None:
        # Of all states the newest come, of those that wait the oldest: 200 at most.
        for line in reversed(await get_flagged(self._address, self._moderator, "all")):
            if line["id"] in self._known:
                continue
            self._known.add(line["id"])
            try:
                clip = await get_clip(self._address, self._moderator, line["id"])
            except DoorError as refused:
                if refused.code != "no_clip":
                    raise
                clip = b""
            self.cases.append(Case(line["table"], line["seat"], time.monotonic(), len(clip)))

    async def run(self, socket: Any) -> None:
        """Look whenever the server says that the queue has changed."""
        with contextlib.suppress(ConnectionClosed):
            async for text in socket:
                kind = json.loads(text)["type"]
                if kind == "ping":
                    await socket.send(json.dumps({"type": "pong"}))
                elif kind == "changed":
                    await self._look()


@contextlib.asynccontextmanager
async def watching(address: str, moderator: str) -> AsyncIterator[Watch]:
    """A moderator at the console of the server at `address` (`http://host:port`). Raises what ended it."""
    watch = Watch(address, moderator)
    async with connect("ws" + address.removeprefix("http") + "/ws/moderation") as socket:
        await socket.send(json.dumps({"type": "hello", "token": moderator}))
        looking = asyncio.create_task(watch.run(socket))
        try:
            yield watch
        finally:
            looking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await looking
