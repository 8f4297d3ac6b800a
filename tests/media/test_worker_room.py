"""One room of a media worker and its end at the server, without a process: what is bounded, and what is told anew."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import pytest

from voice.media.client import VoiceClient
from voice.media.packet import AcceptedPacket
from voice.media.settings import MediaSettings
from voice.media.workers.hosted import WAITING_BYTES, Batches, HostedRoom
from voice.media.workers.keeper import WorkerKeeper
from voice.media.workers.remote import RemoteRoom, add_up
from voice.media.workers.wire import Accepted, Answer, Begin, Connect, FromWorker, Move, Open, Stalled, ToWorker
from voice.media.workers.worker import Worker
from voice.processes.channel import Channel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from voice.media.link import Link, OnRtp, OnState
    from voice.media.sdp import Section
    from voice.processes.wire import Message


def no_link(*_given: object) -> Link:
    raise AssertionError("nobody connects here")


def packet(number: int) -> AcceptedPacket:
    return AcceptedPacket(1, 1, number & 0xFFFF, number * 960, bytes(1000), number * 0.02)


@pytest.fixture
async def ends() -> AsyncIterator[tuple[Channel, socket.socket]]:
    """The worker's end of a wire, and the server's bare one."""
    ours, theirs = socket.socketpair()
    channel = Channel(theirs, ToWorker, lambda _message: None, lambda _why: None)
    yield channel, ours
    channel.close()
    ours.close()


async def test_a_server_that_takes_nothing_costs_the_recogniser_packets_and_the_worker_no_memory(
    ends: tuple[Channel, socket.socket],
) -> None:
    channel, server = ends
    batches = Batches(channel)
    room = HostedRoom(1, "one", MediaSettings(), no_link, batches)
    room.move(Move(1, [1], 1))
    for number in range(3_000):
        room._packet(packet(number))
        if number % 5 == 4:
            batches.flush()
    assert channel.waiting_bytes < WAITING_BYTES + 10_000
    said: list[Any] = []
    reader = Channel(server.dup(), FromWorker, said.append, lambda _why: None)
    async with asyncio.timeout(10):
        while channel.waiting_bytes:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.01)
    room.tell_counts()
    async with asyncio.timeout(10):
        while isinstance(said[-1] if said else None, Accepted | None):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.01)
    came = [number for each in said if isinstance(each, Accepted) for _, number, _, _, _ in each.packets]
    assert came == list(range(len(came))), "in order, and what was dropped is at the end"
    assert 0 < len(came) < 3_000
    assert said[-1].counts["tap_dropped"] == 3_000 - len(came)
    reader.close()


async def test_packets_carry_the_move_they_were_let_in_under(ends: tuple[Channel, socket.socket]) -> None:
    channel, server = ends
    batches = Batches(channel)
    room = HostedRoom(1, "one", MediaSettings(), no_link, batches)
    said: list[Any] = []
    reader = Channel(server.dup(), FromWorker, said.append, lambda _why: None)
    room.move(Move(1, [1], 5))
    room._packet(packet(1))
    room._packet(packet(2))
    room.move(Move(1, [2], 6))
    room._packet(packet(3))
    async with asyncio.timeout(10):
        while len(said) < 2:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.005)
    assert [(each.serial, [number for _, number, _, _, _ in each.packets]) for each in said] == [(5, [1, 2]), (6, [3])]
    await room.close()
    reader.close()


class Wire(WorkerKeeper):
    """A keeper without a process: what it sends is kept."""

    def __init__(self) -> None:
        super().__init__("media 1", MediaSettings())
        self.sent: list[Message] = []
        self.unread: FromWorker | None = None

    def send(self, message: Message) -> None:
        self.sent.append(message)

    def look(self) -> None:
        if self.unread is not None:
            message, self.unread = self.unread, None
            self._said(message)


async def test_what_is_open_is_told_anew_under_a_new_number_and_the_same_epoch() -> None:
    keeper = Wire()
    packets: list[AcceptedPacket] = []
    room = RemoteRoom(keeper, 1, "one", packets.append, lambda _seats: None, None)
    keeper.rooms[1] = room
    room.begin()
    room.mic({1, 2})
    room.mic([2, 1])
    keeper._said(Stalled())
    keeper._down()
    room.mic({2})
    for each in keeper.rooms.values():
        each.begin()
    assert keeper.sent == [
        *(Open(1, "one"), Move(1, [1, 2], 1), Move(1, [1, 2], 2)),
        *(Move(1, [2], 3), Open(1, "one"), Move(1, [2], 4)),
    ]
    assert room.epoch == 2
    for serial in (1, 2, 3, 4):
        keeper._said(Accepted(1, serial, [(2, serial, 0, b"x", 0.0)]))
    assert [(each.sequence, each.epoch) for each in packets] == [(4, 2)]
    assert room.stats()["tap_late"] == 3


async def test_what_was_let_in_before_a_move_is_handed_on_before_it_though_the_server_is_late() -> None:
    keeper = Wire()
    packets: list[AcceptedPacket] = []
    room = RemoteRoom(keeper, 1, "one", packets.append, lambda _seats: None, None)
    keeper.rooms[1] = room
    room.mic({1})
    keeper.unread = Accepted(1, 1, [(1, 7, 0, b"x", 0.0)])
    room.mic(())
    assert [(each.sequence, each.epoch) for each in packets] == [(7, 1)]
    assert room.epoch == 2
    assert room.stats()["tap_late"] == 0


async def test_changes_of_slots_count_on_over_a_death_and_nobody_has_a_slot_meanwhile() -> None:
    keeper = Wire()
    told: list[tuple[int, tuple[int | None, ...]]] = []
    room = RemoteRoom(
        keeper, 1, "one", lambda _packet: None, lambda _seats: None, lambda change, seats: told.append((change, seats))
    )
    room.slotted(1, (None, None, None))
    room.slotted(2, (4, None, None))
    room.slotted(3, (4, 7, None))
    room.ended()
    room.ended()
    room.slotted(1, (None, None, None))
    room.slotted(2, (7, None, None))
    assert [change for change, _ in told] == sorted({change for change, _ in told})
    assert told[3][1] == (None, None, None)
    assert told[-1][1] == (7, None, None)


async def test_a_tap_that_fails_is_counted_and_the_next_packet_comes() -> None:
    keeper = Wire()
    came: list[int] = []

    def tap(packet: AcceptedPacket) -> None:
        came.append(packet.sequence)
        raise RuntimeError("the tap's own")

    room = RemoteRoom(keeper, 1, "one", tap, lambda _seats: None, None)
    room.mic({1})
    room.accepted(Accepted(1, 1, [(1, 1, 0, b"x", 0.0), (1, 2, 0, b"x", 0.0)]))
    assert came == [1, 2]
    assert room.stats()["tap_failed"] == 2


def test_counters_of_two_lives_are_one() -> None:
    past = {"peers": 0, "alive": [], "accepted": 5, "dropped": {"closed": 2}, "seats": {1: {"accepted": 5}}}
    now = {"peers": 3, "alive": [1], "accepted": 2, "dropped": {"first": 1, "closed": 1}, "seats": {1: {"accepted": 2}}}
    assert add_up(past, now) == {
        "peers": 3, "alive": [1], "accepted": 7, "dropped": {"closed": 3, "first": 1}, "seats": {1: {"accepted": 7}},
    }  # fmt: skip


class InHand:
    """A link whose packets a test hands on, one by one."""

    def __init__(self, _settings: MediaSettings, on_rtp: OnRtp, _on_state: OnState) -> None:
        self.connected = True
        self.down = False
        self.heard_at = 0.0
        self.audio_level = None
        self.slots = 1
        self.dropped: dict[str, int] = {}
        self._on_rtp = on_rtp
        self.unread: list[int] = []

    async def answer(self, _offer: Section, speak: bool) -> str:
        return "the answer"

    def comes(self, number: int) -> None:
        self._on_rtp(number, number * 960, b"\x48" + bytes(60), b"", number * 0.02)

    def send(self, *_packet: object) -> bool:
        return True

    def drain(self) -> None:
        while self.unread:
            self.comes(self.unread.pop(0))

    def tick(self, _now: float) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to close."""


