"""The adapter to aiortc. The server uses private parts of aiortc in this module and, three of them, in `fallback.py`;
of aioice here and in `admission.py`, `gather.py` and `moves.py`; of pylibsrtp in `srtp.py`; of all of them in
`dismantle.py`, which closes a connection.

aiortc does ICE, DTLS and SRTP. Its receivers and senders are never started, so there is no jitter buffer, decoder,
decoder thread, encoder, nor a sender that polls: packets are read at the socket, decrypted and handed on in the same
call, and sent by `protect` and `sendto`, without a queue and without an await in between.

What it relies on holds for the two versions in `PINS`; `selftest.py` checks that at the start.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import socket
import struct
import time
from typing import TYPE_CHECKING, Any

import pylibsrtp
import structlog
from aiortc import (
    RTCPeerConnection,
    RTCRtpSender,
    RTCRtpTransceiver,
    RTCSessionDescription,
)
from aiortc.exceptions import InternalError, InvalidAccessError, InvalidStateError, OperationError

from voice.bucket import Bucket

from . import dismantle, sdp, srtp
from .admission import MAX_REMOTE_CANDIDATES, Admission
from .early import Early
from .errors import MediaError
from .gather import configuration, gather_within, over_relay
from .moves import Moves
from .ports import announce
from .rtp import HEADER, HEADER_BYTES, Reception, parse_rtp, report, sender_report_ntp
from .srtp import MAX_DATAGRAM
from .stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from .link import OnRtp, OnState
    from .settings import MediaSettings

PINS = {"aiortc": "1.16.0", "aioice": "0.13.0"}
"""The versions whose private parts are known."""

MAX_PAYLOAD = 1275
"""The longest Opus frame (RFC 6716, 3.4)."""
MAX_WAITING = 64
"""Datagrams of the DTLS handshake that may wait; aioice's queue has no bound."""
REPORT_S = 5.0
"""Between reports, on the average (RFC 3550, 6.2)."""
REPORT_SPEAKING_S = 2.0
"""The same while packets come from the peer: its encoder adds redundancy by the loss that we report."""
MAX_DRAINED = 1024
"""Datagrams that one call of `drain` reads: more than a full socket holds (630 short ones); a flood has an end."""

log = structlog.get_logger(__name__)

# What aiortc and aioice raise on input they do not expect, besides ValueError.
_STUN_ERRORS = (ValueError, struct.error, IndexError, KeyError, AssertionError, OverflowError, UnicodeError)
_SDP_ERRORS = (
    ValueError,
    AssertionError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    StopIteration,
    InternalError,
    InvalidAccessError,
    InvalidStateError,
    OperationError,
    ConnectionError,
    OSError,
)


