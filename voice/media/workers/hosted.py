"""One room in a media worker: moved by the server's words, its packets and news sent back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from voice.media.errors import MediaError
from voice.media.room import MediaRoom
from voice.media.workers.wire import (
    Accepted,
    Answer,
    Connect,
    Counts,
    Disconnect,
    Done,
    Linked,
    Move,
    Refused,
    Shut,
    Slots,
)
from voice.processes.wire import frame

if TYPE_CHECKING:
    from voice.media.link import LinkFactory
    from voice.media.packet import AcceptedPacket
    from voice.media.settings import MediaSettings
    from voice.processes.channel import Channel

BATCH_S = 0.01
"""Packets for the recogniser go to the server together, so often at most."""
WAITING_BYTES = 1 << 20
"""So much may wait for the server; then the recogniser's packets are dropped and counted, never the answers."""

log = structlog.get_logger(__name__)


class Batches:
    """The accepted packets of all rooms of a process, sent to the server together: it wakes up once for them."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self._waiting: dict[HostedRoom, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def soon(self, room: HostedRoom) -> None:
        """This room has packets."""
        self._waiting[room] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(BATCH_S, self.flush)

    def flush(self) -> None:
        """Send all there is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        data = b"".join(map(HostedRoom.take_batch, self._waiting))
        self._waiting.clear()
        if data:
            self.channel.send_frame(data)


class HostedRoom:
    """A `MediaRoom` of this process and its number on the wire."""

    def __init__(self, number: int, table: str, settings: MediaSettings, links: LinkFactory, batches: Batches) -> None:
        self._number = number
        self._channel = batches.channel
        self._batches = batches
        self._room = MediaRoom(table, self._packet, self._links, settings, links, self._slots)
        self._serial = 0
        self._batch: list[tuple[int, int, int, bytes, float]] = []
        self._dropped = 0
        self._told: dict[str, object] = {}

    def move(self, move: Move) -> None:
        """Open exactly these seats."""
        # What the move itself still lets in (it reads what had come before it) belongs to the gate as it was.
        self._room.mic(move.seats)
        self._batches.flush()
        self._serial = move.serial

    def silence(self) -> None:
        """Close every microphone until the next move."""
        self._room.mic(())

    async def do(self, order: Connect | Disconnect | Shut) -> None:
        """Do it and answer it."""
        try:
            if isinstance(order, Connect):
                self._channel.send(Answer(order.call, await self._room.connect(order.viewer, order.sdp)))
                return
            if isinstance(order, Disconnect):
                await self._room.disconnect(order.viewer)
            else:
                await self.close()
        except MediaError as error:
            self._channel.send(Refused(order.call, error.code, error.message))
        except Exception as error:  # whatever a library does with an offer, the other connections go on
            log.exception("media worker failed at an order", order=type(order).__name__)
            self._channel.send(Refused(order.call, "media_failed", f"the voice could not: {type(error).__name__}"))
        else:
            self._channel.send(Done(order.call))

    async def close(self) -> None:
        """Close the gate and every connection."""
        await self._room.close()
        self._batches.flush()
        self.tell_counts()

    def tell_counts(self) -> None:
        """Send the counters, if they have changed."""
        counts = self._room.stats()
        if self._dropped:
            counts["tap_dropped"] = self._dropped
        if counts != self._told:
            self._told = counts
            self._channel.send(Counts(self._number, counts))

    def _links(self, seats: frozenset[int]) -> None:
        self._channel.send(Linked(self._number, sorted(seats)))

    def _slots(self, change: int, seats: tuple[int | None, ...]) -> None:
        self._channel.send(Slots(self._number, change, list(seats)))

    def _packet(self, packet: AcceptedPacket) -> None:
        self._batch.append((packet.seat, packet.sequence, packet.timestamp, packet.payload, packet.arrival))
        if len(self._batch) == 1:
            self._batches.soon(self)

    def take_batch(self) -> bytes:
        """The message with the packets that wait; b"" where too much waits for the server already."""
        batch, self._batch = self._batch, []
        if self._channel.waiting_bytes > WAITING_BYTES:
            self._dropped += len(batch)
            return b""
        return frame(Accepted(self._number, self._serial, batch)) if batch else b""
