"""What may not end a connection that is made by aiortc's public API."""

from __future__ import annotations

import asyncio
import re
import socket

from voice.media.client import VoiceClient
from voice.media.fallback import FallbackLink
from voice.media.room import MediaRoom

from .conftest import CLIENT, LOCAL, opus_tone, settle, speak, until


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
