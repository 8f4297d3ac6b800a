"""Whole games in which every seat sends all the time: nobody may be heard whose microphone is closed.

    python -m tests.media.leak_games --games 200 [--seed 1]

The microphones move as in games of the real engine (one speaker, or all at once in three slots), faster than in real
time. Ten WebRTC clients and a moderator on the loopback interface; three of the seats have bad links (loss in bursts,
jitter, reordering, duplicates); seats reconnect in the middle of everything; each seat keeps packets of the time before
its minute back and sends them in it, and what the server had before it is sent again from the same address; the tenth
seat's client floods, sends what is no speech, and jumps. Every packet is a tone of its seat's own frequency with a
serial number in its Opus padding, so that both each packet and each sample has an owner. Exit status 1 if anything was
heard that may not be.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from engine import Game
from tests.media.headers import rtp_header
from voice.bench.link import GOOD, BadLink, Impairment, without_candidates
from voice.media.client import OpusDecoder, OpusEncoder, VoiceClient
from voice.media.errors import MediaError
from voice.media.room import MediaRoom
from voice.media.settings import MediaSettings

from .conftest import CLIENT, tone

if TYPE_CHECKING:
    from collections.abc import Callable

    from voice.media.client import ReceivedPacket
    from voice.media.packet import AcceptedPacket

SEATS = tuple(range(1, 11))
BAD_SEATS = (1, 4, 7)
HOSTILE = 10
WEATHER = Impairment(loss=0.08, burst=2.0, delay_s=0.002, jitter_s=0.02, reorder=0.1, reorder_s=0.02, duplicate=0.1)
PHASE_S = 0.06
STEP_S = 0.01
RULESETS = ("sport", "quick", "sport", "held floor")
"""Of one game after the other: one speaker, all at once, and all at once with the floor held in between."""
RECONNECTS = 0.25
"""The part of the phases in which a seat's page is opened anew."""
ENOUGH_PACKETS = 30
"""Of one seat, to tell its tone from the clicks between the pieces that a bad link left."""
BLOCK_SAMPLES = 4_800
MARK = b"VT"
SETTINGS = MediaSettings(
    addresses=(),
    packets_per_s=400.0,  # the clients send twice as fast as in real time
    bytes_per_s=200_000.0,
    bytes_burst=200_000.0,
    offers_burst=1e6,
    handshakes_per_s=1e6,
)


def hz(seat: int) -> int:
    """The tone of a seat."""
    return 300 + 130 * seat


def numbered(packet: bytes, seat: int, serial: int) -> bytes:
    """The same Opus frame as a packet of code 3 with padding (RFC 6716, 3.2.5), which decoders skip."""
    padding = MARK + bytes([seat]) + serial.to_bytes(4, "big")
    return bytes([packet[0] | 3, 0x41, len(padding)]) + packet[1:] + padding


def owner(payload: bytes) -> tuple[int, int] | None:
    """Seat and serial number of a packet of ours; None for the server's own silence."""
    if len(payload) < 10 or payload[-7:-5] != MARK:
        return None
    return payload[-5], int.from_bytes(payload[-4:], "big")


def microphones(seed: int, ruleset: str = "sport") -> list[tuple[int, ...]]:
    """Whose microphones are open, in the order of a game that nobody steers."""
    if ruleset == "held floor":
        chance = random.Random(seed)
        return [seats for _ in range(6) for seats in (SEATS, (chance.choice(SEATS),), SEATS, ())]
    game, events = Game.start(ruleset, seed=seed)
    seen: list[tuple[int, ...]] = [()]
    while True:
        seen += [tuple(event.fields["seats"]) for event in events if event.name == "mic"]
        if game.due is None:
            return seen
        events = game.advance(game.due)


