"""Where a game's voice is: in this process, in one without the adapter to aiortc, or in a media worker."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from typing import TYPE_CHECKING

from voice.media.fallback import FallbackLink
from voice.media.room import MediaRoom
from voice.media.settings import MediaSettings
from voice.media.workers.pool import MediaWorkers

from .book import Book
from .player import SLOTS, Moderator, Player
from .speech import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from voice.media.link import LinkFactory
    from voice.media.workers.remote import RemoteRoom

READY_S = 60.0
SETTINGS = MediaSettings(
    addresses=(),
    slots=SLOTS,
    packets_per_s=400.0,  # the clients send twice as fast as in real time
    bytes_per_s=200_000.0,
    bytes_burst=200_000.0,
    offers_burst=1e6,
    handshakes_per_s=1e6,
)


class Table:
    """Ten seats and a moderator at one room, which is in this process."""

    down = False
    """Its voice is away at present."""

    def __init__(self, seed: int, links: LinkFactory | None = None) -> None:
        self.book = Book(tap_sees_all=True)
        self.room: MediaRoom | RemoteRoom = MediaRoom("table", self.book.tap, self._linked, SETTINGS, links)
        self._gather(seed)

    def _gather(self, seed: int) -> None:
        chance = random.Random(seed)
        self.players = {seat: Player(seat, self.room, self.book, chance) for seat in SEATS}
        self.moderators = [Moderator("moderator", self.room, self.book)]

    async def open(self) -> None:
        """Everybody comes."""
        await asyncio.gather(*(each.come_back() for each in (*self.players.values(), *self.moderators)))

    def mic(self, seats: Iterable[int]) -> None:
        """What the game does: open exactly these."""
        seats = frozenset(seats)
        self.room.mic(seats)
        self.book.moved(seats)

    def stop(self) -> bool:
        """Let the voice stand still until `go_on`; False where it can't."""
        return False

    def go_on(self) -> None:
        """It stands still no more."""

    def kill(self, slowly: bool) -> bool:
        """End the voice at once, or let it stand still until it is found; False where that can't be."""
        return False

    async def back(self) -> None:
        """Everybody has come back after that."""

    def _linked(self, seats: frozenset[int]) -> None:
        """These are connected."""

    async def close(self) -> None:
        """The end."""
        await asyncio.gather(*(each.close() for each in (*self.moderators, *self.players.values())))
        dropped = self.room.stats()["dropped"]
        assert isinstance(dropped, dict)
        self.book.counts.update({f"dropped: {reason}": count for reason, count in dropped.items()})
        await self.room.close()


class WorkerTable(Table):
    """The same, its room in a media worker, which may die or stand still."""

    def __init__(self, seed: int) -> None:
        self.book = Book(tap_sees_all=False)
        self._pool = MediaWorkers(1, SETTINGS)
        self._lost = asyncio.Event()
        self._coming: list[asyncio.Task[None]] = []
        self._seed = seed

    async def open(self) -> None:
        """Everybody comes, when the worker is ready."""
        await self._pool.start()
        await self._pool.ready(READY_S)
        self._remote = self.room = self._pool.open("table", self.book.tap, self._linked)
        self._gather(self._seed)
        await super().open()

    def _signal(self, number: signal.Signals) -> None:
        pid = self._remote._worker.pid
        assert pid is not None
        os.kill(pid, number)

    def stop(self) -> bool:
        """Let it stand still."""
        if self.down:
            return False
        self._signal(signal.SIGSTOP)
        self.book.counts["a worker stood still"] += 1
        return True

    def go_on(self) -> None:
        """It stands still no more."""
        self._signal(signal.SIGCONT)

    def kill(self, slowly: bool) -> bool:
        """The worker dies: at once, or by its keeper, which finds that it does not answer."""
        if self.down:
            return False
        self.down = True
        self._lost.clear()
        self._signal(signal.SIGSTOP if slowly else signal.SIGKILL)
        self.book.counts["a worker hung" if slowly else "a worker was killed"] += 1
        return True

    def _linked(self, seats: frozenset[int]) -> None:
        # As their pages do: the server tells them that the voice is away, and they offer anew.
        if self.down and not seats and not self._lost.is_set():
            self._lost.set()
            here = [each for each in self.players.values() if each.page is not None]
            self._coming = [asyncio.ensure_future(each.come_back()) for each in (*here, *self.moderators)]

    async def back(self) -> None:
        """Everybody has come back."""
        if self.down:
            await self._lost.wait()
            await asyncio.gather(*self._coming)
            self.down = False

    async def close(self) -> None:
        """The end."""
        try:
            await super().close()
            self.book.counts["deaths of workers"] += sum(each["deaths"] for each in self._pool.stats())
        finally:
            await self._pool.stop()


def table(where: str, seed: int) -> Table:
    """A new one, to be opened. `where`: room, fallback or worker."""
    if where == "worker":
        return WorkerTable(seed)
    return Table(seed, FallbackLink if where == "fallback" else None)
