"""A player's end of the voice, without a browser: for `voicetable demo`, for measuring, and for tests.

Used like this:

    client = VoiceClient(pcm=samples, rate_hz=16_000)
    await client.accept(await answer_from_server(await client.offer()))
    await client.connected()
    client.speak(True)          # from now on the PCM goes out in real time, 20 ms a packet
    ...
    client.speak(False)         # not one packet more
    await client.close()
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .codec import OpusDecoder as OpusDecoder
from .codec import OpusEncoder as OpusEncoder
from .errors import MediaError
from .peer import PeerLink
from .rtp import FRAME_S, FRAME_SAMPLES
from .settings import MediaSettings

if TYPE_CHECKING:
    from collections.abc import Callable


RECEIVED_KEPT = 100_000


@dataclass(frozen=True, slots=True)
class ReceivedPacket:
    """One packet as it came from the table, in the stream of one slot; `arrival` in monotonic seconds."""

    sequence: int
    timestamp: int
    payload: bytes
    arrival: float
    slot: int = 0


class VoiceClient:
    """One WebRTC client: speaks PCM in real time while `speak(True)`, keeps what it receives.

    `pcm`: mono, signed 16 bit little endian at `rate_hz`; it begins anew at each `speak(True)`, and silence follows
    its end. `on_packet`: called with each packet from the table (else they are kept in `received`, the last 100 000).
    `listen_only`: offers recvonly, as a moderator does. `slots`: how many streams it asks for; `link.slots` has how
    many it got.
    """

    def __init__(
        self,
        pcm: bytes = b"",
        rate_hz: int = 16_000,
        *,
        on_packet: Callable[[ReceivedPacket], None] | None = None,
        listen_only: bool = False,
        slots: int = 1,
        settings: MediaSettings | None = None,
    ) -> None:
        self._pcm = pcm
        self._rate_hz = rate_hz
        self._listen_only = listen_only
        self._slots = slots
        self._on_packet = on_packet
        self.received: deque[ReceivedPacket] = deque(maxlen=RECEIVED_KEPT)
        self._changed = asyncio.Event()
        # The table sends as many packets as it has speakers; the input limits are the server's, not a client's.
        limits = settings or MediaSettings(packets_per_s=1e6, packets_burst=1e6, bytes_per_s=1e9, bytes_burst=1e9)
        self.link = PeerLink(limits, self._receive, self._changed.set)
        self.link.on_further = self._receive_further
        self._sequence = random.randrange(1, 0x8000)
        self._timestamp = random.randrange(1 << 32)
        self._stopped_at = 0.0
        self._speaking: asyncio.Task[None] | None = None
        self._ticking: asyncio.Task[None] | None = None

    async def offer(self) -> str:
        """The offer to send to the server."""
        return await self.link.offer(speak=not self._listen_only, slots=self._slots)

    async def accept(self, answer: str) -> None:
        """Take the server's answer. Raises MediaError `bad_sdp`."""
        await self.link.accept(answer)
        self._ticking = asyncio.get_running_loop().create_task(self._tick())

    async def connected(self, within_s: float = 10.0) -> None:
        """Wait for the connection. Raises MediaError `closed` if it fails, TimeoutError if it takes too long."""
        async with asyncio.timeout(within_s):
            while not self.link.connected:
                if self.link.down:
                    raise MediaError("closed", "the voice connection failed")
                self._changed.clear()
                await self._changed.wait()

    def speak(self, on: bool, pcm: bytes | None = None) -> None:
        """Begin to send the PCM (a new one if given) from its start, or stop."""
        if pcm is not None:
            self._pcm = pcm
        if self._speaking is not None:
            self._speaking.cancel()
            self._speaking = None
        if on:
            self._speaking = asyncio.get_running_loop().create_task(self._speak())

    @property
    def speaking(self) -> bool:
        """Is PCM on its way? False again after its end."""
        return self._speaking is not None and not self._speaking.done()

    def send(self, payload: bytes) -> bool:
        """Send one 20 ms Opus packet of one's own now, as the next of the stream."""
        now = time.monotonic()
        self._sequence = (self._sequence + 1) & 0xFFFF
        self._timestamp = (self._timestamp + FRAME_SAMPLES) & 0xFFFFFFFF
        return self.link.send(self._sequence, self._timestamp, False, payload, now)

    async def _speak(self) -> None:
        encoder = OpusEncoder(self._rate_hz)
        step = encoder.frame_samples * 2
        begin = time.monotonic()
        if self._stopped_at:
            self._timestamp += round((begin - self._stopped_at) * 50) * FRAME_SAMPLES
        for number, at in enumerate(range(0, len(self._pcm), step)):
            payload = encoder.encode(self._pcm[at : at + step])
            await asyncio.sleep(max(0.0, begin + number * FRAME_S - time.monotonic()))
            self._stopped_at = time.monotonic()
            if payload:
                self.send(payload)

    async def _tick(self) -> None:
        while not self.link.down:
            await asyncio.sleep(1.0)
            self.link.tick(time.monotonic())

    def _receive(self, sequence: int, timestamp: int, payload: bytes, extension: bytes, now: float) -> None:
        self._receive_further(0, sequence, timestamp, payload, now)

    def _receive_further(self, slot: int, sequence: int, timestamp: int, payload: bytes, now: float) -> None:
        packet = ReceivedPacket(sequence, timestamp, payload, now, slot)
        if self._on_packet is not None:
            self._on_packet(packet)
        else:
            self.received.append(packet)

    def heard(self, since: int = 0, slot: int = 0) -> bytes:
        """What was received in a slot (from packet number `since` of `received` on) as PCM, mono, 48 kHz, without the
        gaps."""
        decoder = OpusDecoder()
        packets = (packet for packet in list(self.received)[since:] if packet.slot == slot)
        return b"".join(decoder.decode(packet.payload) for packet in packets)

    async def close(self) -> None:
        """Stop and close."""
        self.speak(False)
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        await self.link.close()