class PeerLink:
    """One peer connection (see `link.Link`); as offerer also the clients' side."""

    def __init__(self, settings: MediaSettings, on_rtp: OnRtp, on_state: OnState) -> None:
        now = time.monotonic()
        self.connected = False
        self.down = False
        self.heard_at = now
        self.audio_level: int | None = None
        self.slots = 1
        self.on_further: Callable[[int, int, int, bytes, float], None] | None = None
        """For a client's end: is given what comes in a further stream (slot, sequence, timestamp, payload, arrival)."""
        self.dropped: dict[str, int] = {}
        self._settings = settings
        self._on_rtp = on_rtp
        self._on_state = on_state
        self._pc = RTCPeerConnection(configuration(settings))
        self._pc.on("connectionstatechange", self._state_changed)
        self._transceiver = self._prepare()
        self._dtls = self._transceiver.receiver.transport
        self._ice = self._dtls.transport._connection
        self._ice.data_received = self._handshake_datagram  # type: ignore[method-assign]  # bounds the queue
        self._ice.get_component_candidates = gather_within(  # type: ignore[method-assign]  # our ports and addresses
            self._ice, settings, self._ice.get_component_candidates
        )
        self._ice.query_consent = self._consent(self._ice.query_consent)  # type: ignore[method-assign]  # see there
        dismantle.loosen(self._dtls)
        self._packets = Bucket(settings.packets_per_s, settings.packets_burst, now)
        self._bytes = Bucket(settings.bytes_per_s, settings.bytes_burst, now)
        self._admission = Admission(self._ice, now)
        self._moves = Moves(self._ice, MAX_REMOTE_CANDIDATES, now)
        self._reception = Reception()
        self._early = Early()
        self._addresses = self._admission.addresses
        self._speaks = True
        self._payload_type = 0
        self._ssrc_in: int | None = None
        self._further_in: dict[int, int] = {}
        """By SSRC: the slot of a further stream that a client's end receives."""
        self._cname = b""
        self._streams = [Stream(0)]
        self._report_due = now + REPORT_SPEAKING_S * random.random()
        self._reported = 0
        self._scratch = srtp.scratch()
        self._protect: Callable[[int], memoryview] | None = None
        self._unprotect: Callable[[bytes], bytes] | None = None
        self._sockets: dict[Any, socket.socket] = {}
        """By aioice's protocol: its socket as a second one of ours, on which nothing waits and nothing is queued."""
        self._tapped: list[Any] = []
        self._pair: Any = None
        self._address = ("", 0)
        self._sendto: Callable[[memoryview, tuple[str, int]], int] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._probe: asyncio.Task[None] | None = None
        self._timeout = asyncio.get_running_loop().call_later(settings.connect_timeout_s, self._too_late)

    # --- offer and answer

    def _prepare(self) -> RTCRtpTransceiver:
        transceiver = self._pc.addTransceiver("audio", direction="sendrecv")
        opus = [c for c in RTCRtpSender.getCapabilities("audio").codecs if c.mimeType.lower() == "audio/opus"]
        transceiver.setCodecPreferences(opus)
        transceiver.receiver.receive = dismantle.not_started  # type: ignore[method-assign]  # see the module's docstring
        transceiver.sender.send = dismantle.not_started  # type: ignore[method-assign]  # the same
        return transceiver

    def _consent(self, query: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], Coroutine[Any, Any, None]]:
        async def query_consent() -> None:
            # A connection closed in the moment ICE completes would ask for consent for ever, of nobody.
            if not self._ice._closing:
                await query()

        return query_consent

    async def answer(self, offer: sdp.Section, speak: bool) -> str:
        """The answer to an offer. Raises MediaError `bad_sdp` if aiortc can't take it after all."""
        try:
            self._transceiver.direction = "sendrecv" if speak else "sendonly"
            await self._pc.setRemoteDescription(RTCSessionDescription(offer.canonical(), "offer"))
            await self._pc.setLocalDescription(await self._pc.createAnswer())
            self._listen()
        except _SDP_ERRORS as error:
            if isinstance(error, OSError) and not isinstance(error, ConnectionError):
                log.error("media.peer.no_socket", error=error.strerror)
                raise MediaError(
                    "media_failed", "the server has no socket for another voice: offer again in a moment"
                ) from error
            raise MediaError("bad_sdp", f"the offer can't be answered: {type(error).__name__} {error}") from error
        text = self._pc.localDescription.sdp
        self._speaks = speak
        self._negotiated(sdp.parse(text), offer)
        wanted = sum(further.receives for further in offer.further)
        taken = {self._streams[0].ssrc, self._ssrc_in}
        while len(self._streams) <= wanted and len(self._streams) < self._settings.slots:
            ssrc = random.randrange(1, 1 << 32)
            if ssrc not in taken:
                taken.add(ssrc)
                self._streams.append(Stream(ssrc))
        self.slots = len(self._streams)
        answer = sdp.finish_answer(text, offer, [stream.ssrc for stream in self._streams[1:]])
        return announce(answer, self._settings.public_addresses)

    async def offer(self, speak: bool, slots: int = 1) -> str:
        """An offer: sendrecv, or recvonly for one who only listens; `slots`: how many streams it takes."""
        self._transceiver.direction = "sendrecv" if speak else "recvonly"
        await self._pc.setLocalDescription(await self._pc.createOffer())
        self._listen()
        return sdp.offer_further(self._pc.localDescription.sdp, slots - 1)

    async def accept(self, answer: str) -> None:
        """Take the answer to our offer. Raises MediaError `bad_sdp`."""
        theirs = sdp.parse(answer)
        try:
            await self._pc.setRemoteDescription(RTCSessionDescription(sdp.first_section(answer), "answer"))
        except _SDP_ERRORS as error:
            raise MediaError("bad_sdp", f"the answer can't be used: {type(error).__name__} {error}") from error
        self._negotiated(sdp.parse(self._pc.localDescription.sdp), theirs)
        self._further_in = {each.ssrc: slot for slot, each in enumerate(theirs.further, 1) if each.ssrc is not None}
        self.slots = 1 + len(self._further_in)

    def _negotiated(self, ours: sdp.Section, theirs: sdp.Section) -> None:
        self._payload_type = theirs.payload_type
        self._ssrc_in = theirs.ssrc
        self._streams[0].ssrc = ours.ssrc or 0
        self._cname = ours.cname.encode()
        self.audio_level = theirs.audio_level

    # --- in

    def _listen(self) -> None:
        """Read at the sockets ourselves; STUN goes on to aioice, DTLS to aiortc."""
        for protocol in self._ice._protocols:
            self._tap(protocol)

    def _tap(self, protocol: Any) -> None:  # Any: aioice's StunProtocol, two methods of which are replaced
        pass_on = protocol.datagram_received
        self._tapped.append(protocol)
        inner = protocol.transport.get_extra_info("socket")
        if inner is not None:  # a relay's transport has none
            self._sockets[protocol] = own = socket.socket(fileno=os.dup(inner.fileno()))
            own.setblocking(False)

        def datagram_received(data: bytes, addr: tuple[Any, ...]) -> None:
            now = time.monotonic()
            first = data[0] if data else 255
            address = (addr[0], addr[1])
            if len(data) > MAX_DATAGRAM:
                self._drop("oversized")
            elif 128 <= first <= 191:
                self._srtp(data, address, now, protocol)
            else:
                if known := self._admission.knows(address):
                    self.heard_at = now
                if (reason := self._admission.refuses(data, known, now)) is not None:
                    return self._drop(reason)
                try:
                    pass_on(data, addr)
                except _STUN_ERRORS:
                    self._drop("stun")
            return None

        protocol.datagram_received = datagram_received

    def _handshake_datagram(self, data: bytes, component: int) -> None:
        if self._ice._queue.qsize() < MAX_WAITING:
            self._ice._queue.put_nowait((data, component))
        else:
            self._drop("waiting")

    def _srtp(self, data: bytes, address: tuple[str, int], now: float, protocol: Any) -> None:
        if len(data) < HEADER_BYTES:
            return self._drop("srtp")
        known = address in self._addresses or self._admission.knows(address)
        if not known and (reason := self._moves.refuses(data, self._ssrc_in, now)) is not None:
            return self._drop(reason)
        if known:
            self.heard_at = now
            if not self._packets.take(now) or not self._bytes.take(now, len(data)):
                return self._drop("flood")
        # By the header, in the clear: libsrtp keeps every SSRC it has decrypted, and searches all of them each time.
        reports = 192 <= data[1] <= 223
        ssrc = int.from_bytes(data[4:8] if reports else data[8:12], "big")
        if reports and ssrc != self._ssrc_in:
            return None  # of a stream that we report nothing of
        if not reports and data[1] & 0x7F != self._payload_type:
            return self._drop("payload_type")
        if self._ssrc_in is not None and ssrc != self._ssrc_in and ssrc not in self._further_in:
            return self._drop("ssrc")
        unprotect = self._unprotect
        if unprotect is None:
            session: Any = self._dtls._rx_srtp  # None until the handshake is done
            if session is None:
                if known:
                    self._early.note(data)
                return self._drop("early")
            unprotect = self._unprotect = srtp.unprotector(session, self._scratch)
        try:
            plain = self._dtls._rx_srtp.unprotect_rtcp(data) if reports else unprotect(data)
            if not known:
                # Authentic, and from an address that is not: the peer's NAT has moved.
                self.heard_at = now
                self._moves.follow(protocol, address)
                if not self._packets.take(now) or not self._bytes.take(now, len(data)):
                    return self._drop("flood")
            if reports:
                return self._rtcp(plain, now)
            if self._ssrc_in is None:
                self._ssrc_in = ssrc
            packet = parse_rtp(plain)
        except (pylibsrtp.Error, ValueError, IndexError):
            # Not encrypted for us, or sent twice: libsrtp's replay window holds 1024 packets.
            return self._drop("srtp" if known else "address")
        if packet is None:
            return self._drop("malformed")
        _, sequence, timestamp, _, payload, extension = packet
        if ssrc != self._ssrc_in:
            further = self.on_further
            return None if further is None else further(self._further_in[ssrc], sequence, timestamp, payload, now)
        if self._early.newest is not None and self._early.refuses(ssrc, sequence):
            return self._drop("early")
        self._reception.add(sequence, timestamp, now)
        if not payload or len(payload) > MAX_PAYLOAD:
            return self._drop("payload")
        if not self._speaks:
            return self._drop("listener")
        return self._on_rtp(sequence, timestamp, payload, extension, now)

    def _rtcp(self, data: bytes, now: float) -> None:
        ntp = sender_report_ntp(data)
        if ntp is not None:
            self._reception.sender_report(ntp, now)

    def _drop(self, reason: str) -> None:
        self.dropped[reason] = self.dropped.get(reason, 0) + 1

    # --- out

    def send(self, sequence: int, timestamp: int, marker: bool, payload: bytes, now: float, slot: int = 0) -> bool:
        """Encrypt and send one Opus packet at once. The nominated pair is read anew: it changes when a NAT rebinds."""
        pair = self._ice._nominated.get(1)
        if pair is not self._pair:
            self._use(pair)
        protect, sendto = self._protect, self._sendto
        if protect is None or sendto is None:
            return False
        stream = self._streams[slot]
        size = HEADER_BYTES + len(payload)
        view = self._scratch.view
        payload_type = self._payload_type
        try:
            HEADER.pack_into(
                view, 0, 0x80, payload_type | 0x80 if marker else payload_type, sequence, timestamp, stream.ssrc
            )
            view[HEADER_BYTES:size] = payload
            sendto(protect(size), self._address)
        except BlockingIOError:
            self._drop("write_buffer")
            return False
        except OSError:
            self._drop("send")
            return False
        except (pylibsrtp.Error, ValueError):
            self._drop("protect")
            return False
        stream.packets += 1
        stream.octets += size - HEADER_BYTES
        stream.timestamp = timestamp
        stream.at = now
        return True

    def _use(self, pair: Any) -> None:
        """Send over this candidate pair from now on."""
        self._pair = pair
        own = None if pair is None else self._sockets.get(pair.protocol)
        self._sendto = None if pair is None else over_relay(pair.protocol.transport) if own is None else own.sendto
        if pair is not None:
            self._address = pair.remote_addr

    def drain(self) -> None:
        """Take what has come already, now: what is to be judged by the gate as it stands."""
        for protocol, own in self._sockets.items():
            for _ in range(MAX_DRAINED):
                try:
                    data, address = own.recvfrom(MAX_DATAGRAM + 1)
                except OSError:
                    break
                protocol.datagram_received(data, address)

    def tick(self, now: float) -> None:
        """Reports now and then, and a STUN request to a peer that has gone silent."""
        if not self.connected:
            return
        if now >= self._report_due:
            speaks = self._reception.received != self._reported
            self._reported = self._reception.received
            self._report_due = now + (REPORT_SPEAKING_S if speaks else REPORT_S) * (0.5 + random.random())
            self._send_report(now)
        if now - self.heard_at > self._settings.probe_after_s and (self._probe is None or self._probe.done()):
            self._probe = asyncio.get_running_loop().create_task(self._ask())

    def _send_report(self, now: float) -> None:
        pair = self._ice._nominated.get(1)
        session = self._dtls._tx_srtp
        if pair is None or session is None:
            return
        block = self._reception.block(self._ssrc_in, now) if self._ssrc_in is not None else b""
        for stream in self._streams:
            if stream.packets or stream is self._streams[0]:
                made = report(stream.ssrc, self._cname, stream.sent(now), block)
                pair.protocol.transport.sendto(session.protect_rtcp(made), pair.remote_addr)
                block = b""

    async def _ask(self) -> None:
        """One consent check (RFC 7675) out of turn; whatever comes back moves `heard_at`."""
        pair = self._ice._nominated.get(1)
        if pair is None or self._ice.remote_password is None:
            return
        request = self._ice.build_request(pair, nominate=False)
        key = self._ice.remote_password.encode()
        # aioice's TransactionError is not public, and a failed question is an answer too: `heard_at` stays.
        with contextlib.suppress(Exception):
            await pair.protocol.request(request, pair.remote_addr, integrity_key=key, retransmissions=0)

    @property
    def peer_address(self) -> str:
        """Where the peer is, as `host:port`; empty before a path is chosen."""
        pair = self._ice._nominated.get(1)
        return "" if pair is None else ":".join(map(str, pair.remote_addr))

    # --- states

    def _state_changed(self) -> None:
        state = self._pc.connectionState
        if state == "connected" and not self.connected and not self.down:
            self.connected = True
            self.heard_at = time.monotonic()
            self._protect = srtp.protector(self._dtls._tx_srtp, self._scratch)
            self._timeout.cancel()
            self._on_state()
        elif state in ("failed", "closed") and not self.down:
            self._gone()

    def _too_late(self) -> None:
        self._drop("connect_timeout")
        self._gone()

    def _gone(self) -> None:
        self._shut()
        self._on_state()

    def _shut(self) -> None:
        """Down for good: nothing more goes out."""
        self.connected = False
        self.down = True
        self._protect = None
        self._timeout.cancel()

    async def close(self) -> None:
        """Close; what has not closed by itself in time is torn down."""
        if self._closing is None:
            self._shut()
            self._closing = asyncio.get_running_loop().create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        if self._probe is not None:
            self._probe.cancel()
            self._probe = None
        self._moves.close()
        self._sendto = None
        for own in self._sockets.values():
            own.close()
        self._sockets.clear()
        await dismantle.close(self._pc, self._tapped, self._settings.close_timeout_s)
        dismantle.let_go(self)
        self.on_further = None
