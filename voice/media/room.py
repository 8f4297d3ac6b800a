"""The voice of one table: its connections, its gate and the streams that all of them hear."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from voice.bucket import Bucket
from voice.memory import nobody

from . import selftest
from .errors import MediaError
from .gate import Gate, Intake
from .listener import EARLY_S, FILL_S
from .pace import pace_of
from .packet import AcceptedPacket
from .rtp import FRAME_S, audio_level
from .sdp import parse
from .settings import MediaSettings
from .slot import loudness
from .stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from .link import Link, LinkFactory, OnSlots
    from .sdp import Section

TICK_S = 1.0
VIEWERS_REMEMBERED = 200

log = structlog.get_logger(__name__)

Viewer = int | str
"""A seat's number, or a moderator's id."""


def _superseded() -> MediaError:
    return MediaError("superseded", "the viewer left or sent a newer offer, or the room was closed")


class _Peer:
    """One viewer's connection."""

    __slots__ = ("flooded", "floods", "intake", "link", "opening", "reading", "seat", "source", "stage")

    def __init__(self, viewer: Viewer, gate: Gate) -> None:
        self.link: Link
        self.stage: Stage
        self.seat = viewer if isinstance(viewer, int) else 0
        self.intake = Intake(gate, self.seat)
        self.opening = 0
        self.reading: asyncio.Future[None] | None = None
        """What its last opening waits for: see `Link.drain`."""
        self.source = 0
        """Names a run of packets that belong together: this connection during one opening."""
        self.flooded = 0
        """Packets that were above its input limit, as of the last tick."""
        self.floods = 0
        """Ticks in a row with far too many of them."""