@dataclass
class Book:
    """What was sent, what had reached the server while its seat was closed, and what came out."""

    open: frozenset[int] = frozenset()
    serial: int = 0
    closed_high: dict[int, int] = field(default_factory=dict)
    """By seat: the newest packet that had reached the server, by any of its connections, while the seat was closed."""
    out: dict[int, int] = field(default_factory=dict)
    """By serial number: whose, of what was let through."""
    payloads: dict[int, list[bytes]] = field(default_factory=dict)
    """By seat: what was let through while it alone was open."""
    leaks: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def reached(self, payload: bytes) -> None:
        """A packet was decrypted at the server; called before the room sees it."""
        if (whose := owner(payload)) is not None and whose[0] not in self.open:
            self.closed_high[whose[0]] = max(self.closed_high.get(whose[0], 0), whose[1])
            self.counts["reached a closed microphone"] += 1

    def tapped(self, packet: AcceptedPacket) -> None:
        """A packet was let through to the recogniser."""
        self.counts["let through"] += 1
        whose = owner(packet.payload)
        if whose is None:
            if packet.seat not in self.open:
                self.leaks.append(f"tap: unmarked, of closed seat {packet.seat}")
            return
        seat, serial = whose
        if seat != packet.seat or seat not in self.open:
            self.leaks.append(f"tap: seat {seat} (as {packet.seat}) while {sorted(self.open)} are open")
        if serial <= self.closed_high.get(seat, 0):
            self.leaks.append(f"tap: seat {seat} with what was sent before its opening")
        if serial in self.out:
            self.leaks.append(f"tap: seat {seat} twice")
        self.out[serial] = seat
        if len(self.open) == 1:
            self.counts["let through alone"] += 1
            self.payloads.setdefault(seat, []).append(packet.payload)


