"""Nobody is heard whose microphone is closed: a whole game, with every seat sending all the time.

Ten real peers and a moderator. Each seat sends its own tone without a pause, through the whole game of the real engine
(faster than in real time); beside it, speech from before its minute, late, out of order and replayed.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from voice.media.client import OpusDecoder
from voice.media.gate import Intake

from .conftest import Voices, opus_tone, settle, until
from .leak.games import microphones

if TYPE_CHECKING:
    import pytest

    from voice.media.packet import AcceptedPacket

SEATS = tuple(range(1, 11))
PHASE_S = 0.1
STEP_S = 0.012


def hz(seat: int) -> int:
    """The tone of a seat; its secret, said before its minute, is one octave and a half above all of them."""
    return 300 + 100 * seat


@dataclass
class Watch:
    """What came out, against what was open at that moment."""

    open: frozenset[int] = frozenset()
    tapped: list[AcceptedPacket] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)

    def tap(self, packet: AcceptedPacket) -> None:
        self.tapped.append(packet)
        if packet.seat not in self.open:
            self.leaks.append(f"tap: seat {packet.seat} while {sorted(self.open)}")


class Talker:
    """A seat that sends all the time, whatever the server opens, and keeps back a part to send it late."""

    def __init__(self, voices: Voices, seat: int) -> None:
        self.client = voices.clients[seat]
        self.tone = opus_tone(hz(seat), 40)
        self.secret = set(opus_tone(hz(seat) + 2000, 40))
        self._secrets = opus_tone(hz(seat) + 2000, 40)
        self.withheld: list[tuple[int, int, bytes]] = []
        self.datagrams: list[bytes] = []
        self.open = False
        protect = self.client.link._protect
        assert protect is not None

        def record(size: int) -> memoryview:
            made = protect(size)
            if not self.open:
                self.datagrams.append(bytes(made))
                del self.datagrams[:-20]
            return made

        self.client.link._protect = record

    async def talk(self) -> None:
        number = 0
        while True:
            number += 1
            if not self.open and number % 4 == 0:
                self.client._sequence += 1
                self.client._timestamp += 960
                secret = self._secrets[number % 40]
                self.withheld.append((self.client._sequence & 0xFFFF, self.client._timestamp, secret))
                del self.withheld[:-10]
            else:
                self.client.send(self.tone[number % 40])
            await asyncio.sleep(STEP_S)

    def leak(self) -> None:
        """In its minute: send what was said before it, late, and what the server had before, again."""
        for sequence, timestamp, payload in reversed(self.withheld):
            self.client.link.send(sequence, timestamp, False, payload, 0.0)
        pair = self.client.link._ice._nominated[1]
        for datagram in self.datagrams[-5:]:
            pair.protocol.transport.sendto(datagram, pair.remote_addr)
        self.withheld.clear()
        self.datagrams.clear()


async def play(voices: Voices, phases: list[tuple[int, ...]]) -> tuple[Watch, dict[int, Talker]]:
    """The game: every seat talks from the first moment to the last."""
    watch = Watch()
    voices.room._on_packet = watch.tap
    await voices.join(*SEATS, "moderator")
    talkers = {seat: Talker(voices, seat) for seat in SEATS}
    tasks = [asyncio.ensure_future(talker.talk()) for talker in talkers.values()]
    try:
        for seats in phases:
            watch.open = frozenset(seats)
            voices.room.mic(seats)
            for seat, talker in talkers.items():
                talker.open = seat in seats
            begin = len(watch.tapped)
            await asyncio.sleep(PHASE_S / 3)
            for seat in seats:
                talkers[seat].leak()
            await asyncio.sleep(PHASE_S * 2 / 3)
            await until(lambda begin=begin, seats=seats: not seats or len(watch.tapped) - begin >= 6)
        watch.open = frozenset()
        voices.room.mic(())
    finally:
        for task in tasks:
            task.cancel()
    await settle()
    return watch, talkers


def leaks_at_listeners(voices: Voices, watch: Watch, talkers: dict[int, Talker]) -> list[str]:
    """What a listener heard must be what was accepted, from others, in that order; and never a secret."""
    owner = {payload: seat for seat, talker in talkers.items() for payload in talker.tone}
    secrets = {payload for talker in talkers.values() for payload in talker.secret}
    found = []
    for viewer in voices.clients:
        heard = voices.heard(viewer)
        if heard != [packet.payload for packet in watch.tapped if packet.seat != viewer]:
            found.append(f"{viewer}: not what was accepted")
        if any(owner.get(payload) == viewer for payload in heard):
            found.append(f"{viewer}: itself")
        if secrets.intersection(heard):
            found.append(f"{viewer}: what was said before the minute")
    if secrets.intersection(packet.payload for packet in watch.tapped):
        found.append("tap: what was said before the minute")
    return found


def tones(payloads: list[bytes]) -> dict[int, float]:
    """The amplitude of each seat's tone in these packets."""
    decoder = OpusDecoder()
    pcm = b"".join(decoder.decode(payload) for payload in payloads)
    samples = np.frombuffer(pcm, "<i2").astype(np.float64) / 32768
    at = np.arange(len(samples)) / 48_000
    window = np.hanning(len(samples))
    return {
        seat: 2 * abs(np.sum(samples * window * np.exp(-2j * np.pi * hz(seat) * at))) / np.sum(window) for seat in SEATS
    }


