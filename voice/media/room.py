"""The voice of one table: its connections, its gate and the one stream that all of them hear."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from voice.bucket import Bucket

from . import selftest
from .errors import MediaError
from .gate import Gate, Intake
from .listener import FILL_S, FRAME_S, Listener
from .pace import pace_of
from .packet import AcceptedPacket
from .rtp import audio_level
from .sdp import parse
from .settings import MediaSettings
from .slot import Slot
from .writer import SlotWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from .link import Link, LinkFactory

TICK_S = 1.0
TAIL_FRAMES = 5
"""After a speaker is closed: silence at 20 ms, so that the listeners' decoders fade out, then a DTX frame."""
LOUD_DBOV = 55
"""RFC 6464 levels below this (the scale is negative decibels) are speech."""
LOUD_BYTES = 10
"""Without levels: Opus DTX packets have 1 or 2 bytes, silence a few more."""
VIEWERS_REMEMBERED = 200

log = structlog.get_logger(__name__)

Viewer = int | str
"""A seat's number, or a moderator's id."""


def _superseded() -> MediaError:
    return MediaError("superseded", "the viewer left or sent a newer offer, or the room was closed")


class _Peer:
    """One viewer's connection."""

    __slots__ = ("flooded", "floods", "intake", "link", "listener", "opening", "seat", "source")

    def __init__(self, viewer: Viewer, gate: Gate) -> None:
        self.link: Link
        self.listener: Listener
        self.seat = viewer if isinstance(viewer, int) else 0
        self.intake = Intake(gate, self.seat)
        self.opening = 0
        self.source = 0
        """Names a run of packets that belong together: this connection during one opening."""
        self.flooded = 0
        """Packets that were above its input limit, as of the last tick."""
        self.floods = 0
        """Ticks in a row with far too many of them."""


