"""One client's WebSocket on the way out: what waits for it, and in which order it is sent.

Numbered messages are pulled from the table's journal as fast as the client takes them, so nothing of them waits in
memory. What is of the moment (an interim caption, who is linked) is kept once a kind, the newest alone.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Final

from voice.table import frames

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from voice.table.table import Table

PING_S: Final = 3.0
CLOCK_S: Final = 5.0
SEND_S: Final = 10.0  # a client that has not taken one message in this time is too slow
REPLIES_LIMIT: Final = 128
CHUNK: Final = 64  # numbered messages made at a time
TOO_SLOW: Final = 1013


class Connection:
    """The way out to one client; an `Outlet` of the table."""

    def __init__(self, send: Callable[[str], Awaitable[None]], table: Table, person: str | None, after: int) -> None:
        """`send`: one text frame; `after`: the last number that the client has."""
        self._send = send
        self._table = table
        self._person = person
        self._sent = after
        self._moment: dict[str, bytes] = {}
        self._replies: deque[bytes] = deque()
        self._bell = asyncio.Event()
        self.closing: tuple[int, str] | None = None

    # Outlet

    def wake(self) -> None:
        """There may be new numbered messages."""
        self._bell.set()

    def put(self, key: str, frame: bytes | None) -> None:
        """A message of the moment."""
        if frame is None:
            self._moment.pop(key, None)
        else:
            self._moment[key] = frame
            self._bell.set()

    def reply(self, frame: bytes) -> None:
        """An answer; a client that takes none is closed."""
        if len(self._replies) >= REPLIES_LIMIT:
            self.close(TOO_SLOW, "too slow: come back")
            return
        self._replies.append(frame)
        self._bell.set()

    def close(self, code: int, reason: str) -> None:
        """End the connection, after what waits. The first reason stands."""
        if self.closing is None:
            self.closing = (code, reason)
        self._bell.set()

    # The task

    async def run(self) -> tuple[int, str]:
        """Send until the connection is to be closed: with which code and why. Raises what `send` raises."""
        ping_at = clock_at = time.monotonic()
        while True:
            now = time.monotonic()
            if now >= clock_at:
                self._moment["clock"] = frames.clock(self._table.now())
                clock_at = now + CLOCK_S
            if now >= ping_at:
                self._moment["ping"] = frames.ping(round(now, 3))
                ping_at = now + PING_S
            try:
                await self._flush()
            except TimeoutError:
                return TOO_SLOW, "too slow: come back"
            if self.closing is not None:
                return self.closing
            try:
                async with asyncio.timeout(max(0.0, min(ping_at, clock_at) - time.monotonic())):
                    await self._bell.wait()
            except TimeoutError:
                pass
            self._bell.clear()

    async def _flush(self) -> None:
        if "clock" in self._moment:
            await self._one(frames.clock(self._table.now()))
            del self._moment["clock"]
        while messages := self._table.messages(self._person, self._sent, CHUNK):
            for message in messages:
                await self._one(message)
                self._sent += 1
        while self._replies:
            await self._one(self._replies.popleft())
        while self._moment:
            key = next(iter(self._moment))
            await self._one(self._moment.pop(key))

    async def _one(self, frame: bytes) -> None:
        async with asyncio.timeout(SEND_S):
            await self._send(frame.decode())
