"""The WebSocket: `hello`, then what the client says, until one side closes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog
from starlette.websockets import WebSocketDisconnect, WebSocketState

from voice.bucket import Bucket
from voice.cases import audit
from voice.table import frames
from voice.table.audience import CLOSED
from voice.table.faults import place
from voice.table.mail import Leave, Order, Ready, Start, TableError
from voice.web.connection import Connection
from voice.web.guard import client_of
from voice.web.ice import ice_servers
from voice.web.inbound import (
    FRAME_LIMIT,
    Begin,
    Command,
    GiveUp,
    Hello,
    Inbound,
    MalformedError,
    Offer,
    Pong,
    SetReady,
    decode,
)
from voice.web.keys import token_hash
from voice.web.moderators import account_of, sat_at

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from voice.table.table import Table
    from voice.web.house import House

logger = structlog.get_logger(__name__)

MALFORMED: Final = 4400
BAD_TOKEN: Final = 4401
TIMEOUT: Final = 4408
FAULT: Final = 1011
TOO_LARGE: Final = 4413
TOO_MANY: Final = 4429
SILENT_S: Final = 10.0  # a client answers `ping` every 3 s
HELLO_S: Final = 10.0
FRAMES_A_SECOND: Final = 20.0
FRAMES_AT_ONCE: Final = 60.0
PER_ADDRESS: Final = 64  # connections; a family or a club behind one address fits
OFFER_S: Final = 20.0
REASON_LIMIT: Final = 100  # a close frame holds 123 bytes


class ClosedError(Exception):
    """The connection is to be closed: the code, the reason, and an error's code to tell before."""

    def __init__(self, code: int, reason: str, error: str | None = None) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.error = error


