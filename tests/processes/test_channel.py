"""The socket pair between the server and its child processes: order, framing, and what comes of nonsense."""

from __future__ import annotations

import asyncio
import os
import random
import socket
from typing import TYPE_CHECKING, Any

import pytest

from voice.media.workers.wire import Beat, FromWorker, Move, ToWorker
from voice.processes.channel import Channel
from voice.processes.wire import LENGTH, MAX_FRAME_BYTES, Message, decoder, frame

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Pair:
    """Both ends; `said` is what came to the far one, `ends` why that ended."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self.said: list[Any] = []
        self.ends: list[str] = []
        self.near = Channel(ours, FromWorker, lambda _message: None, lambda _why: None)
        self.far_socket = theirs
        self.far = Channel(theirs, ToWorker, self.said.append, self.ends.append)

    def write(self, data: bytes) -> None:
        """Put bytes on the far end's wire."""
        with socket.socket(fileno=os.dup(self.near._socket.fileno())) as raw:
            raw.setblocking(True)
            raw.sendall(data)


@pytest.fixture
async def pair() -> AsyncIterator[Pair]:
    made = Pair()
    yield made
    made.near.close()
    made.far.close()


async def until(condition: Any) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)


async def test_what_is_sent_is_there_when_send_returns(pair: Pair) -> None:
    pair.near.send(Move(1, [2], 3))
    pair.near.send(Beat(4))
    pair.far.look()  # no turn of the loop between
    assert pair.said == [Move(1, [2], 3), Beat(4)]


async def test_order_and_content_survive_a_full_socket(pair: Pair) -> None:
    big = [Move(number, list(range(20_000)), number) for number in range(60)]
    for message in big:
        pair.near.send(message)
    assert pair.near.waiting_bytes > 0
    pair.near.send(Beat(1))
    await until(lambda: len(pair.said) == 61)
    assert pair.said == [*big, Beat(1)]
    assert pair.near.waiting_bytes == 0


async def test_frames_may_come_in_any_pieces(pair: Pair) -> None:
    messages: list[Message] = [Move(number, [number % 10], number) for number in range(200)]
    data = b"".join(map(frame, messages))
    chance = random.Random(7)
    at = 0
    while at < len(data):
        size = chance.choice((1, 2, 3, 5, 200))
        pair.write(data[at : at + size])
        at += size
        if chance.random() < 0.3:
            pair.far.look()
    await until(lambda: len(pair.said) == len(messages))
    assert pair.said == messages


async def test_a_look_within_a_message_does_not_overtake_it(pair: Pair) -> None:
    seen: list[Any] = []

    def nested(message: Any) -> None:
        pair.far.look()
        seen.append(message)

    pair.far._on_message = nested
    for number in range(5):
        pair.near.send(Beat(number))
    pair.far.look()
    assert seen == [Beat(number) for number in range(5)]


@pytest.mark.parametrize(
    "data",
    [
        LENGTH.pack(MAX_FRAME_BYTES + 1),
        LENGTH.pack(3) + b"abc",
        LENGTH.pack(0),
        frame(Beat(1))[:-1] + b"\xc1",
        LENGTH.pack(9) + b"\x92\xa4beat\xa1x\x00",
        LENGTH.pack(40_000) + b"\x91" * 40_000,
        b"\xff" * 100,
    ],
)
async def test_nonsense_ends_it_with_a_reason_after_what_came_before(pair: Pair, data: bytes) -> None:
    pair.write(frame(Beat(7)) + data + frame(Beat(8)))
    await until(lambda: pair.ends)
    assert pair.said == [Beat(7)]
    assert len(pair.ends) == 1
    assert "expected" in pair.ends[0]
    assert pair.far.closed


async def test_the_other_side_gone_ends_it_without_a_reason(pair: Pair) -> None:
    pair.near.close()
    await until(lambda: pair.ends)
    assert pair.ends == [""]
    pair.far.send(Beat(1))  # lost, and no error
    pair.far.close()
    pair.far.look()
    assert pair.ends == [""]


async def test_what_was_sent_before_the_end_is_read(pair: Pair) -> None:
    pair.near.send(Beat(1))
    pair.near.close()
    await until(lambda: pair.ends)
    assert pair.said == [Beat(1)]


def test_a_message_too_large_is_not_framed() -> None:
    with pytest.raises(ValueError, match="at most"):
        frame(Move(1, [10**9] * (1 << 20), 1))
    assert decoder(ToWorker).decode(frame(Beat(5))[LENGTH.size :]) == Beat(5)
