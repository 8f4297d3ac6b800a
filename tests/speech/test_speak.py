"""Recorded speech said into a table's speech in real time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from voice.speech.audio import PACKET_S
from voice.speech.speak import speak

if TYPE_CHECKING:
    from voice.media.packet import AcceptedPacket


class Stream:
    """Takes what it is fed."""

    def __init__(self) -> None:
        self.fed: list[AcceptedPacket] = []

    def feed(self, packet: AcceptedPacket) -> None:
        self.fed.append(packet)


async def test_packets_come_when_their_sound_has_been_said() -> None:
    stream: Any = Stream()
    told: list[int] = []
    payloads = [bytes([number]) for number in range(5)]
    begun_s, late_s = await speak(stream, 3, 7, iter(payloads), lambda: told.append(len(stream.fed)))
    assert [packet.payload for packet in stream.fed] == payloads
    assert told == [1, 2, 3, 4, 5]
    assert {(packet.seat, packet.epoch) for packet in stream.fed} == {(3, 7)}
    assert [packet.sequence for packet in stream.fed] == [0, 1, 2, 3, 4]
    assert [packet.timestamp for packet in stream.fed] == [0, 960, 1920, 2880, 3840]
    waits_s = [packet.arrival - begun_s - PACKET_S * (number + 1) for number, packet in enumerate(stream.fed)]
    assert all(wait_s > -1e-6 for wait_s in waits_s), "never before its time, however late"
    assert late_s == pytest.approx(max(waits_s), abs=1e-6)


async def test_nothing_to_say_is_said() -> None:
    stream: Any = Stream()
    _, late_s = await speak(stream, 1, 1, [])
    assert (stream.fed, late_s) == ([], 0.0)
