"""`voicetable bench media`: what it costs to forward the voice of N tables, and by how much later it comes.

One speaker a table sends real Opus, 50 packets/s, to its listeners over real WebRTC on the loopback interface. The ways
are measured one after the other on the same packets; each server is a process of its own on one core, the clients are
in this process on the others.

cpu_s_per_table_s: the server's user and system time, over time and tables, after a second of warming up.
added_ms: from the packet's handing to the speaker's socket to the moment the kernel has it for a listener's.
rss_mb_per_table: what the server grew by from before the first connection to after the run, over tables.
leaked_packets: our own way, afterwards, with every microphone live: packets that were sent while their seat was closed
  (before its opening was asked for, or after its closing was done) and reached a listener.
concealed: of the samples that a Chromium page played which listens at the first table, those that it had to make up:
  while one speaks, while the speaker changes twice a second, and while nobody speaks. Measured after the CPU.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from voice.bench import media_janus
from voice.bench.chromium import ChromiumError
from voice.bench.media_client import FRAME_TICKS, Loop, Peer, ready, take
from voice.bench.media_page import PARTS, ListeningPage
from voice.bench.media_process import BenchError, Server, pinned
from voice.bench.report import distribution
from voice.bench.sound import Sound, make_sound
from voice.media.errors import MediaError
from voice.media.peer import PeerLink
from voice.media.rtp import difference, parse_rtp
from voice.media.sdp import parse
from voice.media.settings import MediaSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

WAYS: Final = ("ours", "fallback", "relay", "floor", "janus")
MORE_WAYS: Final = ("workers",)
"""Measured where they are asked for."""
GATED: Final = ("ours", "workers", "fallback")
MOST_TABLES: Final = {"fallback": 5, "relay": 1}
"""What fits on one core of these two; their cost is a table's, so it compares."""
WARM_S: Final = 1.0
CONNECT_WITHIN_S: Final = 60.0
OPEN_S: Final = 0.5
CLOSED_S: Final = 0.3
PAGE_WARM_S: Final = 2.0
PAGE_S: Final = 5.0
"""For so long at most a page listens to each: one speaker, changing ones, nobody."""
SETTLE_S: Final = 0.3
"""What was on its way when a measurement ended is taken before the next begins: it is none of its own."""
SILENCE_FRAMES: Final = 50
VOICED_BYTES: Final = 40
CLIENT: Final = MediaSettings(
    addresses=(), packets_per_s=1e6, packets_burst=1e6, bytes_per_s=1e9, bytes_burst=1e9, connect_timeout_s=600.0
)
QUIET: Final = b"\xf8\xff\xfe"


@dataclass(frozen=True, slots=True)
class Load:
    """tables: how many at once. listeners: clients beside the speaker. seconds: how long each way is measured.

    page: a Chromium listens too, afterwards.
    """

    tables: int
    listeners: int
    seconds: float
    ways: tuple[str, ...]
    page: bool = False


