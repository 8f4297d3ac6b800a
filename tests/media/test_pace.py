"""New connections of a process come at a pace that leaves the event loop to those who play."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.media.client import VoiceClient
from voice.media.errors import MediaError
from voice.media.pace import Pace, pace_of
from voice.media.room import MediaRoom
from voice.media.settings import MediaSettings

from .conftest import CLIENT, until


def test_a_burst_at_once_then_one_after_the_other() -> None:
    pace = Pace(per_s=20.0, burst=3, longest_wait_s=0.2)
    waits = [pace.wait_s(100.0) for _ in range(6)]
    assert waits == pytest.approx([0, 0, 0, 0.05, 0.1, 0.15])
    assert pace.wait_s(100.0) == pytest.approx(0.2)
    with pytest.raises(MediaError, match="offer again in 1 s") as refused:
        pace.wait_s(100.0)
    assert refused.value.code == "busy"
    assert pace.wait_s(100.1) == pytest.approx(0.15), "who was refused has taken no turn"
    assert pace.wait_s(200.0) == 0


@given(st.lists(st.floats(0, 0.2), min_size=1, max_size=80))
def test_in_any_second_at_most_the_pace_and_the_burst_and_in_order(gaps: list[float]) -> None:
    pace, now, turns = Pace(per_s=20.0, burst=5, longest_wait_s=1e9), 10.0, list[float]()
    for gap in gaps:
        now += gap
        turns.append(now + pace.wait_s(now))
    assert turns == sorted(turns)
    for at in turns:
        assert sum(at <= other < at + 1.0 - 1e-6 for other in turns) <= 25


async def test_a_room_that_all_join_at_once_is_served_in_turn_and_the_rest_told_to_come_back() -> None:
    settings = MediaSettings(addresses=(), handshakes_per_s=5.0, handshakes_burst=2, handshake_wait_s=0.5)
    room = MediaRoom("t", lambda packet: None, lambda seats: None, settings)
    clients = [VoiceClient(settings=CLIENT) for _ in range(8)]
    offers = [await client.offer() for client in clients]
    answers = await asyncio.gather(
        *(room.connect(seat, offer) for seat, offer in enumerate(offers, 1)), return_exceptions=True
    )
    assert [answer.code for answer in answers if isinstance(answer, MediaError)] == ["busy"] * 4
    assert [isinstance(answer, str) for answer in answers] == [True] * 4 + [False] * 4
    for client, answer in zip(clients, answers, strict=True):
        if isinstance(answer, str):
            await client.accept(answer)
    await until(lambda: room.stats()["alive"] == [1, 2, 3, 4])
    assert pace_of(settings) is pace_of(MediaSettings()), "one pace for the whole process"
    await asyncio.gather(room.close(), *(client.close() for client in clients))


async def test_who_leaves_while_they_wait_is_not_connected() -> None:
    settings = MediaSettings(addresses=(), handshakes_per_s=5.0, handshakes_burst=1)
    room = MediaRoom("t", lambda packet: None, lambda seats: None, settings)
    client = VoiceClient(settings=CLIENT)
    offer = await client.offer()
    await room.connect(1, offer)
    waiting = asyncio.ensure_future(room.connect(2, offer))
    await asyncio.sleep(0)
    await room.disconnect(2)
    with pytest.raises(MediaError) as refused:
        await waiting
    assert refused.value.code == "superseded"
    assert room.stats()["peers"] == 1
    await asyncio.gather(room.close(), client.close())
