"""All media workers of a server, and which table is whose."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from voice.media.settings import MediaSettings
from voice.media.workers.count import MOST
from voice.media.workers.keeper import WorkerKeeper
from voice.media.workers.remote import RemoteRoom

if TYPE_CHECKING:
    from collections.abc import Callable

    from voice.media.link import OnSlots
    from voice.media.packet import AcceptedPacket


class MediaWorkers:
    """`count` processes. Each table belongs to one of them from its opening to its end: to that with the fewest."""

    def __init__(self, count: int, settings: MediaSettings | None = None) -> None:
        if not 1 <= count <= MOST:
            raise ValueError(f"expected 1 to {MOST} media workers, got {count}")
        self._workers = [WorkerKeeper(f"media {number}", settings or MediaSettings()) for number in range(1, count + 1)]
        self._numbers = 0

    async def start(self) -> None:
        """Start them; returns when they run, before they are ready."""
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def stop(self) -> None:
        """End them, and every connection that is left."""
        await asyncio.gather(*(worker.stop() for worker in self._workers))

    def open(
        self,
        table: str,
        on_packet: Callable[[AcceptedPacket], None],
        on_link: Callable[[frozenset[int]], None],
        *,
        on_slots: OnSlots | None = None,
    ) -> RemoteRoom:
        """Begin a table's voice, every microphone closed. The callbacks are `MediaRoom`'s."""
        if any(room.table_id == table for worker in self._workers for room in worker.rooms.values()):
            raise ValueError(f"table {table} has its voice open already")
        self._numbers += 1
        worker = min(self._workers, key=lambda each: len(each.rooms))
        room = RemoteRoom(worker, self._numbers, table, on_packet, on_link, on_slots)
        worker.rooms[self._numbers] = room
        room.begin()
        return room

    async def ready(self, within_s: float) -> None:
        """Wait until all take offers. Raises MediaError `busy`."""
        await asyncio.gather(*(worker.ready(within_s) for worker in self._workers))

    def stats(self) -> list[dict[str, Any]]:
        """What each counted."""
        return [worker.stats() for worker in self._workers]
