"""A bad network in one process: a UDP relay between one WebRTC client and the server that loses, delays, repeats and
reorders datagrams in both directions, and whose outer port may change in the middle of a call, as a NAT's does.

It needs no rights and no kernel module, and the same seed makes the same decisions for the same datagrams in the same
order. Used like this:

    link = await BadLink.start(Impairment(loss=0.05), Impairment(loss=0.05), seed=1)
    answer = link.between(await server(without_candidates(offer)))     # the client gets the relay's address
    ...
    await link.rebind()     # the server sees the client come from another port
    link.dead = True        # not one datagram more
    link.close()
"""

from __future__ import annotations

import asyncio
import random
import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_CANDIDATE = re.compile(r"a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ host[^\r\n]*\r\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Impairment:
    """What happens to the datagrams of one direction. Parts are 0..1 of the datagrams, times in seconds."""

    loss: float = 0.0
    burst: float = 1.0
    """The mean length of a run of lost datagrams; 1 for losses that know nothing of each other."""
    delay_s: float = 0.0
    jitter_s: float = 0.0
    """Added to the delay, evenly from 0 to this; datagrams closer to each other than this overtake each other."""
    reorder: float = 0.0
    """This part is held back so that later ones overtake it."""
    reorder_s: float = 0.05
    duplicate: float = 0.0

    def __post_init__(self) -> None:
        for name in ("loss", "reorder", "duplicate"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name}: expected a part from 0 to 1, got {getattr(self, name)}")
        if self.burst < 1.0 or min(self.delay_s, self.jitter_s, self.reorder_s) < 0.0:
            raise ValueError("burst: expected at least 1; delay_s, jitter_s, reorder_s: at least 0")


@dataclass(slots=True)
class Counts:
    """Datagrams of one direction."""

    came: int = 0
    lost: int = 0
    repeated: int = 0
    held_back: int = 0


class Fate:
    """Decides on each datagram of one direction: when its copies arrive, in seconds from now; none where it is lost.

    Losses are a Gilbert chain: `loss` in the long run, in runs of `burst` datagrams on the average.
    """

    def __init__(self, impairment: Impairment, seed: int) -> None:
        self.impairment = impairment
        self.counts = Counts()
        self._chance = random.Random(seed)
        self._losing = False

    def next(self) -> list[float]:
        """The fate of the next datagram."""
        is_ = self.impairment
        self.counts.came += 1
        if self._loses(is_):
            self.counts.lost += 1
            return []
        delays = [is_.delay_s + is_.jitter_s * self._chance.random()]
        if self._chance.random() < is_.reorder:
            self.counts.held_back += 1
            delays[0] += is_.reorder_s
        if self._chance.random() < is_.duplicate:
            self.counts.repeated += 1
            delays.append(delays[0] + is_.reorder_s * self._chance.random())
        return delays

    def _loses(self, is_: Impairment) -> bool:
        if is_.loss >= 1.0:
            return True
        # From a loss to a loss, and from an arrival to a loss, so that both the share and the length come out.
        stay = 1.0 - 1.0 / is_.burst if is_.burst > 1.0 else is_.loss
        begin = is_.loss * (1.0 - stay) / (1.0 - is_.loss)
        self._losing = self._chance.random() < (stay if self._losing else begin)
        return self._losing


GOOD = Impairment()


@dataclass(slots=True, eq=False)
class BadLink:
    """One client's way to the server and back. Make it with `start`."""

    up: Fate
    down: Fate
    dead: bool = False
    """Dead air: nothing passes, either way."""
    blocks: Callable[[bytes], bool] | None = None
    """Of the client's datagrams, those that a middlebox would not let through."""
    leaves: Callable[[bytes], None] | None = None
    """Told each of the client's datagrams in the moment in which it goes out to the server."""
    server: tuple[str, int] | None = None
    client: tuple[str, int] | None = None
    port: int = 0
    _inner: asyncio.DatagramTransport | None = None
    _outer: asyncio.DatagramTransport | None = None
    _timers: set[asyncio.TimerHandle] = field(default_factory=set)
    _closed: bool = False

    @classmethod
    async def start(cls, up: Impairment = GOOD, down: Impairment = GOOD, seed: int = 1) -> BadLink:
        """A relay on 127.0.0.1. `up`: from the client to the server."""
        link = cls(Fate(up, seed), Fate(down, seed + 1))
        loop = asyncio.get_running_loop()
        link._inner, _ = await loop.create_datagram_endpoint(
            lambda: _End(link._from_client), local_addr=("127.0.0.1", 0)
        )
        link.port = link._inner.get_extra_info("sockname")[1]
        await link.rebind()
        return link

    def between(self, answer: str) -> str:
        """The answer with the relay's address in place of its candidates. Raises ValueError without a candidate."""
        found = _CANDIDATE.findall(answer)
        if not found:
            raise ValueError("expected an answer with a host candidate over UDP")
        host, port = next((each for each in found if each[0] == "127.0.0.1"), found[0])
        self.server = (host, int(port))
        ours = f"a=candidate:1 1 udp 2130706431 127.0.0.1 {self.port} typ host\r\n"
        first = True

        def one(_match: re.Match[str]) -> str:
            nonlocal first
            line, first = (ours if first else ""), False
            return line

        return _CANDIDATE.sub(one, answer)

    async def rebind(self) -> None:
        """From now on the server sees another port; what it sends to the old one is lost."""
        loop = asyncio.get_running_loop()
        before = self._outer
        self._outer, _ = await loop.create_datagram_endpoint(
            lambda: _End(self._from_server), local_addr=("127.0.0.1", 0)
        )
        if before is not None:
            before.close()

    def impair(self, up: Impairment, down: Impairment) -> None:
        """Another weather from now on."""
        self.up.impairment, self.down.impairment = up, down

    def close(self) -> None:
        """End the relay; what is under way is lost."""
        self._closed = True
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        for transport in (self._inner, self._outer):
            if transport is not None:
                transport.close()

    def _from_client(self, data: bytes, address: tuple[str, int]) -> None:
        self.client = address
        if self.server is not None and not (self.blocks is not None and self.blocks(data)):
            self._pass(self.up, data, self.to_server)

    def _from_server(self, data: bytes, _address: tuple[str, int]) -> None:
        if self.client is not None:
            self._pass(self.down, data, partial(self._to_client, self.client))

    def to_server(self, data: bytes) -> None:
        """Send the server a datagram as if it were the client's, with no further delay."""
        if self._outer is not None and self.server is not None and not self._closed:
            if self.leaves is not None:
                self.leaves(data)
            self._outer.sendto(data, self.server)

    def _to_client(self, client: tuple[str, int], data: bytes) -> None:
        if self._inner is not None:
            self._inner.sendto(data, client)

    def _pass(self, fate: Fate, data: bytes, out: Callable[[bytes], None]) -> None:
        for delay_s in fate.next():
            if delay_s > 0.0:
                self._later(delay_s, data, out)
            elif not self.dead and not self._closed:
                out(data)

    def _later(self, delay_s: float, data: bytes, out: Callable[[bytes], None]) -> None:
        def arrive() -> None:
            self._timers.discard(timer)
            if not self.dead and not self._closed:
                out(data)

        timer = asyncio.get_running_loop().call_later(delay_s, arrive)
        self._timers.add(timer)


class _End(asyncio.DatagramProtocol):
    def __init__(self, received: Any) -> None:
        self._received = received

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        self._received(data, (addr[0], addr[1]))


def without_candidates(offer: str) -> str:
    """An offer without addresses: the server learns the client's from its checks, which come through the relay."""
    return re.sub(r"a=candidate:[^\n]*\n", "", offer)
