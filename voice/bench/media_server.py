"""The server end of `voicetable bench media`: one process, one way to forward, orders on standard input.

An order is one JSON object a line, and so is its answer: `connect` (table, seat, sdp) gives the answer's SDP, `mic`
(seats) opens exactly these at every table, `usage` gives this process's CPU seconds, its memory and its clock.

ours: the server's own path. workers: the same in a media worker, whose process is counted too. fallback: the same room
on aiortc's public API. relay: aiortc's MediaRelay, which decodes and encodes, as its examples do. floor: nothing but
SRTP and sendto of the same packets, of the libraries' own calls.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import socket
import sys
import time
from typing import TYPE_CHECKING, Any, Protocol

from voice.media.rtp import FRAME_S

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE_BYTES = resource.getpagesize()
LINE_BYTES = 1 << 22


class Forwarder(Protocol):
    """One way to forward the voice of some tables."""

    async def connect(self, table: int, seat: int, sdp: str) -> str:
        """The answer to a client's offer."""

    def mic(self, seats: Sequence[int]) -> None:
        """Open exactly these seats' microphones at every table."""

    def forwarded(self) -> int | None:
        """How many packets went out; None where it is not known."""


def memory_mb() -> float:
    """This process's resident memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE_BYTES / 1e6


def used_by(pid: int) -> tuple[float, float]:
    """CPU seconds and resident MB of another process."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(fields[21]) * PAGE_BYTES / 1e6


def usage(forwarded: int | None, pids: Sequence[int] = ()) -> dict[str, float | int | None]:
    """CPU seconds (user and system) and resident memory of this process and `pids`, and the monotonic clock."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    others = [used_by(pid) for pid in pids]
    return {
        "cpu_s": used.ru_utime + used.ru_stime + sum(cpu_s for cpu_s, _ in others),
        "rss_mb": memory_mb() + sum(mb for _, mb in others),
        "at": time.monotonic(),
        "forwarded": forwarded,
    }


class Rooms:
    """Our rooms, on the adapter or on the fallback."""

    def __init__(self, tables: int, fallback: bool) -> None:
        from voice.media.fallback import FallbackLink
        from voice.media.peer import PeerLink
        from voice.media.room import MediaRoom
        from voice.media.settings import MediaSettings

        settings = MediaSettings(addresses=(), handshakes_per_s=float("inf"))
        links = FallbackLink if fallback else PeerLink
        self._rooms = [
            MediaRoom(str(table), lambda packet: None, lambda seats: None, settings, links) for table in range(tables)
        ]

    async def connect(self, table: int, seat: int, sdp: str) -> str:
        return await self._rooms[table].connect(seat, sdp)

    def mic(self, seats: Sequence[int]) -> None:
        for room in self._rooms:
            room.mic(seats)

    def forwarded(self) -> int | None:
        total = 0
        for room in self._rooms:
            count = room.stats()["forwarded"]
            assert isinstance(count, int)
            total += count
        return total


class WorkerRooms:
    """Our rooms in one media worker."""

    def __init__(self, tables: int) -> None:
        from voice.media.settings import MediaSettings
        from voice.media.workers.pool import MediaWorkers

        self._pool = MediaWorkers(1, MediaSettings(addresses=(), handshakes_per_s=float("inf")))
        self._rooms = [self._pool.open(str(table), lambda packet: None, lambda seats: None) for table in range(tables)]

    async def start(self) -> None:
        """Start the worker."""
        await self._pool.start()
        await self._pool.ready(60.0)

    @property
    def pids(self) -> list[int]:
        """The worker's process."""
        return [each["pid"] for each in self._pool.stats()]

    async def connect(self, table: int, seat: int, sdp: str) -> str:
        return await self._rooms[table].connect(seat, sdp)

    def mic(self, seats: Sequence[int]) -> None:
        for room in self._rooms:
            room.mic(seats)

    def forwarded(self) -> int | None:
        return None


class Relays:
    """aiortc alone: seat 1's track, given to the others by a MediaRelay."""

    def __init__(self, tables: int) -> None:
        from aiortc.contrib.media import MediaRelay

        self._relays = [MediaRelay() for _ in range(tables)]
        self._tracks: dict[int, Any] = {}  # Any: aiortc's RemoteStreamTrack
        self._connections: list[Any] = []

    async def connect(self, table: int, seat: int, sdp: str) -> str:
        from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription

        connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self._connections.append(connection)
        if seat == 1:
            connection.on("track", lambda track: self._tracks.__setitem__(table, track))
        else:
            connection.addTrack(self._relays[table].subscribe(self._tracks[table]))
        await connection.setRemoteDescription(RTCSessionDescription(sdp, "offer"))
        await connection.setLocalDescription(await connection.createAnswer())
        text: str = connection.localDescription.sdp
        return text

    def mic(self, seats: Sequence[int]) -> None:
        pass

    def forwarded(self) -> int | None:
        return None


