"""One seat at a table: the WebSocket's messages, and the voice that follows the table's `mic` events."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from typing import TYPE_CHECKING, Any, Self

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from websockets.asyncio.client import ClientConnection

    from voice.media.client import VoiceClient

Message = dict[str, Any]
ANSWER_WITHIN_S = 15.0
PING_S = 5.0
PONG_WITHIN_S = 5.0
"""A server that answers no ping for so long is gone, and so is the connection."""
CLOSE_S = 2.0


class SessionError(Exception):
    """The table refused what was asked, or did not answer."""


class PlayerSession:
    """Plays one seat. Iterate `messages()`; meanwhile pings are answered and the voice keeps to the microphone's rule.

    `on_mic(open)` is called when the seat's own microphone opens and closes; by default the voice client's PCM is
    spoken from its start while it is open. Messages that come while nobody iterates wait, all of them.
    """

    def __init__(
        self,
        server: str,
        token: str,
        voice: VoiceClient | None = None,
        *,
        table: str | None = None,
        after: int = 0,
        phase: int = 0,
    ) -> None:
        """`after`, `phase`: of the last numbered message that came over a connection before, to go on from there."""
        self._url = server.replace("http", "ws", 1) + "/ws"
        self._hello: Message = {"type": "hello", "token": token, "after": after}
        if table is not None:
            self._hello["table"] = table
        self.voice = voice
        self.on_mic: Callable[[bool], None] | None = voice.speak if voice is not None else None
        self.seat: int | None = None
        self._seated = asyncio.Event()
        self.phase = phase
        self.mic_open = False
        self.now_s = 0.0
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._inbox: asyncio.Queue[Message | None] = asyncio.Queue()
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._socket = await connect(
            self._url, max_size=4 << 20, ping_interval=PING_S, ping_timeout=PONG_WITHIN_S, close_timeout=CLOSE_S
        )
        await self._send(self._hello)
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_why: object) -> None:
        if self.voice is not None:
            await self.voice.close()
        if self._socket is not None:
            await self._socket.close()
        if self._reading is not None:
            await self._reading

    @property
    def close_code(self) -> int | None:
        """Why the connection ended (docs/protocol.md); None while it is open."""
        return None if self._socket is None else self._socket.close_code

    async def messages(self) -> AsyncIterator[Message]:
        """Every message in order, each with `received_s` (monotonic) added; ends with the connection."""
        while (message := await self._inbox.get()) is not None:
            yield message

    async def start(self) -> None:
        """Begin the game, as the table's owner."""
        await self._send({"type": "start"})

    async def ready(self, is_ready: bool = True) -> None:
        """Say in the lobby that one is ready."""
        await self._send({"type": "ready", "ready": is_ready})

    async def seated(self, within_s: float = ANSWER_WITHIN_S) -> None:
        """Wait until the game has begun. Raises TimeoutError."""
        async with asyncio.timeout(within_s):
            await self._seated.wait()

    async def command(self, **command: object) -> Message:
        """Give a command in the present phase; the `done` or `refused` that answers it."""
        return await self._ask({"type": "command", "phase": self.phase, "command": command})

    async def connect_voice(self) -> None:
        """Connect the voice client, once the game has begun. Raises SessionError, or what the voice client raises."""
        if self.voice is None:
            raise SessionError("this session has no voice client")
        answer = await self._ask({"type": "offer", "sdp": await self.voice.offer()})
        if answer["type"] != "answer":
            raise SessionError(f"the table refused the voice connection: {answer.get('message', answer)}")
        await self.voice.accept(answer["sdp"])
        await self.voice.connected()

    async def _ask(self, message: Message) -> Message:
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        await self._send({**message, "id": number})
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                said: Message = await answer
                return said
        except TimeoutError:
            raise SessionError(f"the table did not answer {message['type']!r} in {ANSWER_WITHIN_S:.0f} s") from None
        finally:
            self._answers.pop(number, None)

    async def _send(self, message: Message) -> None:
        if self._socket is None:
            raise SessionError("the session is not open yet")
        await self._socket.send(json.dumps(message))

    async def _read(self) -> None:
        assert self._socket is not None
        try:
            async for frame in self._socket:
                message: Message = json.loads(frame)
                message["received_s"] = time.monotonic()
                await self._take(message)
                self._inbox.put_nowait(message)
        except ConnectionClosed:
            pass  # whoever iterates sees the end; `close_code` says why
        finally:
            for answer in self._answers.values():
                answer.cancel()
            self._inbox.put_nowait(None)

    async def _take(self, message: Message) -> None:
        kind = message["type"]
        self.phase = message.get("phase", self.phase)
        self.now_s = message.get("now", self.now_s)
        if kind == "ping":
            await self._send({"type": "pong", "at": message["at"]})
        elif kind == "seated" or (kind == "welcome" and message.get("seat") is not None):
            self.seat = message["seat"]
            self._seated.set()
        elif kind == "event" and message["event"]["event"] == "mic":
            self._turn(self.seat in message["event"]["seats"])
        number = message.get("id")
        if isinstance(number, int) and kind in ("done", "refused", "answer", "error"):
            waiting = self._answers.get(number)
            if waiting is not None and not waiting.done():
                waiting.set_result(message)

    def _turn(self, is_open: bool) -> None:
        if is_open != self.mic_open:
            self.mic_open = is_open
            if self.on_mic is not None:
                self.on_mic(is_open)
