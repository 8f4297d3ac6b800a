"""The clients of `voicetable bench media`: WebRTC peers whose sockets are read by one plain loop.

After the handshakes nothing of asyncio runs here while it is measured: datagrams are kept as they come, with the time
at which the kernel had them, and are decrypted and judged afterwards. So the clients cost little, and what they are
late by is in no figure.
"""

from __future__ import annotations

import select
import socket
import struct
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from voice.bench.media_wire import wire_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from voice.bench.media_wire import Wire
    from voice.media.peer import PeerLink

FRAME_S: Final = 0.02
FRAME_TICKS: Final = 960
TICK_S: Final = 5.0
"""How often a client reports: as browsers do for audio."""
CHECK_S: Final = 5.0
"""How often a client asks for consent (RFC 7675, 5.1)."""
SOCKET_BYTES: Final = 1 << 20
SO_TIMESTAMPNS: Final = 35
"""Linux: the time of arrival comes with each datagram."""
ANCILLARY_BYTES: Final = 64
_TIME = struct.Struct("qq")
_HEADER = struct.Struct("!BBHLL")


@dataclass(slots=True)
class Peer:
    """One client of a table. `sent_ns` and `heard` are of the running measurement, in nanoseconds of the system."""

    table: int
    seat: int
    link: PeerLink
    wire: Wire
    socket: socket.socket
    payloads: Sequence[bytes] = ()
    sequence: int = 1000
    timestamp: int = 0
    number: int = 0
    sent_ns: list[int] = field(default_factory=list)
    heard: list[tuple[int, bytes]] = field(default_factory=list)

    def send(self) -> None:
        """The next 20 ms packet."""
        payload = self.payloads[self.number % len(self.payloads)]
        self.number += 1
        self.sequence = (self.sequence + 1) & 0xFFFF
        self.timestamp = (self.timestamp + FRAME_TICKS) & 0xFFFFFFFF
        header = _HEADER.pack(0x80, self.wire.payload_type, self.sequence, self.timestamp, self.wire.ssrc)
        data = self.wire.protect(header + payload)
        self.sent_ns.append(time.time_ns())
        self.socket.sendto(data, self.wire.address)

    def forget(self) -> None:
        """Begin a new measurement."""
        self.number = 0
        self.sent_ns = []
        self.heard = []


def take(table: int, seat: int, link: PeerLink) -> Peer:
    """The client of a connected link."""
    wire = wire_of(link)
    own = socket.socket(fileno=socket.dup(wire.fileno))
    return Peer(table, seat, link, wire, ready(own))


def ready(own: socket.socket) -> socket.socket:
    """Never blocks, holds a second of packets, and tells when each came."""
    own.setblocking(False)
    own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SOCKET_BYTES)
    own.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    return own


class Loop:
    """Sends what the talkers have to say, one every 20 ms, and keeps what everybody hears."""

    def __init__(self, peers: Sequence[Peer]) -> None:
        self._peers = list(peers)
        self._by_fd = {peer.socket.fileno(): peer for peer in peers}
        self._poll = select.epoll()
        for descriptor in self._by_fd:
            self._poll.register(descriptor, select.EPOLLIN)
        now = time.monotonic()
        count = max(1, len(self._peers))
        self._ticks = [(now + TICK_S * at / count, peer) for at, peer in enumerate(self._peers)]
        self._checks = [(now + CHECK_S * at / count, peer) for at, peer in enumerate(self._peers)]

    def run(
        self, talkers: Sequence[Peer], seconds: float, steps: Sequence[tuple[float, Callable[[], None]]] = ()
    ) -> None:
        """For so long. `steps`: what is to be called, each so many seconds after the beginning."""
        begin = time.monotonic()
        end = begin + seconds
        due = [(begin + FRAME_S * at / max(1, len(talkers)), talker) for at, talker in enumerate(talkers)]
        left = list(steps)
        at = 0
        while True:
            now = time.monotonic()
            while left and now >= begin + left[0][0]:
                left.pop(0)[1]()
            if now >= end:
                return
            while due and due[at][0] <= now:
                planned, talker = due[at]
                talker.send()
                due[at] = (planned + FRAME_S, talker)
                at = (at + 1) % len(due)
            self._keep_alive(now)
            wait = min(end, due[at][0] if due else end, now + 0.05) - time.monotonic()
            for descriptor, _ in self._poll.poll(max(0.0, wait)):
                self._read(self._by_fd[descriptor])

    def _read(self, peer: Peer) -> None:
        while True:
            try:
                data, ancillary, _, address = peer.socket.recvmsg(1500, ANCILLARY_BYTES)
            except BlockingIOError:
                return
            if not data or not 128 <= data[0] <= 191:
                peer.wire.stun(data, address)
            elif not 192 <= data[1] <= 223:
                seconds, nanoseconds = _TIME.unpack(ancillary[0][2])
                peer.heard.append((seconds * 1_000_000_000 + nanoseconds, data))

    def _keep_alive(self, now: float) -> None:
        """Reports and consent, as every client sends them."""
        while self._ticks and self._ticks[0][0] <= now:
            planned, peer = self._ticks.pop(0)
            peer.link.heard_at = now
            peer.link.tick(now)
            self._ticks.append((planned + TICK_S, peer))
        while self._checks and self._checks[0][0] <= now:
            planned, peer = self._checks.pop(0)
            peer.socket.sendto(peer.wire.check(), peer.wire.address)
            self._checks.append((planned + CHECK_S, peer))

    def close(self) -> None:
        """Give the sockets back to their links."""
        self._poll.close()
        for peer in self._peers:
            peer.socket.close()
