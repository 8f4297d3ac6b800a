"""Sockets that somebody else reads, and the fallback, whose packets wait in sockets and queues before the gate."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import pytest
import uvloop

from voice.media import sounding
from voice.media.client import VoiceClient
from voice.media.fallback import FallbackLink
from voice.media.peer import PeerLink
from voice.media.room import MediaRoom
from voice.media.sounding import Sounding

from .conftest import CLIENT, LOCAL, opus_tone, settle, speak, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from voice.media.link import LinkFactory


class Library(asyncio.DatagramProtocol):
    """Reads a socket as an ICE library does: answers requests at once, hands all else to a task."""

    def __init__(self) -> None:
        self.handled: list[bytes] = []
        self.deaf = False
        self.asked = 0
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue()
        self.task = asyncio.create_task(self._work())

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        if data[:2] != b"\x00\x01":
            self._waiting.put_nowait(data)
            return
        self.asked += 1
        if not self.deaf:
            self._transport.sendto(b"\x01\x11" + data[2:], addr)

    async def _work(self) -> None:
        while True:
            self.handled.append(await self._waiting.get())


@pytest.fixture
async def library() -> AsyncIterator[tuple[Library, tuple[str, int]]]:
    """One that reads a socket on 127.0.0.1, and where that is."""
    transport, made = await asyncio.get_running_loop().create_datagram_endpoint(Library, local_addr=("127.0.0.1", 0))
    yield made, transport.get_extra_info("sockname")
    made.task.cancel()
    transport.close()


async def test_when_it_is_done_all_that_had_come_is_handled(library: tuple[Library, tuple[str, int]]) -> None:
    reader, address = library
    asks = await Sounding.start([address])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for turn in range(1, 6):
            for number in range(30):
                sender.sendto(b"\x80" + bytes([number]), address)
            await asks.ask()
            assert len(reader.handled) == 30 * turn
    asks.close()


async def test_without_an_answer_it_is_not_done_and_asks_again_and_says_so(
    library: tuple[Library, tuple[str, int]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sounding, "REPEAT_S", 0.002)
    reader, address = library
    reader.deaf = True
    asks = await Sounding.start([address])
    first = asks.ask()
    await until(lambda: reader.asked > sounding.WARN_AFTER)
    assert not first.done()
    assert "media.sounding.unanswered" in "".join(capsys.readouterr())
    second = asks.ask()
    assert first.cancelled()
    reader.deaf = False
    await second
    last = asks.ask()
    asks.close()
    assert last.cancelled()


async def test_an_answer_to_another_question_is_none(library: tuple[Library, tuple[str, int]]) -> None:
    reader, address = library
    reader.deaf = True
    asks = await Sounding.start([address])
    asked = asks.ask()
    name = next(iter(asks._unanswered))
    for forged in (
        b"",
        b"\x01\x11",
        b"\x01\x11\x00\x00\x21\x12\xa4\x42" + bytes(12),
        b"\x01\x01\x00\x00\x21\x12\xa4\x42" + name,
    ):
        asks._answer(forged)
    assert not asked.done()
    assert set(asks._unanswered) == {name}
    asks.close()


async def _late_server(links: LinkFactory) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """What was sent before the openings and after them, and what came out, of a server that reads late.

    Both ends share the event loop, so what is sent in one go waits unread in the server's socket while the gate moves.
    """
    tapped: list[bytes] = []
    room = MediaRoom("t", lambda packet: tapped.append(packet.payload), lambda seats: None, LOCAL, links)
    clients = {seat: VoiceClient(settings=CLIENT) for seat in (1, 2)}
    before, after = opus_tone(440, 40), opus_tone(900, 40)
    try:
        for seat, client in clients.items():
            await client.accept(await room.connect(seat, await client.offer()))
        await asyncio.gather(*(client.connected() for client in clients.values()))
        await until(lambda: room.stats()["alive"] == [1, 2])
        for turn in range(4):
            for payload in before[turn * 10 :][:10]:
                assert clients[1].send(payload)
            room.mic([1])
            await settle()
            await speak(clients[1], after[turn * 10 :][:10])
            await until(lambda turn=turn: len(tapped) >= 9 * (turn + 1))
            room.mic([])
            await settle(0.05)
        heard = [packet.payload for packet in clients[2].received if len(packet.payload) > 3]
        assert heard == tapped
        return before, after, tapped
    finally:
        await asyncio.gather(room.close(), *(client.close() for client in clients.values()))


@pytest.mark.parametrize("links", [FallbackLink, PeerLink])
@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_what_waited_for_a_late_server_is_not_heard(links: LinkFactory, loop: Any) -> None:
    with asyncio.Runner(loop_factory=loop) as runner:
        before, after, tapped = runner.run(_late_server(links))
    assert not set(before) & set(tapped)
    assert tapped == [payload for turn in range(4) for payload in after[turn * 10 + 1 :][:9]]


async def test_a_seat_that_is_held_by_its_old_connection_is_heard_by_its_new_one() -> None:
    tapped: list[bytes] = []
    room = MediaRoom("t", lambda packet: tapped.append(packet.payload), lambda seats: None, LOCAL, FallbackLink)
    old, new = VoiceClient(settings=CLIENT), VoiceClient(settings=CLIENT)
    try:
        await old.accept(await room.connect(1, await old.offer()))
        await old.connected()
        await until(lambda: room.stats()["alive"] == [1])
        link = room._peers[1].link
        assert isinstance(link, FallbackLink)
        sounded = link._sounding
        assert sounded is not None
        sounded._addresses = (("127.0.0.1", 9),)  # where nobody answers
        payloads = opus_tone(440, 20)
        room.mic([1])
        await speak(old, payloads)
        await settle()
        assert tapped == []
        await new.accept(await room.connect(1, await new.offer()))
        await new.connected()
        await speak(new, payloads)
        await until(lambda: tapped == payloads[1:])
    finally:
        await asyncio.gather(room.close(), old.close(), new.close())
