"""What may be heard, by when it reached the server's socket, against what was."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .speech import SILENCE_BYTES, foreign_tones, owner

if TYPE_CHECKING:
    from collections.abc import Iterable

    from voice.media.client import ReceivedPacket
    from voice.media.packet import AcceptedPacket


@dataclass(eq=False)
class Way:
    """One connection of a seat: what it has brought to the server's socket."""

    seat: int
    floor: int = 0
    """The newest number that came while the seat was closed, then the first newer one of its present opening."""
    opening: int = 0
    replaced: bool = False
    """The server has answered a newer connection of this seat."""


@dataclass(frozen=True, slots=True)
class Fair:
    """A packet that may be heard."""

    opening: int
    """In this opening of its seat, ..."""
    order: int
    """... and only by who was there when it came, as the so manieth of all."""
    alone: bool
    """No other microphone was open."""


@dataclass
class Book:
    """One table's. A packet may be heard if it came to the server's socket while its seat was open, and

    - newer than all that came over the same connection while the seat was closed;
    - newer than the first such one of that opening (in-band FEC: that carries what was before it);
    - over the newest connection of its seat.

    It is judged when it comes, not when the server reads it: a server that is late must not make a difference.
    """

    tap_sees_all: bool
    """What the tap was not given can't have been heard: not so where the tap is in another process."""
    open: frozenset[int] = frozenset()
    serial: int = 0
    came: int = 0
    fair: dict[int, Fair] = field(default_factory=dict)
    """By number."""
    tapped: set[int] = field(default_factory=set)
    payloads: dict[int, list[bytes]] = field(default_factory=dict)
    """By seat: what the tap got while it alone was open."""
    leaks: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    _moves: int = 0
    _openings: dict[int, int] = field(default_factory=dict)

    def moved(self, seats: Iterable[int]) -> None:
        """The server was told, just now, that exactly these are open."""
        self.open = frozenset(seats)
        self._moves += 1
        self._openings = {seat: self._openings.get(seat, self._moves) for seat in self.open}

    def reached(self, way: Way, serial: int) -> None:
        """A packet came to the server's socket."""
        self.came += 1
        if way.seat not in self.open:
            way.floor = max(way.floor, serial)
            self.counts["reached a closed microphone"] += 1
            return
        opening = self._openings[way.seat]
        if serial <= way.floor:
            return
        if way.opening != opening:
            way.opening = opening
            way.floor = serial
        elif not way.replaced and serial not in self.fair:
            self.fair[serial] = Fair(opening, self.came, len(self.open) == 1)

    def tap(self, packet: AcceptedPacket) -> None:
        """A packet was let through to the recogniser."""
        self.counts["let through"] += 1
        whose = owner(packet.payload)
        if whose is None:
            self.leaks.append(f"tap: not ours, of seat {packet.seat}")
            return
        seat, serial = whose
        if seat != packet.seat or seat not in self.open:
            self.leaks.append(f"tap: seat {seat} (as {packet.seat}) while {sorted(self.open)} are open")
        elif serial not in self.fair or self.fair[serial].opening != self._openings[seat]:
            self.leaks.append(f"tap: seat {seat} with what came before its opening")
        if serial in self.tapped:
            self.leaks.append(f"tap: seat {seat} twice")
        self.tapped.add(serial)
        if len(self.open) == 1:
            self.counts["let through alone"] += 1
            self.payloads.setdefault(seat, []).append(packet.payload)

    def look_at_samples(self, ears: Iterable[Ear]) -> None:
        """Decode what the tap and these ears got, as far as it is enough."""
        for name, payloads in (("tap", self.payloads), *((ear.name, ear.payloads) for ear in ears)):
            found, looked = foreign_tones(payloads)
            self.leaks += [f"{name}: {each}" for each in found]
            self.counts["samples of the tap" if name == "tap" else "samples of listeners"] += looked


class Ear:
    """One listener's, over all its connections."""

    def __init__(self, name: str, book: Book, seat: int = 0) -> None:
        self.name = name
        self.payloads: dict[int, list[bytes]] = {}
        """By seat: what was heard while it alone was open."""
        self._seat = seat
        self._book = book
        self._heard: set[int] = set()

    def connection(self) -> Hearing:
        """Of a new connection."""
        return Hearing(self, self._book)

    def hear(self, packet: ReceivedPacket, since: int) -> None:
        """What one of its clients received, which came when so many packets had come."""
        book, payload = self._book, packet.payload
        whose = owner(payload)
        if whose is None:
            if len(payload) > SILENCE_BYTES:
                book.leaks.append(f"{self.name}: not ours")
            return
        seat, serial = whose
        fair = book.fair.get(serial)
        if seat == self._seat:
            book.leaks.append(f"{self.name}: hears itself")
        if serial in self._heard:
            book.leaks.append(f"{self.name}: packet {serial} of seat {seat} twice")
        if fair is None:
            book.leaks.append(f"{self.name}: packet {serial} of seat {seat}, which was closed")
        elif fair.order <= since:
            book.leaks.append(f"{self.name}: packet {serial} of seat {seat}, from before it came")
        elif fair.alone:
            self.payloads.setdefault(seat, []).append(payload)
        if book.tap_sees_all and serial not in book.tapped:
            book.leaks.append(f"{self.name}: packet {serial} of seat {seat}, which the tap was not given")
        self._heard.add(serial)
        book.counts["heard"] += 1
        book.counts["heard in a further slot"] += packet.slot > 0


class Hearing:
    """One connection of a listener."""

    def __init__(self, ear: Ear, book: Book) -> None:
        self._ear = ear
        self._book = book
        self._since = 0

    def answered(self) -> None:
        """It may hear what comes to the server from now on."""
        self._since = self._book.came

    def hear(self, packet: ReceivedPacket) -> None:
        """What its client received."""
        self._ear.hear(packet, self._since)