async def test_not_one_packet_of_a_closed_microphone_is_heard(voices: Voices) -> None:
    phases = [seats for seats in microphones(1) if len(seats) < 2]
    assert len(phases) > 30
    watch, talkers = await play(voices, phases)

    assert watch.leaks == []
    assert leaks_at_listeners(voices, watch, talkers) == []
    # The control: those who were open were heard, each in each of their speeches, and by their tone.
    speeches = [(seat, [packet.payload for packet in run]) for seat, run in groupby(watch.tapped, lambda p: p.seat)]
    assert [seat for seat, _ in speeches] == [seats[0] for seats in phases if seats]
    for seat, payloads in speeches:
        heard = tones(payloads)
        own = heard.pop(seat)
        assert own > 0.02  # a short speech is mostly the decoder's first frames
        assert max(heard.values()) < own / 3
    dropped = voices.room.stats()["dropped"]
    assert isinstance(dropped, dict)
    assert dropped["closed"] > 5 * len(watch.tapped)
    assert dropped["before_opening"] >= 5 * len(speeches)
    assert dropped["srtp"] >= 5 * (len(speeches) - 1)


async def test_at_the_end_everybody_is_heard(voices: Voices) -> None:
    watch, _ = await play(voices, [(), SEATS])
    assert watch.leaks == []
    assert {packet.seat for packet in watch.tapped} == set(SEATS)


async def test_this_test_can_fail(voices: Voices, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a gate that lets all pass, and one that forgets what it saw while closed, the leaks are found."""
    keeps = Intake.refuses
    monkeypatch.setattr(Intake, "refuses", lambda self, sequence: None)
    watch, talkers = await play(voices, [(), (1,), (2,)])
    assert watch.leaks
    monkeypatch.setattr(Intake, "refuses", lambda s, n: keeps(s, n) if not s._gate.opened.get(s._seat) else None)
    voices.forget()
    watch, talkers = await play(voices, [(), (1,), (2,)])
    assert watch.leaks == []
    assert "tap: what was said before the minute" in leaks_at_listeners(voices, watch, talkers)


async def test_after_the_gate_closes_not_one_packet_more_goes_out(voices: Voices) -> None:
    """The check and the send are one call: what the server sends is counted at the moment the gate moves."""
    await voices.join(1, 2)
    voices.room.mic([1])
    payloads = opus_tone(440, 60)
    for payload in payloads[:30]:
        voices.clients[1].send(payload)
    await until(lambda: len(voices.tapped) > 5)
    for payload in payloads[30:]:
        voices.clients[1].send(payload)
    voices.room.mic([])
    sent = voices.room.stats()["forwarded"]
    await settle()
    assert voices.room.stats()["forwarded"] == sent
    assert len(voices.heard(2)) == sent == len(voices.tapped) < 59
