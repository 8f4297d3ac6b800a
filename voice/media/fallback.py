"""A link for an aiortc that the adapter does not know: its public API, and one hook to read encoded packets.

Several times the CPU of `PeerLink`, one slot, and without its guards at the socket; the gate and everything behind it
are the same. It exists so that a server with other libraries still can hold a game. Packets wait in sockets and queues
of aiortc before they are handled: an opening begins when all that had come before it is (`sounding.py`), some
milliseconds later than it was told.
"""

from __future__ import annotations

import asyncio
import fractions
import time
from collections import deque
from typing import TYPE_CHECKING, Any

import av
import structlog
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCSessionDescription

from voice.bucket import Bucket

from . import dismantle, sdp
from .early import Early, is_speech
from .errors import MediaError
from .gather import gather_within
from .ports import announce
from .rtp import HEADER_BYTES
from .sounding import Sounding
from .srtp import MAX_DATAGRAM

if TYPE_CHECKING:
    from collections.abc import Callable

    from .link import OnRtp, OnState
    from .settings import MediaSettings

MAX_UNREAD = 1_000
"""Packets that may come while it connects: some seconds of a flood, of which the oldest are forgotten."""
WAITING_PACKETS = 25
"""Half a second of packets may wait for aiortc's sender."""
_TIME_BASE = fractions.Fraction(1, 48_000)

log = structlog.get_logger(__name__)


def _own_addresses(description: str) -> list[tuple[str, int]]:
    """Where the sockets are that a local description tells of."""
    fields = [candidate.split() for candidate in sdp.parse(description).candidates]
    return [(each[4], int(each[5])) for each in fields if each[7] == "host"]


