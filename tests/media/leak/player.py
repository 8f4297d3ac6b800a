"""Those at the table: seats that never stop sending, and moderators."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Protocol

from tests.media.conftest import CLIENT
from voice.bench.link import GOOD, BadLink, Impairment, without_candidates
from voice.media.client import VoiceClient
from voice.media.early import is_speech
from voice.media.errors import MediaError

from .book import Ear, Way
from .hostile import misbehave
from .speech import numbered, tone_of

if TYPE_CHECKING:
    import random

    from .book import Book

BAD_SEATS = (1, 4, 7)
HOSTILE = 10
WEATHER = Impairment(loss=0.08, burst=2.0, delay_s=0.002, jitter_s=0.02, reorder=0.1, reorder_s=0.02, duplicate=0.1)
SLOTS = 3
CONNECT_S = 8.0
AGAIN_S = 0.1
CROWD = 6
"""Packets that a seat sends at one go where the server is late."""
REMEMBERED = 2_000


class Room(Protocol):
    """What a seat needs of the table's voice."""

    async def connect(self, viewer: int | str, sdp: str) -> str: ...

    async def disconnect(self, viewer: int | str) -> None: ...


@dataclass(eq=False)
class Page:
    """One page of a seat: its client, its link, and the numbers of what it sent."""

    client: VoiceClient
    link: BadLink
    way: Way
    sent: OrderedDict[tuple[int, int], int] = field(default_factory=OrderedDict)
    """By SSRC and RTP sequence number: the number of the packet."""

    def note(self, sequence: int, serial: int) -> None:
        """This number goes out under that sequence number."""
        self.sent[self.client.link._streams[0].ssrc, sequence & 0xFFFF] = serial
        if len(self.sent) > REMEMBERED:
            self.sent.popitem(last=False)

    def number(self, datagram: bytes) -> int | None:
        """The number of a packet, by its RTP header, which is not encrypted; None for all else."""
        if not is_speech(datagram):
            return None
        return self.sent.get((int.from_bytes(datagram[8:12], "big"), int.from_bytes(datagram[2:4], "big")))

    def pump(self) -> None:
        """What the client has sent goes on its way over the link now, before the event loop comes to it."""
        if self.link._inner is None:
            return
        own = socket.socket(fileno=os.dup(self.link._inner.get_extra_info("socket").fileno()))
        with own:
            own.setblocking(False)
            while True:
                try:
                    self.link._from_client(*own.recvfrom(2_000))
                except BlockingIOError:
                    return

    async def close(self) -> None:
        """The end."""
        await self.client.close()
        self.link.close()