@pytest.mark.parametrize("unread", [[], [11, 12]])
async def test_the_packet_in_hand_came_before_the_move_that_is_read_with_it(unread: list[int]) -> None:
    """A worker asks for the server's word with a packet in hand: that is none of the opening it then hears of."""
    ours, theirs = socket.socketpair()
    said: list[Any] = []
    server = Channel(ours, FromWorker, said.append, lambda _why: None)
    worker = Worker(theirs, "media 1")
    links: list[InHand] = []

    def make(*given: Any) -> Any:
        links.append(InHand(*given))
        return links[-1]

    worker._links = make
    client = VoiceClient()
    server.send(Begin(MediaSettings(), 60.0))
    server.send(Open(1, "one"))
    server.send(Connect(1, 1, 1, await client.offer()))
    async with asyncio.timeout(10):
        while not any(isinstance(each, Answer) for each in said):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.005)
    (link,) = links
    link.unread = unread
    server.send(Move(1, [1], 1))
    for number in (10, 13, 14, 15):
        link.comes(number)
    async with asyncio.timeout(10):
        while not any(isinstance(each, Accepted) for each in said):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.005)
    came = [number for each in said if isinstance(each, Accepted) for _, number, _, _, _ in each.packets]
    assert came == [14, 15], "13 is the first of the opening"
    await client.close()
    await worker._close()
    worker._channel.close()
    server.close()
