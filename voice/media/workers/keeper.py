"""The server's end of one media worker: its rooms, its questions, its heartbeat."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any

import structlog

from voice.media.errors import MediaError
from voice.media.workers.wire import (
    Accepted,
    Alive,
    Answer,
    Beat,
    Begin,
    Counts,
    Done,
    FromWorker,
    Linked,
    Ready,
    Refused,
    Slots,
    Stalled,
)
from voice.processes.keeper import Child

if TYPE_CHECKING:
    from collections.abc import Callable

    from voice.media.settings import MediaSettings
    from voice.media.workers.remote import RemoteRoom
    from voice.processes.wire import Message

BEAT_S = 0.1
STALL_S = 1.0
"""Without a word from the server for so long a worker closes every gate."""
UNANSWERED_BEATS = 30
"""A worker that owes so many answers (3 s of them) hangs: it is ended, and started anew."""
BEGIN_S = 60.0
"""How long it may take to begin, on a machine that is busy starting."""

log = structlog.get_logger(__name__)


class WorkerKeeper:
    """One worker: started, asked, watched, started anew."""

    def __init__(self, name: str, settings: MediaSettings) -> None:
        self.name = name
        self.rooms: dict[int, RemoteRoom] = {}
        self._settings = settings
        self._ready = asyncio.Event()
        self._calls: dict[int, asyncio.Future[Any]] = {}
        self._numbers = 0
        self._beats = 0
        self._answered = 0
        self._begun_at = 0.0
        self._lag: dict[str, float] = {}
        self._stalls = 0
        self._hangs = 0
        self._beating: asyncio.Task[None] | None = None
        self._child = Child(
            "voice.media.workers.worker",
            (name,),
            FromWorker,
            on_up=self._up,
            on_message=self._said,
            on_down=self._down,
        )

    @property
    def pid(self) -> int | None:
        """The process's number while it runs."""
        return self._child.pid

    async def start(self) -> None:
        """Start the process; it is ready some time after."""
        await self._child.start()
        self._beating = asyncio.create_task(self._beat(), name=f"heartbeat of {self.name}")

    async def stop(self) -> None:
        """End it."""
        if self._beating is not None:
            self._beating.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._beating
            self._beating = None
        await self._child.stop()
        self._fail_calls()

    def stats(self) -> dict[str, Any]:
        """Its process, its tables, how often it died, hung or found the server silent, and its loop's lag in ms."""
        return {
            "worker": self.name,
            "pid": self.pid,
            "ready": self._ready.is_set(),
            "tables": len(self.rooms),
            "deaths": self._child.deaths,
            "hangs": self._hangs,
            "stalls": self._stalls,
            "waiting_bytes": self._child.waiting_bytes,
            "lag_ms": dict(self._lag),
        }

    # --- for its rooms

    def send(self, message: Message) -> None:
        """Send a message now; a worker that is down will be told what holds when it is up."""
        self._child.send(message)

    def look(self) -> None:
        """Hand on what the worker has said by now."""
        self._child.look()

    async def ready(self, within_s: float) -> None:
        """Wait until it takes offers. Raises MediaError `busy`."""
        if not self._ready.is_set():
            try:
                await asyncio.wait_for(self._ready.wait(), within_s)
            except TimeoutError:
                raise MediaError("busy", "the voice of this table is being started: offer again in a moment") from None

    async def ask(self, message: Callable[[int], Message], within_s: float) -> Any:
        """Send a question and wait for its answer.

        Raises MediaError as the worker did, `busy` where it is down or goes down meanwhile, TimeoutError.
        """
        self._numbers += 1
        number = self._numbers
        waiting = self._calls[number] = asyncio.get_running_loop().create_future()
        try:
            if not self._child.send(message(number)):
                raise _gone()
            return await asyncio.wait_for(waiting, within_s)
        finally:
            self._calls.pop(number, None)

    def forget(self, room: int) -> None:
        """A room is closed."""
        self.rooms.pop(room, None)

    # --- the process

    def _up(self) -> None:
        self._begun_at = time.monotonic()
        self._answered = self._beats
        self.send(Begin(self._settings, STALL_S))
        for room in self.rooms.values():
            room.begin()

    def _down(self) -> None:
        self._ready.clear()
        self._fail_calls()
        for room in list(self.rooms.values()):
            room.ended()

    def _fail_calls(self) -> None:
        for waiting in self._calls.values():
            if not waiting.done():
                waiting.set_exception(_gone())

    def _said(self, message: FromWorker) -> None:
        if isinstance(message, Accepted | Linked | Slots | Counts):
            room = self.rooms.get(message.room)
            if room is None:
                return
            if isinstance(message, Accepted):
                room.accepted(message)
            elif isinstance(message, Linked):
                room.linked(frozenset(message.seats))
            elif isinstance(message, Slots):
                room.slotted(message.change, tuple(message.seats))
            else:
                room.counted(message.counts)
        elif isinstance(message, Alive):
            self._answered = message.number
            self._lag = message.lag
        elif isinstance(message, Ready):
            self._answered = self._beats
            self._ready.set()
            log.info("media worker ready", worker=self.name, took_s=round(time.monotonic() - self._begun_at, 1))
        elif isinstance(message, Stalled):
            self._stalls += 1
            for room in self.rooms.values():
                room.tell_anew()
        else:
            self._answer(message)

    def _answer(self, message: Answer | Refused | Done) -> None:
        waiting = self._calls.get(message.call)
        if waiting is None or waiting.done():
            return
        if isinstance(message, Refused):
            waiting.set_exception(MediaError(message.code, message.message))
        else:
            waiting.set_result(message.sdp if isinstance(message, Answer) else None)

    async def _beat(self) -> None:
        """Tell the worker that the server lives, and find one that hangs."""
        while True:
            await asyncio.sleep(BEAT_S)
            if not self._child.up:
                continue
            self._beats += 1
            self.send(Beat(self._beats))
            late = (
                self._beats - self._answered > UNANSWERED_BEATS
                if self._ready.is_set()
                else time.monotonic() - self._begun_at > BEGIN_S
            )
            if late:
                self._hangs += 1
                self._answered = self._beats
                self._begun_at = time.monotonic()
                log.error("media worker hangs: ended", worker=self.name)
                self._child.kill()


def _gone() -> MediaError:
    return MediaError("busy", "the voice of this table is being started anew: offer again in a moment")