class MediaRoom:
    """All voice of one table.

    `on_packet` is the tap: called with each accepted packet, after it was sent to the listeners; it must not block.
    `on_link` is told the seats whose voice link is alive, whenever that set changes. `on_slots` is told who has which
    slot at each change, with a number that counts the changes: a tuple of seats (None: nobody) as long as the number of
    streams that those listeners have whom it concerns. All methods belong to the event loop's thread. A viewer is a
    seat (int) or a moderator (str), and has at most one connection: the newest.
    """

    def __init__(
        self,
        table_id: str,
        on_packet: Callable[[AcceptedPacket], None],
        on_link: Callable[[frozenset[int]], None],
        settings: MediaSettings | None = None,
        links: LinkFactory | None = None,
        on_slots: OnSlots | None = None,
    ) -> None:
        self._table_id = table_id
        self._on_packet = on_packet
        self._on_link = on_link
        self._on_slots = on_slots
        self._settings = settings or MediaSettings()
        self._links = links
        self._gate = Gate()
        self._stages: dict[int, Stage] = {}
        """By the number of slots."""
        self._changes = 0
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
            if (peer := self._peers.get(seat)) is not None and (reading := peer.link.drain()) is not None:
                self._gate.hold(seat)
                peer.reading = reading
                reading.add_done_callback(partial(self._drained, peer))
        if not self._gate.set(wanted):
            return
        dues = [due for stage in self._stages.values() if (due := stage.keep(self._gate.open))]
        if dues:
            self._tail_at(min(dues))
        self._tell_slots()

    def _drained(self, peer: _Peer, reading: asyncio.Future[None]) -> None:
        if reading is peer.reading and not reading.cancelled() and self._peers.get(peer.seat) is peer:
            self._gate.release(peer.seat)

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
        self._forward(peer, sequence, timestamp, payload, extension, now)
        try:
            self._on_packet(AcceptedPacket(seat, self._gate.epoch, sequence, timestamp, payload, now))
        except Exception:  # the tap is another owner's: its error must not reach the socket, which it would close
            self._dropped["tap"] += 1
            if self._dropped["tap"] == 1:
                log.exception("media.tap_failed", table=self._table_id)

    def _forward(
        self, peer: _Peer, sequence: int, timestamp: int, payload: bytes, extension: bytes, now: float
    ) -> None:
        if peer.opening != peer.intake.opening:
            peer.opening = peer.intake.opening
            self._sources += 1
            peer.source = self._sources
        alone = len(self._gate.open) == 1
        loud = 0.0 if alone else self._loudness(peer, payload, extension)
        heard = False
        for stage in self._stages.values():
            writer = stage.alone(peer.seat, now) if alone else stage.take(peer.seat, loud, now)
            if writer is not None:
                heard = True
                self._forwarded += writer.forward(peer.source, sequence, timestamp, payload, now, peer.link)
        if not heard:
            self._dropped["slot"] += 1
        self._tell_slots()

    def _loudness(self, peer: _Peer, payload: bytes, extension: bytes) -> float:
        wanted = peer.link.audio_level
        return loudness(None if wanted is None else audio_level(extension, wanted), len(payload))

    def _tell_slots(self) -> None:
        for stage in self._stages.values():
            seats = stage.news()
            if seats is not None and self._on_slots is not None:
                self._changes += 1
                try:
                    self._on_slots(self._changes, seats)
                except Exception:  # as with the tap
                    self._dropped["slots"] += 1
                    log.exception("media.slots_failed", table=self._table_id)

    def _fill(self) -> None:
        now = time.monotonic()
        due = now + FILL_S
        for stage in self._stages.values():
            if len(self._gate.open) > 1 and (silence := stage.rest(now)):
                self._tail_at(silence)
            due = min(due, stage.fill(now))
        self._tell_slots()
        if self._peers:
            self._later("fill", max(0.02, due - now), self._fill)

    def _tail_at(self, due: float) -> None:
        if "tail" not in self._timers:
            self._later("tail", max(0.0, due - time.monotonic()), partial(self._tail, due))

    def _tail(self, due: float) -> None:
        now = time.monotonic()
        more = False
        for stage in self._stages.values():
            more = stage.tail(now) or more
        if more:
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
        try:
            peer, answer = await self._open(viewer, offer, attempt)
        finally:
            if self._attempts.get(viewer) == attempt:
                del self._attempts[viewer]
        self._replace(viewer, peer)
        return answer

    async def _open(self, viewer: Viewer, offer: Section, attempt: int) -> tuple[_Peer, str]:
        """A connection that answers, of an attempt that is still the newest. Raises MediaError."""
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
        if link.down:  # it told so while it was not yet the viewer's, and will not again
            self._background(link.close())
            raise MediaError("busy", "the voice link took too long: offer again")
        return peer, answer

    def _limit(self, viewer: Viewer) -> None:
        now = time.monotonic()
        settings = self._settings
        left_s = self._cut_until.get(viewer, now) - now
        if left_s > 0.0:
            limit = f"{settings.packets_per_s:g} packets/s"
            raise MediaError(
                "flood", f"your voice link was closed: it sent far more than {limit}; offer again in {left_s:.0f} s"
            )
        if isinstance(viewer, str):
            others = (self._peers.keys() | self._attempts.keys()) - {viewer}
            if sum(isinstance(name, str) for name in others) >= settings.moderators:
                raise MediaError("too_many", f"at most {settings.moderators} moderators listen at one table")
        bucket = self._offers.get(viewer)
        if bucket is None:
            if len(self._offers) >= VIEWERS_REMEMBERED:
                self._offers.clear()
            bucket = self._offers[viewer] = Bucket(settings.offers_per_s, settings.offers_burst, now)
        if not bucket.take(now):
            raise MediaError("too_many", f"too many offers: one every {1 / settings.offers_per_s:g} s, please")

    def _replace(self, viewer: Viewer, peer: _Peer) -> None:
        old = self._peers.get(viewer)
        self._peers[viewer] = peer
        self._gate.release(peer.seat)  # what has not been read is the old connection's
        if old is not None:
            self._background(self._retire(old))
        count = peer.link.slots
        if count not in self._stages:
            self._stages[count] = Stage(count)
        peer.stage = self._stages[count]
        peer.stage.add(peer.link)
        self._tell_slots()
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
        peer.stage.remove(peer.link)
        self._stages = {count: stage for count, stage in self._stages.items() if not stage.empty}
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
        self._on_packet = self._on_link = nobody
        self._on_slots = None

    # --- timers, tasks, counters

    def _later(self, name: str, delay_s: float, call: Callable[[], None]) -> None:
        def run() -> None:
            self._timers.pop(name, None)
            call()

        running = self._timers.pop(name, None)
        if running is not None:
            running.cancel()
        if not self._closed:
            loop = asyncio.get_running_loop()
            when = loop.time() + delay_s
            if delay_s > EARLY_S:
                # At the same moments for all tables: to wake up costs more than what is then done.
                when -= when % EARLY_S
            self._timers[name] = loop.call_at(when, run)

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
