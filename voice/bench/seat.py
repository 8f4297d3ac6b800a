"""One client of the bench: it sends without pause, and remembers what it sent, heard and was told, and when."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from voice.bench.sound import FRAME_S, Sound
from voice.media.client import ReceivedPacket, VoiceClient
from voice.player.session import PlayerSession

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from voice.player.door import SeatKey

SETTLE_S: Final = 4.0
"""After the last minute: the last line's text and verdict are there by then."""


@dataclass(slots=True)
class Seen:
    """What one client saw. All times monotonic seconds of this process, but `minutes`, which are table times.

    sent: the times at which each payload was sent. heard: arrival and payload. offset_s: our clock less the table's.
    minutes: each speech as (seat, begin, end). spoken_s: when this client's speech began to be sent.
    lines, verdicts: when this client's own captions and its warnings and fouls came. cases: when a moderator had such
    a line with its sound.
    """

    seat: int = 0
    sent: dict[bytes, list[float]] = field(default_factory=dict)
    heard: list[tuple[float, bytes]] = field(default_factory=list)
    sequences: list[int] = field(default_factory=list)
    offset_s: float = math.inf
    minutes: list[tuple[int, float, float]] = field(default_factory=list)
    spoken_s: float | None = None
    lines: list[float] = field(default_factory=list)
    verdicts: list[float] = field(default_factory=list)
    cases: list[float] = field(default_factory=list)


class BenchSeat:
    """A client with a seat. `loss`: the part of its packets, 0 to 1, that is dropped each way."""

    def __init__(self, address: str, key: SeatKey, sound: Sound, loss: float, chance: random.Random) -> None:
        self.key = key
        self.sound = sound
        self.seen = Seen()
        self.done = asyncio.Event()
        self._loss = loss
        self._chance = chance
        self._voice = VoiceClient(on_packet=self._hear)
        self.session = PlayerSession(address, key.token, self._voice)
        self.session.on_mic = self._turn
        self._spoken_s: float | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def sit_down(self) -> None:
        """Open the WebSocket."""
        await self.session.__aenter__()

    async def connect(self) -> None:
        """Connect the voice, once the game has begun, and begin to send."""
        await self.session.seated()
        assert self.session.seat is not None
        self.seen.seat = self.session.seat
        await self.session.connect_voice()
        self._tasks.append(asyncio.create_task(self._send()))

    def follow(self, clients: frozenset[int], progress: Callable[[str], None] | None) -> None:
        """Follow the table until every seat of `clients` has had its minute; then `done` is set."""
        self._tasks.append(asyncio.create_task(self._follow(set(clients), progress)))

    async def leave(self) -> None:
        """Stop, and close the connections. Raises what went wrong in sending or following."""
        for task in self._tasks:
            if not task.done():
                task.cancel()
        ended = await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.session.__aexit__()
        for result in ended:
            if isinstance(result, Exception):
                raise result

    def _turn(self, is_open: bool) -> None:
        self._spoken_s = time.monotonic() if is_open else None
        if is_open and self.seen.spoken_s is None:
            self.seen.spoken_s = self._spoken_s

    async def _send(self) -> None:
        begun, number = time.monotonic(), 0
        while True:
            await asyncio.sleep(max(0.0, begun + number * FRAME_S - time.monotonic()))
            number += 1
            now = time.monotonic()
            at = len(self.sound.speech) if self._spoken_s is None else int((now - self._spoken_s) / FRAME_S + 0.5)
            payload = self._payload(at, number)
            self.seen.sent.setdefault(payload, []).append(now)
            if self._chance.random() >= self._loss:
                self._voice.send(payload)

    def _payload(self, at: int, number: int) -> bytes:
        """Packet `at` of the speech; after its end, and where the microphone is closed, the tone."""
        return self.sound.speech[at] if at < len(self.sound.speech) else self.sound.tone[number % len(self.sound.tone)]

    def _hear(self, packet: ReceivedPacket) -> None:
        if self._chance.random() >= self._loss:
            self.seen.heard.append((packet.arrival, packet.payload))
            self.seen.sequences.append(packet.sequence)

    async def _follow(self, left: set[int], progress: Callable[[str], None] | None) -> None:
        seen = self.seen
        async for message in self.session.messages():
            kind, received_s = message["type"], message["received_s"]
            if kind in ("clock", "event"):
                seen.offset_s = min(seen.offset_s, received_s - message["now"])
            if kind == "line" and message["seat"] == seen.seat and message["by"] == "voice":
                seen.lines.append(received_s)
            if kind != "event":
                continue
            event = message["event"]
            if event["event"] in ("warned", "fouled") and event["seat"] == seen.seat:
                seen.verdicts.append(received_s)
            if event["event"] != "phase":
                continue
            if seen.minutes and seen.minutes[-1][2] == math.inf:
                seat, begun, _ = seen.minutes[-1]
                seen.minutes[-1] = (seat, begun, event["t"])
                left.discard(seat)
                if not left:
                    asyncio.get_running_loop().call_later(SETTLE_S, self.done.set)
            if event["name"] == "speech":
                seen.minutes.append((event["seat"], event["t"], math.inf))
                if progress is not None:
                    progress(f"seat {event['seat']} has the minute; {len(left)} clients have not spoken yet")
        self.done.set()