def measure(load: Load, told: Callable[[str], None]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows and the result. Raises BenchError."""
    sounds = [make_sound("en", seat) for seat in range(load.listeners + 1)]
    server_cores, own_cores = _cores()
    before = os.sched_getaffinity(0) if own_cores else set()
    rows: list[dict[str, Any]] = []
    try:
        if own_cores:
            os.sched_setaffinity(0, own_cores)
        for way in load.ways:
            told(f"{way}: connecting")
            tables = min(load.tables, MOST_TABLES.get(way, load.tables))
            run = _Run(way, tables, load, sounds, server_cores, sorted(before), told)
            try:
                if way == "floor":
                    rows += run.floor()
                elif way != "janus" or media_janus.find() is not None:
                    rows += asyncio.run(run.peers())
            except TimeoutError as why:
                raise BenchError(f"{way}: not connected within {CONNECT_WITHIN_S:g} s") from why
            except (MediaError, media_janus.JanusError, ChromiumError) as why:
                raise BenchError(f"{way}: {why}") from why
    finally:
        if before:
            os.sched_setaffinity(0, before)
    return rows, result_of(rows, load.tables)


def result_of(rows: Sequence[Mapping[str, Any]], tables: int) -> dict[str, Any]:
    """The fields of the contract, from the rows; null for what was not measured."""
    by_way = {row["way"]: row for row in rows if row["live"] == 1}
    ours = by_way.get("ours", {})
    cost: float | None = ours.get("cpu_s_per_table_s")

    def ratio(way: str, ours_over_theirs: bool) -> float | None:
        theirs: float | None = by_way.get(way, {}).get("cpu_s_per_table_s")
        if not cost or not theirs:
            return None
        return round(cost / theirs if ours_over_theirs else theirs / cost, 2)

    leaks = [
        row["leaked_packets"] for row in rows if row["way"] in ("ours", "workers") and row["leaked_packets"] is not None
    ]
    return {
        "tables": tables,
        "cpu_s_per_table_s": cost,
        "added_ms": ours.get("added_ms") or distribution([]),
        "rss_mb_per_table": ours.get("rss_mb_per_table"),
        "relay_ratio": ratio("relay", False),
        "floor_ratio": ratio("floor", True),
        "janus_ratio": ratio("janus", True),
        "leaked_packets": sum(leaks) if leaks else None,
    }


def _cores() -> tuple[list[int], set[int]]:
    """The server's core, and ours; nothing where there is one, or where processes can't be bound to any."""
    allowed = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return (allowed[:1], set(allowed[1:])) if len(allowed) > 1 else ([], set())


class _Run:
    """One way's measurement."""

    def __init__(
        self,
        way: str,
        tables: int,
        load: Load,
        sounds: Sequence[Sound],
        cores: Sequence[int],
        everywhere: Sequence[int],
        told: Callable[[str], None],
    ) -> None:
        self._way = way
        self._tables = tables
        self._load = load
        self._sounds = sounds
        self._cores = cores
        self._everywhere = everywhere
        self._told = told
        speech = sounds[0].speech
        voiced = next(at for at, payload in enumerate(speech) if len(payload) > VOICED_BYTES)
        self._speech = (QUIET,) * SILENCE_FRAMES + speech[voiced:]
        """Silence first: where speech begins is then seen on a stream that was encoded anew."""

    # --- nothing but SRTP and sendto

    def floor(self) -> list[dict[str, Any]]:
        """Two rows: a wake-up a packet, as the others have, and as fast as it goes."""
        server = Server("floor", self._tables, self._cores)
        ears = []
        try:
            for _ in range(self._tables * self._load.listeners):
                ears.append(ready(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)))
                ears[-1].bind(("127.0.0.1", 0))
            addresses = [ear.getsockname() for ear in ears]
            packets = [payload.hex() for payload in self._speech[SILENCE_FRAMES:]]
            server.ask(do="peers", addresses=addresses, packets=packets, listeners=self._load.listeners)
            rows = []
            for paced in (True, False):
                self._told(f"floor, {'paced' if paced else 'at once'}: measuring")
                server.send(do="run", seconds=self._load.seconds, paced=paced, sequence=1 if paced else 30_000)
                heard = _drain(ears, self._load.seconds + WARM_S) if paced else 0
                begun, ended = server.answer()
                cost = (ended["cpu_s"] - begun["cpu_s"]) / self._load.seconds / self._tables
                rows.append(self._row(cost, None, None, heard=heard or None, way="floor" if paced else "floor at once"))
            return rows
        finally:
            server.close()
            for ear in ears:
                ear.close()

    # --- peers

    async def peers(self) -> list[dict[str, Any]]:
        """One row; for our own way a second, with every microphone live."""
        server = await asyncio.to_thread(self._start)
        peers: list[Peer] = []
        links: list[tuple[int, int, PeerLink]] = []
        try:
            base = server.usage() if isinstance(server, media_janus.Janus) else server.ask(do="usage")
            for table in range(self._tables):
                for seat in range(1, self._load.listeners + 2):
                    link = await self._connect(server, table, seat)
                    links.append((table, seat, link))
                self._told(f"{self._way}: {table + 1} of {self._tables} tables are connected")
            async with asyncio.timeout(CONNECT_WITHIN_S):
                for _, _, link in links:
                    while not link.connected:
                        if link.down:
                            raise BenchError("a connection failed")
                        await asyncio.sleep(0.01)
            await asyncio.sleep(0.5)
            peers = [take(table, seat, link) for table, seat, link in links]
            loop = Loop(peers)
            try:
                rows = [self._one_speaker(server, loop, peers, base)]
                if self._way in GATED and isinstance(server, Server):
                    rows.append(self._all_live(server, loop, peers))
                if self._load.page:
                    rows[0]["concealed"] = self._in_a_page(server, loop, peers)
            finally:
                loop.close()
            return rows
        finally:
            server.close()
            await asyncio.gather(*(link.close() for _, _, link in links))

    def _start(self) -> Server | media_janus.Janus:
        if self._way != "janus":
            return Server(self._way, self._tables, self._cores)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        return media_janus.Janus(port, pinned(self._cores))

    async def _connect(self, server: Server | media_janus.Janus, table: int, seat: int) -> PeerLink:
        limits = CLIENT
        if isinstance(server, media_janus.Janus):
            own = media_janus.address()
            assert own is not None
            limits = replace(CLIENT, addresses=(own,), loopback=False)
        link = PeerLink(limits, lambda *packet: None, lambda: None)
        if isinstance(server, media_janus.Janus):
            if seat == 1:
                await link.accept(await asyncio.to_thread(server.publish, table, await link.offer(speak=True)))
                await asyncio.to_thread(server.wait_for, table)
            else:
                handle, offer = await asyncio.to_thread(server.subscribe, table)
                await asyncio.to_thread(server.start, handle, await link.answer(parse(offer), speak=True))
        else:
            offer = await link.offer(speak=True)
            answer = await asyncio.to_thread(server.ask, do="connect", table=table, seat=seat, sdp=offer)
            await link.accept(answer)
        return link

    def _one_speaker(
        self, server: Server | media_janus.Janus, loop: Loop, peers: Sequence[Peer], base: Mapping[str, float]
    ) -> dict[str, Any]:
        talkers = [peer for peer in peers if peer.seat == 1]
        for talker in talkers:
            talker.payloads = self._speech
        seen: list[Mapping[str, float]] = []
        self._told(f"{self._way}: measuring {self._tables} tables")
        if isinstance(server, media_janus.Janus):
            janus = server
            steps = [(at, lambda: seen.append(janus.usage())) for at in (WARM_S, WARM_S + self._load.seconds)]
            loop.run(talkers, WARM_S + self._load.seconds + 0.2, steps)
        else:
            voice = server
            voice.ask(do="mic", seats=[1])
            steps = [(at, lambda: voice.send(do="usage")) for at in (WARM_S, WARM_S + self._load.seconds)]
            loop.run(talkers, WARM_S + self._load.seconds + 0.2, steps)
            seen = [voice.answer(), voice.answer()]
            voice.ask(do="mic", seats=[])
        begun, ended = seen
        cost = (ended["cpu_s"] - begun["cpu_s"]) / (ended["at"] - begun["at"]) / self._tables
        late = [value for peer in peers if peer.seat != 1 for value in self._added_ms(talkers[peer.table], peer)]
        grown = (ended["rss_mb"] - base["rss_mb"]) / self._tables
        return self._row(cost, late, grown, heard=sum(len(peer.heard) for peer in peers))

    def _added_ms(self, talker: Peer, ear: Peer) -> list[float]:
        """How long each packet took that this listener heard after the warming up."""
        since = talker.sent_ns[0] + int(WARM_S * 1e9)
        late: list[float] = []
        index_of = {payload: at for at, payload in enumerate(self._speech) if payload != QUIET}
        onset: tuple[int, int] | None = None
        for arrival_ns, data in ear.heard:
            packet = parse_rtp(ear.wire.unprotect(data))
            assert packet is not None
            _, _, timestamp, _, payload, _ = packet
            if self._way == "relay":
                if onset is None and len(payload) > VOICED_BYTES:
                    onset = SILENCE_FRAMES, timestamp
                number = -1 if onset is None else onset[0] + difference(timestamp, onset[1], 32) // FRAME_TICKS
                sent_ns = talker.sent_ns[number] if 0 <= number < len(talker.sent_ns) else None
            else:
                first = index_of.get(payload)
                times = [] if first is None else talker.sent_ns[first :: len(self._speech)]
                place = bisect_right(times, arrival_ns)
                sent_ns = times[place - 1] if place else None
            if sent_ns is not None and sent_ns >= since:
                late.append((arrival_ns - sent_ns) / 1e6)
        return late

    def _all_live(self, server: Server, loop: Loop, peers: Sequence[Peer]) -> dict[str, Any]:
        """Every client sends all the time; the seats are opened one after the other, and all closed in between."""
        loop.run((), SETTLE_S)
        for peer in peers:
            peer.forget()
            peer.payloads = self._sounds[peer.seat - 1].speech
        self._told(f"{self._way}: every microphone is live")
        opened: dict[int, tuple[int, int]] = {}
        steps: list[tuple[float, Callable[[], None]]] = []
        begun_ns: dict[int, int] = {}

        def open_(seat: int) -> None:
            begun_ns[seat] = time.time_ns()
            server.ask(do="mic", seats=[seat])

        def close(seat: int) -> None:
            server.ask(do="mic", seats=[])
            opened[seat] = begun_ns[seat], time.time_ns()

        at = CLOSED_S
        for seat in range(1, self._load.listeners + 2):
            steps.append((at, lambda seat=seat: open_(seat)))  # type: ignore[misc]  # the seat of now
            steps.append((at + OPEN_S, lambda seat=seat: close(seat)))  # type: ignore[misc]  # the same
            at += OPEN_S + CLOSED_S
        before = server.ask(do="usage")
        loop.run(peers, at + CLOSED_S, steps)
        after = server.ask(do="usage")
        cost = (after["cpu_s"] - before["cpu_s"]) / (after["at"] - before["at"]) / self._tables
        leaked, heard = leaks(peers, opened)
        return self._row(cost, None, None, heard=heard, live=len(self._sounds), leaked=leaked)

    def _in_a_page(
        self, server: Server | media_janus.Janus, loop: Loop, peers: Sequence[Peer]
    ) -> dict[str, dict[str, int]]:
        """A page more at the first table, which listens while all tables are as busy as before."""
        self._told(f"{self._way}: a Chromium listens")
        page = ListeningPage(pinned(self._everywhere))
        talkers = [peer for peer in peers if peer.seat == 1]
        seconds = min(self._load.seconds, PAGE_S)
        steps: list[tuple[float, Callable[[], None]]] = [
            (PAGE_WARM_S, page.look),
            (PAGE_WARM_S + seconds, page.look),
        ]
        try:
            if isinstance(server, media_janus.Janus):
                handle, offer = server.subscribe(0)
                server.start(handle, page.answer(offer))
            else:
                voice = server
                page.offer(lambda sdp: str(voice.ask(do="connect", table=0, seat="page", sdp=sdp)))
                voice.ask(do="mic", seats=[1])
            page.connected()
            if self._way in GATED:
                talkers += [peer for peer in peers if peer.seat == 2]
                changes = range(1, int(seconds / OPEN_S) + 1)
                for change in changes:
                    seats = [1 + change % 2] if change < changes[-1] else []
                    at = PAGE_WARM_S + seconds + change * OPEN_S
                    steps.append((at, lambda seats=seats: voice.ask(do="mic", seats=seats)))  # type: ignore[misc]  # of now
                steps += [(steps[-1][0], page.look), (steps[-1][0] + seconds, page.look)]
            for peer in talkers:
                peer.forget()
                peer.payloads = self._speech if peer.seat == 1 else self._sounds[1].speech
            loop.run(talkers, steps[-1][0] + SETTLE_S, steps)
            return dict(zip(PARTS, page.made_up(), strict=False))
        finally:
            page.close()

    def _row(
        self,
        cost: float,
        late: Sequence[float] | None,
        grown: float | None,
        *,
        heard: int | None,
        live: int = 1,
        leaked: int | None = None,
        way: str | None = None,
    ) -> dict[str, Any]:
        voiced = self._speech[SILENCE_FRAMES:]
        return {
            "way": way or self._way,
            "tables": self._tables,
            "listeners": self._load.listeners,
            "live": live,
            "seconds": self._load.seconds,
            "payload_bytes": round(sum(map(len, voiced)) / len(voiced), 1),
            "cpu_s_per_table_s": round(cost, 5),
            "added_ms": None if late is None else distribution(late),
            "rss_mb_per_table": None if grown is None else round(grown, 2),
            "packets_heard": heard,
            "leaked_packets": leaked,
            "concealed": None,
        }