class _Outgoing(MediaStreamTrack):
    """A track that gives already encoded packets: aiortc's sender packs them without an encoder."""

    kind = "audio"

    def __init__(self) -> None:
        super().__init__()
        self.packets: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue(WAITING_PACKETS)
        self._origin: int | None = None
        self._last = 0

    async def recv(self) -> Any:  # Any: declared as frames, but its sender takes packets too
        timestamp, payload = await self.packets.get()
        if self._origin is None:
            self._origin = self._last = timestamp
        self._last += ((timestamp - self._last + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)
        packet = av.Packet(payload)
        packet.pts = max(0, self._last - self._origin)
        packet.time_base = _TIME_BASE
        return packet


class FallbackLink:
    """See `link.Link`."""

    def __init__(self, settings: MediaSettings, on_rtp: OnRtp, on_state: OnState) -> None:
        now = time.monotonic()
        self.connected = False
        self.down = False
        self.heard_at = now
        self.audio_level: int | None = None
        self.slots = 1
        self.dropped: dict[str, int] = {}
        self._settings = settings
        self._on_rtp = on_rtp
        self._on_state = on_state
        self._packets = Bucket(settings.packets_per_s, settings.packets_burst, now)
        self._track = _Outgoing()
        self._pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self._pc.on("connectionstatechange", self._state_changed)
        self._sounding: Sounding | None = None
        self._early = Early()
        self._unread: deque[bytes] = deque(maxlen=MAX_UNREAD)
        """The headers of what came while it was connecting."""
        self._closing: asyncio.Task[None] | None = None
        self._timeout = asyncio.get_running_loop().call_later(settings.connect_timeout_s, self._gone)

    async def answer(self, offer: sdp.Section, speak: bool) -> str:
        """The answer to an offer. Raises MediaError `bad_sdp`, or `unsupported` if packets can't be read at all."""
        transceiver = self._pc.addTransceiver(self._track, direction="sendrecv" if speak else "sendonly")
        receiver: Any = transceiver.receiver
        if not asyncio.iscoroutinefunction(getattr(receiver, "_handle_rtp_packet", None)):
            raise MediaError("unsupported", "this aiortc gives no way to read encoded packets; install the pinned one")

        async def handle(packet: Any, arrival_time_ms: int) -> None:
            self._handle(packet)

        receiver._handle_rtp_packet = handle
        self._keep_to_our_ports(receiver)
        try:
            await self._pc.setRemoteDescription(RTCSessionDescription(offer.canonical(), "offer"))
            await self._pc.setLocalDescription(await self._pc.createAnswer())
        except MediaError:
            raise
        except Exception as error:  # an unknown aiortc may raise anything
            raise MediaError("bad_sdp", f"the offer can't be answered: {type(error).__name__} {error}") from error
        text = self._pc.localDescription.sdp
        try:
            self._sounding = await Sounding.start(_own_addresses(text))
        except OSError as error:
            raise MediaError(
                "media_failed", "the server has no socket for another voice: offer again in a moment"
            ) from error
        return announce(sdp.finish_answer(text, offer), self._settings.public_addresses)

    def _keep_to_our_ports(self, receiver: Any) -> None:
        try:
            ice = receiver.transport.transport._connection
            ice.get_component_candidates = gather_within(ice, self._settings, ice.get_component_candidates)
            dismantle.loosen(receiver.transport)
            ice.data_received = self._looked_at(ice.data_received)
        except AttributeError as error:
            log.warning(
                "media.fallback.ports",
                why=str(error),
                using="any UDP port: --udp-ports is not kept, and no datagram looked at before its keys are there",
            )

    def _looked_at(self, receive: Callable[[bytes, int], None]) -> Callable[[bytes, int], None]:
        def received(data: bytes, component: int) -> None:
            if not self.connected and is_speech(data):
                self._unread.append(data[:HEADER_BYTES])
            if len(data) <= MAX_DATAGRAM:
                receive(data, component)

        return received

    def _handle(self, packet: Any) -> None:
        now = self.heard_at = time.monotonic()
        if self._unread:
            self._leave_out_until(packet)
        if self._early.refuses(packet.ssrc, packet.sequence_number):
            self.dropped["early"] = self.dropped.get("early", 0) + 1
        elif self._packets.take(now):
            self._on_rtp(packet.sequence_number, packet.timestamp, bytes(packet.payload), b"", now)
        else:
            self.dropped["flood"] = self.dropped.get("flood", 0) + 1

    def _leave_out_until(self, packet: Any) -> None:
        """aiortc handles what comes in the order it came: what it has left out before this packet it could not read."""
        this = packet.sequence_number.to_bytes(2, "big"), packet.ssrc.to_bytes(4, "big")
        while self._unread:
            header = self._unread.popleft()
            if (header[2:4], header[8:12]) == this:
                break
            self._early.note(header)

    def send(self, sequence: int, timestamp: int, marker: bool, payload: bytes, now: float, slot: int = 0) -> bool:
        """Queue one packet for aiortc's sender, which numbers it itself."""
        if not self.connected or self._track.packets.full():
            return False
        self._track.packets.put_nowait((timestamp, payload))
        return True

    def drain(self) -> asyncio.Future[None] | None:
        """Done when aiortc has handled what had come at this call: its own queues can't be emptied at once."""
        return None if self._sounding is None else self._sounding.ask()

    def tick(self, now: float) -> None:
        """aiortc's own reports run here, and only ICE consent (30 s) notices a dead peer."""
        if self.connected:
            self.heard_at = now

    def _state_changed(self) -> None:
        state = self._pc.connectionState
        if state == "connected" and not self.down:
            self.connected = True
            self._timeout.cancel()
            self._on_state()
        elif state in ("failed", "closed") and not self.down:
            self._gone()

    def _gone(self) -> None:
        self.connected = False
        self.down = True
        self._timeout.cancel()
        self._on_state()

    async def close(self) -> None:
        """Close within `close_timeout_s`."""
        if self._closing is None:
            self.connected = False
            self.down = True
            self._timeout.cancel()
            if self._sounding is not None:
                self._sounding.close()
            self._closing = asyncio.get_running_loop().create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        await dismantle.close(self._pc, [], self._settings.close_timeout_s)
        dismantle.let_go(self)