class MediaRoom:
    """All voice of one table.

    `on_packet` is the tap: called with each accepted packet, after it was sent to the listeners; it must not block.
    `on_link` is told the seats whose voice link is alive, whenever that set changes. All methods belong to the event
    loop's thread. A viewer is a seat (int) or a moderator (str), and has at most one connection: the newest.
    """

    def __init__(
        self,
        table_id: str,
        on_packet: Callable[[AcceptedPacket], None],
        on_link: Callable[[frozenset[int]], None],
        settings: MediaSettings | None = None,
        links: LinkFactory | None = None,
    ) -> None:
        self._table_id = table_id
        self._on_packet = on_packet
        self._on_link = on_link
        self._settings = settings or MediaSettings()
        self._links = links
        self._gate = Gate()
        self._slot = Slot()
        self._writer = SlotWriter()
        self._peers: dict[Viewer, _Peer] = {}
        self._attempts: dict[Viewer, int] = {}
        self._offers: dict[Viewer, Bucket] = {}
        self._cut_until: dict[Viewer, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._alive: frozenset[int] = frozenset()
        self._closed = False
        self._serial = 0
        self._sources = 0
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._forwarded = 0
        self._dropped: Counter[str] = Counter()
        self._accepted: Counter[int] = Counter()
        self._refused: Counter[int] = Counter()

    # --- the gate

    def mic(self, seats: Iterable[int]) -> None:
        """Open exactly these seats' microphones: the only thing that moves the gate."""
        before = self._gate.open
        wanted = frozenset(seats)
        for seat in wanted - before:
            # What has come to this machine by now was sent before the opening, whether it was read yet or not.
            if (peer := self._peers.get(seat)) is not None:
                peer.link.drain()
        if not self._gate.set(wanted):
            return
        self._slot.keep(self._gate.open)
        if before - self._gate.open and (due := self._writer.end_run(TAIL_FRAMES)):
            self._tail_at(due)

    @property
    def epoch(self) -> int:
        """The gate's epoch: it counts the changes, and each accepted packet carries it."""
        return self._gate.epoch

    # --- the audio path

    def _receive(
        self, peer: _Peer, sequence: int, timestamp: int, payload: bytes, extension: bytes, now: float
    ) -> None:
        """One packet, decrypted: the gate, the listeners, the tap, all in this call."""
        refused = peer.intake.refuses(sequence)
        seat = peer.seat
        if refused is not None or self._peers.get(seat) is not peer:
            self._dropped[refused or "replaced"] += 1
            self._refused[seat] += 1
            return
        self._accepted[seat] += 1
        if self._slot.take(seat, self._loud(peer, payload, extension), now):
            self._forward(peer, sequence, timestamp, payload, now)
        else:
            self._dropped["slot"] += 1
        try:
            self._on_packet(AcceptedPacket(seat, self._gate.epoch, sequence, timestamp, payload, now))
        except Exception:  # the tap is another owner's: its error must not reach the socket, which it would close
            self._dropped["tap"] += 1
            if self._dropped["tap"] == 1:
                log.exception("media.tap_failed", table=self._table_id)

    def _loud(self, peer: _Peer, payload: bytes, extension: bytes) -> bool:
        if len(self._gate.open) < 2:
            return True
        wanted = peer.link.audio_level
        level = None if wanted is None else audio_level(extension, wanted)
        return len(payload) > LOUD_BYTES and (level is None or level < LOUD_DBOV)

    def _forward(self, peer: _Peer, sequence: int, timestamp: int, payload: bytes, now: float) -> None:
        if peer.opening != peer.intake.opening:
            peer.opening = peer.intake.opening
            self._sources += 1
            peer.source = self._sources
        self._forwarded += self._writer.forward(peer.source, sequence, timestamp, payload, now, peer.listener)

    def _fill(self) -> None:
        now = time.monotonic()
        due = self._writer.fill(now)
        if self._peers:
            self._later("fill", max(0.02, due - now), self._fill)

    def _tail_at(self, due: float) -> None:
        self._later("tail", max(0.0, due - time.monotonic()), partial(self._tail, due))

    def _tail(self, due: float) -> None:
        if self._writer.tail(time.monotonic()):
            self._tail_at(due + FRAME_S)

    # --- connections

    async def connect(self, viewer: Viewer, sdp: str) -> str:
        """Answer an offer: a new connection that replaces this viewer's present one.

        A seat's is sendrecv, a moderator's listens only. Raises MediaError: `bad_sdp`, `no_audio`, `no_opus` (the
        offer), `too_many` (offers, or moderators), `flood` (this viewer was cut off a moment ago), `busy` (too many
        connect at once), `superseded` (a newer offer came meanwhile), `closed` (the room), `unsupported` (this
        server's libraries).
        """
        if self._closed:
            raise MediaError("closed", "the table's voice is closed")
        self._limit(viewer)
        offer = parse(sdp)
        if offer.direction in ("sendonly", "inactive"):
            raise MediaError("bad_sdp", f"the audio section must be sendrecv or recvonly, not {offer.direction}")
        self._serial += 1
        attempt = self._attempts[viewer] = self._serial
        links = self._links or await selftest.link_factory()
        await pace_of(self._settings).turn()
        if self._attempts.get(viewer) != attempt:
            raise _superseded()
        peer = _Peer(viewer, self._gate)
        link = links(
            self._settings,
            partial(self._receive, peer),
            partial(self._state_changed, viewer, peer),
        )
        try:
            peer.link = link
            answer = await link.answer(offer, speak=isinstance(viewer, int))
        except BaseException:
            self._background(link.close())
            raise
        if self._attempts.get(viewer) != attempt:
            self._background(link.close())
            raise _superseded()
        del self._attempts[viewer]
        self._replace(viewer, peer)
        return answer

    def _limit(self, viewer: Viewer) -> None:
        now = time.monotonic()
        settings = self._settings
        left_s = self._cut_until.get(viewer, now) - now
        if left_s > 0.0:
            limit = f"{settings.packets_per_s:g} packets/s"
            raise MediaError(
                "flood", f"your voice link was closed: it sent far more than {limit}; offer again in {left_s:.0f} s"
            )
        bucket = self._offers.get(viewer)
        if bucket is None:
            if isinstance(viewer, str) and sum(isinstance(name, str) for name in self._peers) >= settings.moderators:
                raise MediaError("too_many", f"at most {settings.moderators} moderators listen at one table")
            if len(self._offers) >= VIEWERS_REMEMBERED:
                self._offers.clear()
            bucket = self._offers[viewer] = Bucket(settings.offers_per_s, settings.offers_burst, now)
        if not bucket.take(now):
            raise MediaError("too_many", f"too many offers: one every {1 / settings.offers_per_s:g} s, please")

    def _replace(self, viewer: Viewer, peer: _Peer) -> None:
        old = self._peers.get(viewer)
        self._peers[viewer] = peer
        if old is not None:
            self._background(self._retire(old))
        peer.listener = self._writer.add(peer.link)
        if "tick" not in self._timers:
            self._later("tick", TICK_S, self._tick)
        if "fill" not in self._timers:
            self._later("fill", FILL_S, self._fill)
        self._tell_links()

    def _state_changed(self, viewer: Viewer, peer: _Peer) -> None:
        if peer.link.down and self._peers.get(viewer) is peer:
            del self._peers[viewer]
            self._background(self._retire(peer))
        self._tell_links()

    def _tick(self) -> None:
        now = time.monotonic()
        for viewer, peer in list(self._peers.items()):
            peer.link.tick(now)
            if self._floods(peer):
                self._cut_off(viewer, peer, now)
        self._tell_links()
        if self._peers:
            self._later("tick", TICK_S, self._tick)

    def _floods(self, peer: _Peer) -> bool:
        """Has this peer sent far above its limit for some seconds now?"""
        flooded = peer.link.dropped.get("flood", 0)
        much = flooded - peer.flooded > self._settings.flood_packets_per_s * TICK_S
        peer.flooded = flooded
        peer.floods = peer.floods + 1 if much else 0
        return peer.floods >= self._settings.flood_s

    def _cut_off(self, viewer: Viewer, peer: _Peer, now: float) -> None:
        log.warning("media.cut_off", table=self._table_id, dropped=peer.flooded)
        self._cut_until = {name: until for name, until in self._cut_until.items() if until > now}
        self._cut_until[viewer] = now + self._settings.cut_off_s
        self._dropped["cut_off"] += 1
        del self._peers[viewer]
        self._background(self._retire(peer))

    def _tell_links(self) -> None:
        since = time.monotonic() - self._settings.silent_after_s
        alive = frozenset(
            viewer
            for viewer, peer in self._peers.items()
            if isinstance(viewer, int) and peer.link.connected and peer.link.heard_at >= since
        )
        if alive != self._alive and not self._closed:
            self._alive = alive
            self._on_link(alive)

    def _retire(self, peer: _Peer) -> Coroutine[Any, Any, None]:
        """It hears nothing more from now on; what is given back closes it."""
        self._writer.remove(peer.listener)
        return self._end(peer)

    async def _end(self, peer: _Peer) -> None:
        await peer.link.close()
        self._dropped.update(peer.link.dropped)
        peer.link.dropped.clear()

    async def disconnect(self, viewer: Viewer) -> None:
        """Close this viewer's connection, if it has one."""
        self._attempts.pop(viewer, None)
        peer = self._peers.pop(viewer, None)
        self._tell_links()
        if peer is not None:
            await self._retire(peer)

    async def close(self) -> None:
        """Close the gate and every connection; the room can't be used after."""
        self.mic(())
        self._closed = True
        self._attempts.clear()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        peers = list(self._peers.values())
        self._peers.clear()
        self._alive = frozenset()
        await asyncio.gather(*(self._retire(peer) for peer in peers), *self._tasks)

    # --- timers, tasks, counters

    def _later(self, name: str, delay_s: float, call: Callable[[], None]) -> None:
        def run() -> None:
            self._timers.pop(name, None)
            call()

        running = self._timers.pop(name, None)
        if running is not None:
            running.cancel()
        if not self._closed:
            self._timers[name] = asyncio.get_running_loop().call_later(delay_s, run)

    def _background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stats(self) -> dict[str, object]:
        """Counters: packets accepted, forwarded (per listener), dropped by reason; accepted and refused per seat."""
        dropped = Counter(self._dropped)
        for peer in self._peers.values():
            dropped.update(peer.link.dropped)
        return {
            "peers": len(self._peers),
            "alive": sorted(self._alive),
            "accepted": self._accepted.total(),
            "forwarded": self._forwarded,
            "dropped": dict(dropped),
            "seats": {
                seat: {"accepted": self._accepted[seat], "refused": self._refused[seat]}
                for seat in sorted(self._accepted.keys() | self._refused.keys())
            },
        }
