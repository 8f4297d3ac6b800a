"""What may not end a connection that is made by aiortc's public API."""

from __future__ import annotations

import asyncio
import re
import socket
from typing import TYPE_CHECKING

from voice.media.client import VoiceClient
from voice.media.fallback import FallbackLink
from voice.media.room import MediaRoom

from .conftest import CLIENT, LOCAL, opus_tone, settle, speak, until

if TYPE_CHECKING:
    from voice.media.link import OnRtp, OnState
    from voice.media.sdp import Section
    from voice.media.settings import MediaSettings


class LateLink:
    """A link that says only later that it has handed on what had come."""

    connected, down, heard_at, slots = True, False, 0.0, 1
    audio_level: int | None = None

    def __init__(self, settings: MediaSettings, on_rtp: OnRtp, on_state: OnState) -> None:
        self.dropped: dict[str, int] = {}
        self.say = on_rtp
        self.reading: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def answer(self, offer: Section, speak: bool) -> str:
        return ""

    def send(self, sequence: int, timestamp: int, marker: bool, payload: bytes, now: float, slot: int = 0) -> bool:
        return True

    def drain(self) -> asyncio.Future[None]:
        self.reading.cancel()
        self.reading = asyncio.get_running_loop().create_future()
        return self.reading

    def tick(self, now: float) -> None:
        pass

    async def close(self) -> None:
        self.reading.cancel()


async def test_an_opening_waits_for_what_it_has_asked_and_not_for_an_older_answer() -> None:
    made: list[LateLink] = []
    tapped: list[int] = []

    def link(settings: MediaSettings, on_rtp: OnRtp, on_state: OnState) -> LateLink:
        made.append(LateLink(settings, on_rtp, on_state))
        return made[-1]

    def say(*numbers: int) -> None:
        for number in numbers:
            late.say(number, number * 960, b"speech", b"", 0.0)

    room = MediaRoom("t", lambda packet: tapped.append(packet.sequence), lambda seats: None, LOCAL, link)
    client = VoiceClient(settings=CLIENT)
    await room.connect(1, await client.offer())
    (late,) = made
    try:
        room.mic([1])
        late.reading.set_result(None)  # the room is told of it in the next turn of the loop
        room.mic([])
        room.mic([1])
        await asyncio.sleep(0)
        say(1, 2, 3)
        late.reading.set_result(None)
        await asyncio.sleep(0)
        say(4, 5)
        assert tapped == [5]
    finally:
        await asyncio.gather(room.close(), client.close())


async def test_a_datagram_that_is_too_long_for_srtp_ends_nobodys_connection() -> None:
    tapped: list[bytes] = []
    room = MediaRoom("t", lambda packet: tapped.append(packet.payload), lambda seats: None, LOCAL, FallbackLink)
    client = VoiceClient(settings=CLIENT)
    try:
        answer = await room.connect(1, await client.offer())
        await client.accept(answer)
        await client.connected()
        await until(lambda: room.stats()["alive"] == [1])
        found = re.search(r"a=candidate:\S+ 1 udp \d+ (\S+) (\d+)", answer)
        assert found is not None
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            for size in (1_501, 3_000, 60_000):
                stranger.sendto(b"\x80\x60" + bytes(size), (found[1], int(found[2])))
        await settle()
        room.mic([1])
        await settle()
        payloads = opus_tone(440, 20)
        await speak(client, payloads)
        await until(lambda: tapped == payloads[1:])
    finally:
        await asyncio.gather(room.close(), client.close())
