"""The media worker process: `python -m voice.media.workers.worker DESCRIPTOR PARENT NAME`.

It carries the voice of the tables that the server gives it, and does nothing else. Every gate is closed when it begins
and closes when the server is gone or silent; it ends with the server.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

import structlog

from voice.lag import LagWatch
from voice.logs import configure_logs
from voice.media import selftest
from voice.media.workers.hosted import Batches, HostedRoom
from voice.media.workers.wire import (
    Alive,
    Beat,
    Begin,
    Connect,
    Disconnect,
    Done,
    Move,
    Open,
    Ready,
    Refused,
    Shut,
    Stalled,
    ToWorker,
)
from voice.memory import settle
from voice.processes.channel import Channel
from voice.processes.child import become_child

if TYPE_CHECKING:
    from voice.media.link import Link, LinkFactory, OnRtp, OnState
    from voice.media.settings import MediaSettings

WATCH_S = 0.1
COUNTS_S = 0.5
CLOSE_S = 1.5

log = structlog.get_logger(__name__)


class Worker:
    """All rooms of one process, by the messages of the server."""

    def __init__(self, own: socket.socket, name: str) -> None:
        self._channel = Channel(own, ToWorker, self._handle, self._gone)
        self._batches = Batches(self._channel)
        self._ended = asyncio.Event()
        self._rooms: dict[int, HostedRoom] = {}
        self._begun: Begin | None = None
        self._links: LinkFactory | None = None
        self._lag = LagWatch(name)
        self._heard_at = time.monotonic()
        self._stalled = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Work until the server is gone."""
        self._links = await selftest.link_factory()
        settle()
        self._lag.start()
        self._channel.send(Ready())
        watching = asyncio.create_task(self._watch())
        await self._ended.wait()
        watching.cancel()
        self._lag.stop()
        await asyncio.wait([asyncio.ensure_future(self._close())], timeout=CLOSE_S)

    async def _close(self) -> None:
        await asyncio.gather(*(room.close() for room in self._rooms.values()))

    async def _watch(self) -> None:
        counted_at = 0.0
        while True:
            await asyncio.sleep(WATCH_S)
            now = time.monotonic()
            self._look(now)
            if now - counted_at >= COUNTS_S:
                counted_at = now
                for room in self._rooms.values():
                    room.tell_counts()

    # --- the gate's word comes before the packet

    def _make_link(self, settings: MediaSettings, on_rtp: OnRtp, on_state: OnState) -> Link:
        """A link whose packets are judged by the server's newest word: both may wait for it.

        Asking costs 2 us, of some 40 that a packet takes; without it what was sent just after a move could pass. The
        packet that is in hand had come before the word was read, so `drain` hands it on first.
        """
        in_hand: list[tuple[int, int, bytes, bytes, float]] = []

        def judged(sequence: int, timestamp: int, payload: bytes, extension: bytes, now: float) -> None:
            in_hand.append((sequence, timestamp, payload, extension, now))
            self._look(now)
            if in_hand:
                on_rtp(*in_hand.pop())

        def drain() -> asyncio.Future[None] | None:
            if in_hand:
                on_rtp(*in_hand.pop())
            return drains()

        assert self._links is not None
        link = self._links(settings, judged, on_state)
        drains = link.drain
        link.drain = drain  # type: ignore[method-assign]  # one that knows of the packet in hand
        return link

    def _look(self, now: float) -> None:
        """Take what the server has said by now; close every gate if it has said nothing for too long."""
        self._channel.look()
        begun = self._begun
        if begun is not None and not self._stalled and now - self._heard_at > begun.stall_s:
            self._stalled = True
            self._silence()
            log.warning("media worker closed its gates", why="the server said nothing", for_s=begun.stall_s)
            self._channel.send(Stalled())

    def _silence(self) -> None:
        for room in self._rooms.values():
            room.silence()

    def _gone(self, why: str) -> None:
        """The server is gone, or it talks nonsense."""
        self._silence()
        if why:
            log.error("media worker: the server talks nonsense", why=why)
        self._ended.set()

    # --- orders

    def _handle(self, message: ToWorker) -> None:
        try:
            self._follow(message)
        except Exception:  # a worker that can't do as it is told ends, and is started anew with every gate closed
            log.exception("media worker ends", order=type(message).__name__)
            self._ended.set()
            self._silence()

    def _follow(self, message: ToWorker) -> None:
        self._heard_at = time.monotonic()
        self._stalled = False
        if isinstance(message, Move):
            room = self._rooms.get(message.room)
            if room is not None:
                room.move(message)
        elif isinstance(message, Beat):
            self._channel.send(Alive(message.number, self._lag.stats()))
        elif isinstance(message, Open):
            assert self._begun is not None
            self._rooms[message.room] = HostedRoom(
                message.room, message.table, self._begun.settings, self._make_link, self._batches
            )
        elif isinstance(message, Begin):
            self._begun = message
        else:
            self._order(message)

    def _order(self, message: Connect | Disconnect | Shut) -> None:
        room = self._rooms.get(message.room)
        if room is None or self._links is None:
            refused = Refused(message.call, "closed", "the table's voice is closed")
            self._channel.send(refused if isinstance(message, Connect) else Done(message.call))
            return
        if isinstance(message, Shut):
            room.silence()
        task = asyncio.get_running_loop().create_task(room.do(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if isinstance(message, Shut):
            task.add_done_callback(partial(self._forget, message.room))

    def _forget(self, room: int, _task: asyncio.Task[None]) -> None:
        self._rooms.pop(room, None)


async def _run(descriptor: int, name: str) -> None:
    await Worker(socket.socket(fileno=descriptor), name).run()


def main(arguments: list[str]) -> None:
    """Serve until the server is gone."""
    descriptor, parent_pid, name = arguments
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a service manager tells every process; the server ends this one
    become_child(int(parent_pid), niceness=0)
    configure_logs()
    try:
        import uvloop
    except ImportError:  # not on Windows
        asyncio.run(_run(int(descriptor), name))
    else:
        uvloop.run(_run(int(descriptor), name))


if __name__ == "__main__":
    main(sys.argv[1:])
