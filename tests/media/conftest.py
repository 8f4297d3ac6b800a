"""A table's voice with real WebRTC clients on the loopback interface."""

from __future__ import annotations

import asyncio
import math
import os
import struct
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from voice.media.client import OpusEncoder, VoiceClient
from voice.media.room import MediaRoom, Viewer
from voice.media.settings import MediaSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

    from voice.media.packet import AcceptedPacket

LOCAL = MediaSettings(addresses=())
"""Only 127.0.0.1: what works here works without a network."""
CLIENT = MediaSettings(addresses=(), packets_per_s=1e6, packets_burst=1e6, bytes_per_s=1e9, bytes_burst=1e9)


def tone(hz: float, seconds: float, rate_hz: int = 16_000) -> bytes:
    """A sine, mono, signed 16 bit."""
    count = int(seconds * rate_hz)
    return struct.pack(f"<{count}h", *(int(9000 * math.sin(2 * math.pi * hz * n / rate_hz)) for n in range(count)))


def energy(pcm: bytes, hz: float, rate_hz: int = 48_000) -> float:
    """The amplitude of one frequency in mono 16-bit PCM (Goertzel), as a part of full scale."""
    samples = struct.unpack(f"<{len(pcm) // 2}h", pcm)
    if not samples:
        return 0.0
    turn = 2 * math.cos(2 * math.pi * hz / rate_hz)
    before = last = 0.0
    for sample in samples:
        before, last = last, sample + turn * last - before
    power = last * last + before * before - turn * last * before
    return 2 * math.sqrt(max(0.0, power)) / len(samples) / 32768


def opus_tone(hz: float, packets: int) -> list[bytes]:
    """A tone as Opus packets of 20 ms, encoded once."""
    encoder = OpusEncoder(16_000)
    pcm = tone(hz, packets * 0.02)
    return [encoder.encode(pcm[at : at + 640]) for at in range(0, len(pcm), 640)]


@dataclass
class Voices:
    """A room and its clients."""

    room: MediaRoom
    tapped: list[AcceptedPacket] = field(default_factory=list)
    links: list[frozenset[int]] = field(default_factory=list)
    clients: dict[Viewer, VoiceClient] = field(default_factory=dict)
    others: list[VoiceClient] = field(default_factory=list)
    slots: list[tuple[int, tuple[int | None, ...]]] = field(default_factory=list)
    asks: int = 3
    """Streams that a new client asks for."""

    async def join(self, *viewers: Viewer) -> None:
        """Connect these viewers, each with a new client, and wait until all are connected."""
        for viewer in viewers:
            await self.attach(viewer)
        await asyncio.gather(*(self.clients[viewer].connected() for viewer in viewers))
        wanted = {viewer for viewer in viewers if isinstance(viewer, int)}
        await until(lambda: bool(self.links and wanted <= self.links[-1]) or not wanted)

    async def attach(self, viewer: Viewer) -> VoiceClient:
        """Send the offer of a new client of this viewer, and take the answer."""
        client = VoiceClient(listen_only=isinstance(viewer, str), slots=self.asks, settings=CLIENT)
        self.others.append(client)
        await client.accept(await self.room.connect(viewer, await client.offer()))
        self.clients[viewer] = client
        return client

    def heard(self, viewer: Viewer) -> list[bytes]:
        """The payloads a viewer received, without the server's own silence."""
        return [p.payload for p in self.clients[viewer].received if len(p.payload) > 3]

    def heard_in(self, viewer: Viewer, slot: int) -> list[bytes]:
        """The same of one slot."""
        return [p.payload for p in self.clients[viewer].received if len(p.payload) > 3 and p.slot == slot]

    def forget(self) -> None:
        """Begin to count anew."""
        self.tapped.clear()
        for client in self.clients.values():
            client.received.clear()


async def until(condition: Callable[[], bool], within_s: float = 10.0) -> None:
    """Wait for a condition; the test fails if it doesn't come."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)


async def settle(seconds: float = 0.15) -> None:
    """Let the datagrams that are under way arrive."""
    await asyncio.sleep(seconds)


async def speak(client: VoiceClient, payloads: Iterable[bytes], step_s: float = 0.002) -> None:
    """Send packets faster than in real time: their timestamps are 20 ms apart all the same."""
    for payload in payloads:
        assert client.send(payload)
        await asyncio.sleep(step_s)


@pytest.fixture
async def voices() -> AsyncIterator[Voices]:
    """A room; after the test everything is closed, and no thread or task may be left."""
    threads = threading.active_count()
    made = Voices(
        MediaRoom(
            "table",
            lambda packet: made.tapped.append(packet),
            lambda seats: made.links.append(seats),
            LOCAL,
            on_slots=lambda change, seats: made.slots.append((change, seats)),
        )
    )
    yield made
    await asyncio.gather(made.room.close(), *(client.close() for client in made.others))
    await until(lambda: not leftovers(), 5.0)
    await until(lambda: threading.active_count() <= threads, 5.0)


def leftovers() -> list[asyncio.Task[object]]:
    """Tasks of the media plane and its libraries that still run."""
    return [
        task
        for task in asyncio.all_tasks()
        if any(
            word in repr(task.get_coro()) for word in ("aiortc", "aioice", "RTC", "Connection", "VoiceClient", "Link")
        )
    ]


@pytest.fixture
def open_files() -> Callable[[], int]:
    """Counts this process's open files and sockets."""
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("open files are counted in /proc/self/fd, which this system lacks")
    return lambda: len(os.listdir("/proc/self/fd"))