class Player:
    """One seat's client, which never stops sending, whatever the server opens."""

    def __init__(self, seat: int, room: MediaRoom, book: Book, chance: random.Random) -> None:
        self.seat = seat
        self._room = room
        self._book = book
        self._chance = chance
        encoder = OpusEncoder(16_000)
        pcm = tone(hz(seat), 0.8)
        self._tone = [encoder.encode(pcm[at : at + 640]) for at in range(0, len(pcm), 640)][5:]
        self.client: VoiceClient | None = None
        self.link: BadLink | None = None
        self.heard: set[int] = set()
        self._withheld: list[tuple[int, int, bytes]] = []
        self._datagrams: list[bytes] = []
        self._olds: list[tuple[VoiceClient, BadLink]] = []
        self._sent = 0

    async def connect(self) -> None:
        """A new page: a new connection over a new link; the page before it goes on sending for a moment."""
        weather = WEATHER if self.seat in BAD_SEATS else GOOD
        link = await BadLink.start(weather, weather, self._chance.randrange(1 << 30))
        client = VoiceClient(slots=SETTINGS.slots, settings=CLIENT, on_packet=self._hear)
        try:
            answer = await self._room.connect(self.seat, without_candidates(await client.offer()))
            inner = self._room._peers[self.seat].link
            passed: Callable[..., None] = inner._on_rtp  # type: ignore[attr-defined]  # the adapter's

            def reached(sequence: int, timestamp: int, payload: bytes, extension: bytes, now: float) -> None:
                self._book.reached(payload)
                passed(sequence, timestamp, payload, extension, now)

            inner._on_rtp = reached  # type: ignore[attr-defined]  # the adapter's
            await client.accept(link.between(answer))
            await client.connected(8.0)
        except (MediaError, TimeoutError):
            link.close()
            await client.close()
            self._book.counts["connections that failed"] += 1
            return
        link.blocks = self._record
        if self.client is not None and self.link is not None:
            self._olds.append((self.client, self.link))
            self._withheld.clear()
            self._datagrams.clear()
        self.client, self.link = client, link
        self._book.counts["connections"] += 1

    def _record(self, data: bytes) -> bool:
        if 128 <= data[0] <= 191 and self.seat not in self._book.open:
            self._datagrams = [*self._datagrams[-19:], data]
        return False

    def _hear(self, packet: ReceivedPacket) -> None:
        whose = owner(packet.payload)
        if whose is None:
            return
        if whose[0] == self.seat or whose[1] in self.heard or whose[1] not in self._book.out:
            self._book.leaks.append(f"listener {self.seat}: packet {whose[1]} of seat {whose[0]}")
        self.heard.add(whose[1])
        self._book.counts["heard in a further slot"] += packet.slot > 0

    def _next(self) -> bytes:
        self._book.serial += 1
        self._sent += 1
        return numbered(self._tone[self._sent % len(self._tone)], self.seat, self._book.serial)

    def step(self) -> None:
        """The next packet; while closed, some are kept back."""
        client = self.client
        if client is None:
            return
        payload = self._next()
        # The hostile one jumps, and so could give its own old speech any number: as well could it say it anew.
        if self.seat not in self._book.open and self.seat != HOSTILE and self._sent % 4 == 0:
            client._sequence = (client._sequence + 1) & 0xFFFF
            client._timestamp = (client._timestamp + 960) & 0xFFFFFFFF
            self._withheld = [*self._withheld[-9:], (client._sequence, client._timestamp, payload)]
        else:
            client.send(payload)
        for old, _ in self._olds:
            old.send(self._next())
        if self.seat == HOSTILE:
            self._misbehave(client)

    def _misbehave(self, client: VoiceClient) -> None:
        link = client.link
        match self._chance.randrange(40):
            case 0:
                for _ in range(60):
                    client.send(self._next())
            case 1:
                link._streams[0].ssrc = (link._streams[0].ssrc + 1) & 0xFFFFFFFF
                client.send(self._next())
                link._streams[0].ssrc = (link._streams[0].ssrc - 1) & 0xFFFFFFFF
            case 2:
                client._sequence = (client._sequence + self._chance.choice((300, 9_000, 40_000))) & 0xFFFF
            case 3 if self.link is not None and self.link._outer is not None and self.link.server is not None:
                for size in (1, 12, 60, 1_400, 3_000):
                    header = rtp_header(96, False, self._chance.randrange(1 << 16), 0, link._streams[0].ssrc)
                    self.link._outer.sendto((header + os.urandom(size)), self.link.server)
                    self.link._outer.sendto(os.urandom(size), self.link.server)
            case _:
                pass

    def leak(self) -> None:
        """In its minute: what was kept back, and what the server had, again."""
        if self.client is None or self.link is None:
            return
        for sequence, timestamp, payload in reversed(self._withheld):
            self.client.link.send(sequence, timestamp, False, payload, 0.0)
        if self.link._outer is not None and self.link.server is not None:
            for datagram in self._datagrams[-5:]:
                self.link._outer.sendto(datagram, self.link.server)
        self._withheld.clear()
        self._datagrams.clear()

    async def forget_olds(self) -> None:
        """Close the pages of before."""
        olds, self._olds = self._olds, []
        for client, link in olds:
            await client.close()
            link.close()

    async def close(self) -> None:
        """The end."""
        await self.forget_olds()
        if self.client is not None and self.link is not None:
            await self.client.close()
            self.link.close()


