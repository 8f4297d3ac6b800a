"""What the tests of hostile peers share: strangers' sockets, garbage, and whether the others hear on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct
from itertools import pairwise
from typing import TYPE_CHECKING

from .conftest import Voices, opus_tone, speak, until

if TYPE_CHECKING:
    import random
    from collections.abc import Awaitable, Callable, Iterator

    from voice.media.client import VoiceClient


def server_address(voices: Voices, seat: int) -> tuple[str, int]:
    """Where the server listens for this seat."""
    address: tuple[str, int] = voices.clients[seat].link._ice._nominated[1].remote_addr
    return address


def dropped(voices: Voices) -> dict[str, int]:
    """The room's counters of dropped packets."""
    counts = voices.room.stats()["dropped"]
    assert isinstance(counts, dict)
    return counts


def stranger() -> socket.socket:
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


@contextlib.contextmanager
def strangers(count: int) -> Iterator[list[socket.socket]]:
    """Several of them, closed also where the test fails."""
    with contextlib.ExitStack() as closing:
        yield [closing.enter_context(stranger()) for _ in range(count)]


def received(sock: socket.socket) -> list[bytes]:
    """What has come to a socket that does not block."""
    got = []
    with contextlib.suppress(BlockingIOError):
        while True:
            got.append(sock.recv(1500))
    return got


async def still_works(voices: Voices, speaker: int, listener: int) -> None:
    voices.room.mic([])
    voices.room.mic([speaker])
    voices.forget()
    payloads = opus_tone(440, 20)
    await speak(voices.clients[speaker], payloads)
    await until(lambda: len(voices.heard(listener)) == 19)
    assert voices.heard(listener) == payloads[1:]


def garbage(chance: random.Random) -> list[bytes]:
    """Datagrams that would end aiortc's transport or reach a parser: empty, too long, of each protocol's first byte."""
    made = [b"", b"\x80", b"\x90" * 1600, b"\x80" * 20_000]
    for first in (0, 1, 2, 3, 16, 20, 22, 23, 63, 64, 79, 127, 128, 144, 191, 192, 255):
        made += [bytes([first]) + os.urandom(chance.randrange(0, 200)) for _ in range(6)]
    cookie = 0x2112A442
    for attribute in (0x0006, 0x0008, 0x0009, 0x0020, 0x0024, 0x0025, 0x8028, 0x8029, 0x0001):
        for size in (0, 1, 3, 4, 7, 20):
            body = struct.pack("!HH", attribute, size) + os.urandom(size) + b"\x00" * (-size % 4)
            made.append(struct.pack("!HHI12s", 0x0001, len(body), cookie, os.urandom(12)) + body)
    return made


async def goes_on(voices: Voices, speaker: int, listener: int, attack: Callable[[], Awaitable[None]]) -> None:
    """The speaker's audio reaches the listener without a gap while the attack runs."""
    voices.room.mic([])
    voices.room.mic([speaker])
    voices.forget()
    payloads, sent, over = opus_tone(440, 20), 0, asyncio.ensure_future(attack())
    while not over.done() or sent < 20:
        voices.clients[speaker].send(payloads[sent % 20])
        sent += 1
        await asyncio.sleep(0.01)
    over.result()
    await until(lambda: len(voices.heard(listener)) >= sent - 1)
    assert voices.heard(listener) == [payloads[number % 20] for number in range(1, sent)]
    numbers = [packet.sequence for packet in voices.clients[listener].received if len(packet.payload) > 3]
    assert {(b - a) & 0xFFFF for a, b in pairwise(numbers)} == {1}


def sealed_by(client: VoiceClient, payloads: list[bytes]) -> list[bytes]:
    """The client's own next SRTP packets, caught on their way: they don't arrive."""
    link = client.link
    caught: list[bytes] = []
    link._use(link._ice._nominated[1])
    sendto = link._sendto

    def keep(data: memoryview, address: tuple[str, int]) -> int:
        caught.append(bytes(data))
        return len(data)

    link._sendto = keep
    for payload in payloads:
        client.send(payload)
    link._sendto = sendto
    return caught