class Session:
    """One WebSocket from its acceptance to its end."""

    def __init__(self, house: House, socket: WebSocket) -> None:
        self._house = house
        self._socket = socket
        self._opened_s = time.monotonic()
        self._bucket = Bucket(FRAMES_A_SECOND, FRAMES_AT_ONCE, self._opened_s)
        self._offering: asyncio.Task[None] | None = None
        self._watcher: str | None = None  # the account of a moderator
        self._viewer: str | None = None  # of who only listens: their name in the room

    async def run(self) -> None:
        """Serve the connection."""
        try:
            table, person, after = await self._greet()
        except ClosedError as closed:
            await self._end(closed)
            return
        except WebSocketDisconnect:
            return
        connection = Connection(self._socket.send_text, table, person, after)
        stop = partial(connection.close, BAD_TOKEN, "you sit at this table: who plays does not watch")
        if self._watcher is not None:
            self._house.watching.add(self._watcher, table.id, stop)
        try:
            await self._serve(table, person, connection)
        except ClosedError as closed:
            await self._end(closed)
        except (WebSocketDisconnect, RuntimeError):
            # Starlette says RuntimeError for a message after the other side's close.
            pass
        finally:
            if self._watcher is not None:
                self._house.watching.remove(self._watcher, table.id, stop)
            table.detach(person, connection)
            if self._offering is not None:
                self._offering.cancel()
            # A newer page of the same person has the same name in the room, and its link is not ours to end.
            if self._viewer is not None and (person is None or not table.audience.connected(person)):
                table.unplug(self._viewer)

    async def _greet(self) -> tuple[Table, str | None, int]:
        try:
            async with asyncio.timeout(HELLO_S):
                first = await self._receive()
        except TimeoutError as error:
            raise ClosedError(TIMEOUT, "no hello in time", "no_hello") from error
        if not isinstance(first, Hello):
            raise ClosedError(MALFORMED, "the first frame must be 'hello'", "malformed")
        table, person = await self._who(first)
        if first.after > table.last(person):
            raise ClosedError(
                MALFORMED, f"after: expected at most {table.last(person)}, got {first.after}", "bad_after"
            )
        return table, person, first.after

    async def _who(self, hello: Hello) -> tuple[Table, str | None]:
        account = await account_of(self._house, hello.token)
        if account is not None and account.moderates:
            table = await self._house.tables.find(hello.table or "")
            if table is None:
                raise ClosedError(MALFORMED, "there is no such table", "no_table")
            if await sat_at(self._house, account, table.id):
                raise ClosedError(BAD_TOKEN, "you sit at this table: who plays does not watch", "own_table")
            await self._house.store.write([audit.entry(account.id, "watched", time.time(), table=table.id)])
            self._watcher = account.id
            return table, None
        found = await self._house.tables.person(token_hash(hello.token))
        if found is None:
            if not await self._house.limiter.allows("wrong token", client_of(self._socket)):
                raise ClosedError(TOO_MANY, "too many wrong tokens: wait a minute", "too_many")
            raise ClosedError(BAD_TOKEN, "this seat token opens no table here", "bad_token")
        return found

    async def _serve(self, table: Table, person: str | None, connection: Connection) -> None:
        invite = self._house.keys.invite(table.id) if person is not None and table.state == "waiting" else None
        servers = ice_servers(self._house.settings, person, time.time())
        voice = {"ice_servers": servers, "slots": self._house.settings.slots}
        welcome = frames.welcome({**table.welcome(person), "invite": invite, **voice})
        await self._socket.send_text(welcome.decode())
        try:
            table.attach(person, connection, self._opened_s)
        except TableError as error:
            code = BAD_TOKEN if error.code == "bad_token" else CLOSED
            raise ClosedError(code, error.message, error.code) from error
        sending = asyncio.create_task(connection.run())
        reading = asyncio.create_task(self._read(table, person, connection))
        try:
            await asyncio.wait({sending, reading}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                raise ClosedError(*sending.result())
            reading.result()
        finally:
            for task in (sending, reading):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, ClosedError):
                    await task
            del sending, reading, task  # what is raised holds this call, and a task would hold what is raised

    async def _read(self, table: Table, person: str | None, connection: Connection) -> None:
        while True:
            try:
                async with asyncio.timeout(SILENT_S):
                    message = await self._receive()
            except TimeoutError as error:
                raise ClosedError(TIMEOUT, "nothing heard for too long") from error
            match message:
                case Pong():
                    pass
                case Hello():
                    raise ClosedError(MALFORMED, "'hello' comes once", "malformed")
                case Offer():
                    self._offer(table, person, connection, message)
                case _ if person is None:
                    number = message.id if isinstance(message, Command) else None
                    connection.reply(frames.error("not_a_player", "moderators only watch", number))
                case Command(id=number, phase=phase, command=command):
                    if not table.post(Order(person, number, phase, command)):
                        connection.reply(frames.error("busy", "the table is too busy: try again", number))
                case SetReady(ready=ready):
                    table.post(Ready(person, ready))
                case Begin():
                    table.post(Start(person))
                case GiveUp():
                    table.post(Leave(person))

    def _offer(self, table: Table, person: str | None, connection: Connection, offer: Offer) -> None:
        if self._offering is not None:
            self._offering.cancel()
        viewer = f"moderator {id(self)}" if person is None else table.voice_of(person)
        if isinstance(viewer, str):
            self._viewer = viewer
        self._offering = asyncio.create_task(self._answer(table, viewer, connection, offer))

    async def _answer(self, table: Table, viewer: int | str | None, connection: Connection, offer: Offer) -> None:
        try:
            if viewer is None:
                raise TableError("not_seated", "the microphone is connected when the game begins")
            async with asyncio.timeout(OFFER_S):
                sdp = await table.offer(viewer, offer.sdp)
        except TimeoutError:
            connection.reply(frames.error("media_timeout", "the voice link took too long: offer again", offer.id))
        except Exception as error:
            # The room's own errors have a code and a message for the client; any other is a fault, told and kept here.
            code, message = getattr(error, "code", None), getattr(error, "message", None)
            if not (isinstance(code, str) and isinstance(message, str)):
                logger.error("an offer failed", table=table.id, error=type(error).__name__, place=place(error))
                code, message = "media_failed", "the voice link could not be made: offer again"
            connection.reply(frames.error(code, message, offer.id))
        else:
            connection.reply(frames.answer(offer.id, sdp))

    async def _receive(self) -> Inbound:
        raw = await self._socket.receive()
        if raw["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(raw.get("code", 1005))
        text = raw.get("text")
        if not self._bucket.take(time.monotonic()):
            raise ClosedError(TOO_MANY, f"more than {FRAMES_A_SECOND:g} frames a second", "too_many")
        if text is None:
            raise ClosedError(MALFORMED, "expected text frames", "malformed")
        if len(text) > FRAME_LIMIT or len(text.encode()) > FRAME_LIMIT:
            raise ClosedError(TOO_LARGE, f"a frame has at most {FRAME_LIMIT} bytes", "too_large")
        try:
            return decode(text)
        except MalformedError as error:
            raise ClosedError(MALFORMED, str(error), "malformed") from error

    async def _end(self, closed: ClosedError) -> None:
        if self._socket.application_state is not WebSocketState.CONNECTED:
            return
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
            async with asyncio.timeout(1.0):  # one that takes nothing is not waited for
                if closed.error is not None:
                    await self._socket.send_text(frames.error(closed.error, closed.reason).decode())
                reason = closed.reason.encode("ascii", "replace").decode()[:REASON_LIMIT]
                await self._socket.close(closed.code, reason)


async def serve_socket(house: House, socket: WebSocket) -> None:
    """The route `/ws`."""
    client = client_of(socket)
    if not house.origins.allow(socket.headers):
        await socket.close()
        return
    if not await house.limiter.allows("connect", client) or not house.connections.add(client, PER_ADDRESS):
        await socket.accept()
        await socket.close(TOO_MANY, "too many connections: wait a minute")
        return
    try:
        await socket.accept()
        await Session(house, socket).run()
    except Exception as error:  # a fault at one connection: told without its message, which may hold a name
        logger.error("a connection failed", error=type(error).__name__, place=place(error))
        with contextlib.suppress(Exception):
            await socket.close(FAULT, "the server failed at this: come back")
    finally:
        house.connections.remove(client)