def foreign_tones(payloads: dict[int, list[bytes]]) -> list[str]:
    """Seats whose tone is in the speech of another; what was looked at is taken out, what is too short yet is left."""
    found = []
    for seat in [seat for seat, packets in payloads.items() if len(packets) >= ENOUGH_PACKETS]:
        packets = payloads.pop(seat)
        decoder = OpusDecoder()
        pcm = b"".join(decoder.decode(packet) for packet in packets)
        samples = np.frombuffer(pcm, "<i2").astype(np.float64) / 32768
        # By power in short blocks: a phase that jumps where packets were lost must not cancel a tone.
        blocks = samples[: len(samples) // BLOCK_SAMPLES * BLOCK_SAMPLES].reshape(-1, BLOCK_SAMPLES)
        at = np.arange(BLOCK_SAMPLES) / 48_000
        windowed = blocks * np.hanning(BLOCK_SAMPLES)
        level = {
            other: float(np.sqrt(np.mean(np.abs(windowed @ np.exp(-2j * np.pi * hz(other) * at)) ** 2)))
            for other in SEATS
        }
        own = level.pop(seat)
        found += [f"samples: seat {other} in the speech of {seat}" for other, much in level.items() if much > own / 3]
    return found


async def play(games: int, seed: int, progress: Callable[[str], None] = lambda said: None) -> Book:
    """So many games at one table."""
    chance = random.Random(seed)
    book = Book()
    room = MediaRoom("table", book.tapped, lambda seats: None, SETTINGS)
    players = {seat: Player(seat, room, book, chance) for seat in SEATS}
    moderator: set[int] = set()

    def overheard(payload: bytes) -> None:
        if (whose := owner(payload)) is not None:
            if whose[1] in moderator or whose[1] not in book.out:
                book.leaks.append(f"moderator: packet {whose[1]} of seat {whose[0]}")
            moderator.add(whose[1])

    watcher = VoiceClient(
        listen_only=True, slots=SETTINGS.slots, settings=CLIENT, on_packet=lambda packet: overheard(packet.payload)
    )
    await watcher.accept(await room.connect("m", await watcher.offer()))
    await watcher.connected()
    await asyncio.gather(*(player.connect() for player in players.values()))

    async def talk() -> None:
        while True:
            for player in players.values():
                player.step()
            await asyncio.sleep(STEP_S)

    talking = asyncio.ensure_future(talk())
    try:
        for game in range(games):
            for seats in microphones(seed + game, RULESETS[game % len(RULESETS)]):
                await _phase(room, players, book, seats, chance)
            book.open = frozenset()
            room.mic(())
            await asyncio.sleep(0.1)
            waiting = sum(map(len, book.payloads.values()))
            book.leaks += foreign_tones(book.payloads)
            book.counts["samples looked at"] += 960 * (waiting - sum(map(len, book.payloads.values())))
            book.counts["games"] += 1
            progress(f"game {game + 1} of {games}: {book.counts['let through']} let through, {len(book.leaks)} leaks")
            if talking.done():
                talking.result()
    finally:
        talking.cancel()
        for player in players.values():
            await player.close()
        await watcher.close()
        dropped = room.stats()["dropped"]
        await room.close()
    assert isinstance(dropped, dict)
    book.counts.update({f"dropped: {reason}": count for reason, count in dropped.items()})
    book.counts["overheard by the moderator"] = len(moderator)
    return book


async def _phase(
    room: MediaRoom, players: dict[int, Player], book: Book, seats: tuple[int, ...], chance: random.Random
) -> None:
    book.open = frozenset(seats)
    room.mic(seats)
    before = book.counts["let through"]
    again = None
    if chance.random() < RECONNECTS:
        # As often in one's own minute as in another's.
        seat = chance.choice(seats) if seats and chance.random() < 0.5 else chance.choice(SEATS)
        again = asyncio.ensure_future(players[seat].connect())
    await asyncio.sleep(PHASE_S / 3)
    for seat in seats:
        players[seat].leak()
    await asyncio.sleep(PHASE_S * 2 / 3)
    if again is not None:
        await again
        await asyncio.sleep(0.02)
        for player in players.values():
            await player.forget_olds()
    if seats:
        book.counts["openings"] += 1
        for _ in range(100):
            if book.counts["let through"] > before + 3:
                book.counts["openings that were heard"] += 1
                break
            await asyncio.sleep(0.01)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.media.leak_games", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.games < 1:
        parser.error("--games: expected at least 1")

    def progress(said: str) -> None:
        if sys.stderr.isatty() or said.split()[1].endswith("0"):
            print(said, file=sys.stderr, flush=True)

    book = asyncio.run(play(given.games, given.seed, progress))
    for name, count in sorted(book.counts.items()):
        print(f"{count:>10}  {name}")
    print(f"{len(book.leaks):>10}  leaks")
    for leak in book.leaks[:50]:
        print(leak)
    return 1 if book.leaks or not book.counts["openings that were heard"] else 0


if __name__ == "__main__":
    sys.exit(main())