async def serve(forwarder: Forwarder, pids: Sequence[int] = ()) -> None:
    """Follow the orders until standard input ends; `pids` work for this one."""
    reader = asyncio.StreamReader(limit=LINE_BYTES)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        order = json.loads(line)
        answer: Any = None
        if order["do"] == "connect":
            answer = await forwarder.connect(order["table"], order["seat"], order["sdp"])
        elif order["do"] == "mic":
            forwarder.mic(order["seats"])
        elif order["do"] == "usage":
            answer = usage(forwarder.forwarded(), pids)
        print(json.dumps(answer), flush=True)


def floor(tables: int) -> None:
    """Send the same packets to the same number of sockets: a wake-up per packet and table, SRTP in place, sendto.

    Its orders: `peers` (addresses, so many a table, and packets), then `run` (seconds; paced or not), answered by the
    usage before and after.
    """
    from pylibsrtp import Policy, Session
    from pylibsrtp._binding import ffi, lib

    buffer, length = ffi.new("unsigned char[]", 2048), ffi.new("int *")
    bytes_of = memoryview(ffi.buffer(buffer))
    protect = lib.srtp_protect
    outs: list[list[tuple[socket.socket, tuple[str, int], Any]]] = []
    sessions = []
    payloads: list[bytes] = []
    for line in sys.stdin:
        order = json.loads(line)
        if order["do"] == "peers":
            payloads = [bytes.fromhex(packet) for packet in order["packets"]]
            for number, (host, port) in enumerate(order["addresses"]):
                out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                out.setblocking(False)
                policy = Policy(
                    key=os.urandom(44),
                    ssrc_type=Policy.SSRC_ANY_OUTBOUND,
                    srtp_profile=Policy.SRTP_PROFILE_AEAD_AES_256_GCM,
                )
                sessions.append(Session(policy))
                if number % order["listeners"] == 0:
                    outs.append([])
                outs[-1].append((out, (host, port), sessions[-1]._srtp[0]))
            print(json.dumps(None), flush=True)
            continue
        if order["do"] == "usage":
            print(json.dumps(usage(None)), flush=True)
            continue
        begun = usage(None)
        begin = time.monotonic()
        turns = round(order["seconds"] / FRAME_S)
        sequence = order["sequence"]
        for turn in range(turns):
            payload = payloads[turn % len(payloads)]
            packet = bytes([0x80, 96]) + ((sequence + turn) & 0xFFFF).to_bytes(2, "big") + bytes(8) + payload
            size = len(packet)
            for table, listeners in enumerate(outs):
                if order["paced"]:
                    wait = begin + (turn + table / len(outs)) * FRAME_S - time.monotonic()
                    if wait > 0:
                        time.sleep(wait)
                for out, address, context in listeners:
                    bytes_of[:size] = packet
                    length[0] = size
                    protect(context, buffer, length)
                    out.sendto(bytes_of[: length[0]], address)
        print(json.dumps([begun, usage(None)]), flush=True)


def main() -> None:
    """`python -m voice.bench.media_server WAY TABLES`."""
    way, tables = sys.argv[1], int(sys.argv[2])
    if way == "floor":
        floor(tables)
        return
    import aioice.ice

    # All ways are measured on the loopback interface, which aioice leaves out.
    aioice.ice.get_host_addresses = lambda use_ipv4, use_ipv6: ["127.0.0.1"]
    if way in ("ours", "workers"):
        import uvloop

        uvloop.run(_serve(way, tables))
    else:
        asyncio.run(_serve(way, tables))


async def _serve(way: str, tables: int) -> None:
    if way == "workers":
        from voice.logs import configure_logs

        configure_logs(quiet=True)  # to standard error: the answers have the other
        rooms = WorkerRooms(tables)
        await rooms.start()
        await serve(rooms, rooms.pids)
        return
    await serve(Relays(tables) if way == "relay" else Rooms(tables, way == "fallback"))


if __name__ == "__main__":
    main()