def leaks(peers: Sequence[Peer], opened: Mapping[int, tuple[int, int]]) -> tuple[int, int]:
    """How many packets were heard that were sent while their seat was closed, and how many speakers' packets in all.

    `opened`: by seat, when its opening was asked for, and when its closing was done. What a speaker sends twice, or two
    of them, tells nothing and is left out.
    """
    sent: defaultdict[tuple[int, bytes], list[tuple[int, int]]] = defaultdict(list)
    for peer in peers:
        for number, sent_ns in enumerate(peer.sent_ns):
            sent[peer.table, peer.payloads[number % len(peer.payloads)]].append((peer.seat, sent_ns))
    leaked = heard = 0
    for peer in peers:
        for _, data in peer.heard:
            packet = parse_rtp(peer.wire.unprotect(data))
            senders = sent.get((peer.table, packet[4]), []) if packet is not None else []
            if len(senders) != 1:
                continue
            seat, sent_ns = senders[0]
            begun, ended = opened.get(seat, (0, 0))
            heard += 1
            leaked += not begun <= sent_ns <= ended
    return leaked, heard


def _drain(ears: Sequence[socket.socket], seconds: float) -> int:
    """Read what comes, for so long; how many datagrams."""
    import select

    poll = select.epoll()
    by_fd = {ear.fileno(): ear for ear in ears}
    for descriptor in by_fd:
        poll.register(descriptor, select.EPOLLIN)
    heard = 0
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        for descriptor, _ in poll.poll(min(left, 0.05)):
            while True:
                try:
                    by_fd[descriptor].recvmsg(1500, 64)
                except BlockingIOError:
                    break
                heard += 1
    poll.close()
    return heard