class Player:
    """One seat, which never stops sending, whatever the server opens."""

    def __init__(self, seat: int, room: Room, book: Book, chance: random.Random) -> None:
        self.seat = seat
        self.ear = Ear(f"seat {seat}", book, seat)
        self.page: Page | None = None
        self._room = room
        self._book = book
        self._chance = chance
        self._tone = tone_of(seat)
        self._withheld: list[tuple[int, int, bytes]] = []
        self._datagrams: list[bytes] = []
        self._olds: list[Page] = []
        self._sent = 0
        self._connecting = asyncio.Lock()

    async def _connect(self) -> bool:
        """A new page: a new connection over a new link; the page before it goes on sending for a moment."""
        async with self._connecting:
            weather = WEATHER if self.seat in BAD_SEATS else GOOD
            link = await BadLink.start(weather, weather, self._chance.randrange(1 << 30))
            hearing = self.ear.connection()
            client = VoiceClient(slots=SLOTS, settings=CLIENT, on_packet=hearing.hear)
            page = Page(client, link, Way(self.seat))
            try:
                answer = await self._room.connect(self.seat, without_candidates(await client.offer()))
                hearing.answered()
                if self.page is not None:
                    self.page.way.replaced = True
                await client.accept(link.between(answer))
                await client.connected(CONNECT_S)
            except (MediaError, TimeoutError):
                await page.close()
                self._book.counts["connections that failed"] += 1
                return False
            link.leaves = partial(self._left, page)
            if self.page is not None:
                self._olds.append(self.page)
            # Of another stream and for other keys: over the new one they would be new speech, or noise.
            self._withheld.clear()
            self._datagrams.clear()
            self.page = page
            self._book.counts["connections"] += 1
            return True

    async def come_back(self) -> None:
        """As a page does whose connection is gone: try until it is there again."""
        while not await self._connect():  # noqa: ASYNC110 - a page tries again after a while, too
            await asyncio.sleep(AGAIN_S)

    async def leave(self) -> None:
        """Close the page."""
        await self._room.disconnect(self.seat)
        await self.forget_olds()
        if self.page is not None:
            page, self.page = self.page, None
            await page.close()

    def _left(self, page: Page, datagram: bytes) -> None:
        serial = page.number(datagram)
        if serial is not None:
            self._book.reached(page.way, serial)
            if page is self.page and self.seat not in self._book.open:
                self._datagrams = [*self._datagrams[-19:], datagram]

    def _next(self) -> tuple[bytes, int]:
        self._book.serial += 1
        self._sent += 1
        return numbered(self._tone[self._sent % len(self._tone)], self.seat, self._book.serial), self._book.serial

    def send(self, page: Page, payload: bytes | None = None) -> None:
        """The next packet of this page."""
        payload, serial = self._next()
        page.note(page.client._sequence + 1, serial)
        page.client.send(payload)

    def step(self) -> None:
        """The next packet; while closed, some are kept back."""
        page = self.page
        if page is None:
            return
        # The hostile one jumps, and so could give its own old speech any number: as well could it say it anew.
        if self.seat not in self._book.open and self.seat != HOSTILE and self._sent % 4 == 0:
            payload, serial = self._next()
            client = page.client
            client._sequence = (client._sequence + 1) & 0xFFFF
            client._timestamp = (client._timestamp + 960) & 0xFFFFFFFF
            page.note(client._sequence, serial)
            self._withheld = [*self._withheld[-9:], (client._sequence, client._timestamp, payload)]
        else:
            self.send(page)
        for old in self._olds:
            self.send(old)
        if self.seat == HOSTILE:
            misbehave(self, page, self._chance)

    def crowd(self) -> None:
        """Some packets at once: where the link is good they are in the server's socket when this returns."""
        if self.page is not None:
            for _ in range(CROWD):
                self.send(self.page)
            self.page.pump()

    def leak(self) -> None:
        """In its minute: what was kept back, and what the server had, again."""
        page = self.page
        if page is None:
            return
        for sequence, timestamp, payload in reversed(self._withheld):
            page.client.link.send(sequence, timestamp, False, payload, 0.0)
        for datagram in self._datagrams[-5:]:
            page.link.to_server(datagram)
        self._withheld.clear()
        self._datagrams.clear()

    async def forget_olds(self) -> None:
        """Close the pages of before."""
        olds, self._olds = self._olds, []
        await asyncio.gather(*(page.close() for page in olds))

    async def close(self) -> None:
        """The end."""
        await self.forget_olds()
        if self.page is not None:
            await self.page.close()


class Moderator:
    """One who only listens."""

    def __init__(self, name: str, room: Room, book: Book) -> None:
        self.name = name
        self.ear = Ear(name, book)
        self._room = room
        self._client: VoiceClient | None = None

    async def _connect(self) -> bool:
        """A new connection."""
        before = self._client
        hearing = self.ear.connection()
        client = VoiceClient(listen_only=True, slots=SLOTS, settings=CLIENT, on_packet=hearing.hear)
        try:
            answer = await self._room.connect(self.name, await client.offer())
            hearing.answered()
            await client.accept(answer)
            await client.connected(CONNECT_S)
        except (MediaError, TimeoutError):
            await client.close()
            return False
        self._client = client
        if before is not None:
            await before.close()
        return True

    async def come_back(self) -> None:
        """Try until it is there."""
        while not await self._connect():  # noqa: ASYNC110 - as above
            await asyncio.sleep(AGAIN_S)

    async def close(self) -> None:
        """The end."""
        await self._room.disconnect(self.name)
        if self._client is not None:
            await self._client.close()
