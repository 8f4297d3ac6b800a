"""Our own parsers of what strangers send, each as a function of bytes that raises only on a defect.

A target takes the bytes, calls the parser, swallows the one error that the parser promises, and asserts what is
promised of what it let through.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pylibsrtp
from aioice import Candidate, stun
from aioice.ice import StunProtocol
from aiortc.sdp import SessionDescription
from pylibsrtp import Policy, Session

from tests.media.headers import rtp_header
from voice.cli.mic import BadInputError, parse_link
from voice.media import rtp, sdp, srtp
from voice.media.admission import MAX_REMOTE_CANDIDATES
from voice.media.errors import MediaError
from voice.media.peer import MAX_WAITING, PeerLink
from voice.media.ports import PortRange, announce
from voice.media.settings import MediaSettings
from voice.media.workers import wire as media_wire
from voice.processes.wire import LENGTH, Message, decoder, frame
from voice.speech import wire
from voice.speech.ear import MAX_CONCEALED_S, MAX_SILENCE_S, Ear
from voice.speech.endpointer import EndpointRules
from voice.speech.jitter import Arrived
from voice.speech.opus import OpusError, open_decoder
from voice.web import inbound

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

OFFER = (
    """v=0\r
o=- 4611731400430051336 2 IN IP4 127.0.0.1\r
s=-\r
t=0 0\r
a=group:BUNDLE 0\r
a=extmap-allow-mixed\r
m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126\r
c=IN IP4 0.0.0.0\r
a=rtcp:9 IN IP4 0.0.0.0\r
a=candidate:1 1 udp 2113937151 192.168.1.7 51472 typ host generation 0 network-cost 999\r
a=candidate:2 1 udp 2113939711 2001:db8::7 51473 typ host generation 0\r
a=candidate:3 1 tcp 1518280447 192.168.1.7 9 typ host tcptype active generation 0\r
a=candidate:4 1 udp 2113937151 0a1b2c3d-0000-4000-8000-0123456789ab.local 51474 typ host\r
a=candidate:5 1 udp 1677729535 203.0.113.9 40001 typ srflx raddr 192.168.1.7 rport 51472\r
a=ice-ufrag:mf4C\r
a=ice-pwd:Ph4jnsMVrhSdCdVvdLGLmTXH\r
a=ice-options:trickle\r
a=fingerprint:sha-256 """
    + ":".join(["AB"] * 32)
    + """\r
a=setup:actpass\r
a=mid:0\r
a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level\r
a=sendrecv\r
a=rtcp-mux\r
a=rtpmap:111 opus/48000/2\r
a=fmtp:111 minptime=10;useinbandfec=1\r
a=ssrc:1234567890 cname:Lq3kzJH2dYvS3aXx\r
"""
)

_CLEAR = rtp_header(111, True, 7, 960, 1234) + b"\x48" + bytes(40)
_EXTENDED = struct.pack("!BBHLLHHL", 0x90, 111, 7, 960, 1234, 0xBEDE, 1, 0x10850000) + b"\x48" + bytes(40)
_REPORT = rtp.report(1234, b"cname", (960, 10, 400), b"")
_KEY = bytes(range(30))
LONGEST_UTTERANCE_S = EndpointRules().max_utterance_s


@dataclass(frozen=True, slots=True)
class Target:
    """A parser under test and where its inputs begin."""

    run: Callable[[bytes], None]
    seeds: tuple[bytes, ...]


def _sdp(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        section = sdp.parse(text)
    except MediaError as error:
        if error.code not in ("bad_sdp", "no_audio", "no_opus") or len(error.message) > 500:
            raise AssertionError("an error that is not promised") from error
        return
    canonical = section.canonical()
    again = sdp.parse(canonical)
    for name in (
        "payload_type",
        "direction",
        "ufrag",
        "password",
        "fingerprints",
        "setup",
        "candidates",
        "audio_level",
    ):
        assert getattr(again, name) == getattr(section, name), name
    assert len(section.candidates) <= sdp.MAX_CANDIDATES
    # What aiortc is given is ours, and it takes it.
    assert len(SessionDescription.parse(canonical).media) == 1
    assert ".local" not in canonical
    assert len(section.further) < sdp.MAX_SECTIONS
    finished = sdp.finish_answer(canonical, section, [7, 8])
    assert finished.count("\nm=") == 1 + len(section.further)
    assert finished.count("a=sendonly\r\na=mid:") <= 2 + (section.direction == "sendonly")
    assert len(SessionDescription.parse(finished).media) == 1 + len(section.further)
    assert len(SessionDescription.parse(sdp.first_section(finished)).media) == 1
    announce(finished, ("198.51.100.7", "2001:db8::1"))


def _rtp(data: bytes) -> None:
    packet = rtp.parse_rtp(data)
    if packet is None:
        return
    payload_type, sequence, timestamp, ssrc, payload, extension = packet
    assert 0 <= payload_type < 128
    assert 0 <= sequence < 1 << 16
    assert 0 <= timestamp < 1 << 32
    assert 0 <= ssrc < 1 << 32
    assert payload in data
    assert extension in data
    for wanted in range(1, 15):
        level = rtp.audio_level(extension, wanted)
        assert level is None or 0 <= level <= 127


def _audio_level(data: bytes) -> None:
    for wanted in range(1, 15):
        level = rtp.audio_level(data, wanted)
        assert level is None or 0 <= level <= 127


def _rtcp(data: bytes) -> None:
    ntp = rtp.sender_report_ntp(data)
    if ntp is not None:
        assert 0 <= ntp < 1 << 64
        reception = rtp.Reception()
        reception.add(1, 960, 5.0)
        reception.sender_report(ntp, 5.0)
        assert len(reception.block(1, 6.0)) == 24


def _reception(data: bytes) -> None:
    """Any course of sequence numbers and times makes a report that fits its fields."""
    reception, now = rtp.Reception(), 100.0
    for at in range(0, len(data) - 6, 7):
        sequence, timestamp, gap = struct.unpack_from("!HLB", data, at)
        now += gap / 100
        reception.add(sequence, timestamp, now)
        assert len(reception.block(1234, now)) == 24


def _srtp(data: bytes) -> None:
    """What comes from a known address, before anybody knows whether it was encrypted for us."""
    if len(data) > 1500:
        return  # refused at the socket
    session = Session(Policy(key=_KEY, ssrc_type=Policy.SSRC_ANY_INBOUND))
    unprotect = srtp.unprotector(session, srtp.scratch())
    for _ in range(2):
        try:
            clear = unprotect(data)
        except pylibsrtp.Error:
            continue
        assert len(clear) <= len(data)
        rtp.parse_rtp(clear)


def _inbound(data: bytes) -> None:
    text = data.decode("utf-8", "surrogatepass" if b"\xed" in data else "replace") if _decodes(data) else repr(data)
    try:
        message = inbound.decode(text)
    except inbound.MalformedError as error:
        str(error)
        return
    assert isinstance(message, msgspec.Struct)


def _decodes(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass" if b"\xed" in data else "replace")
    except UnicodeDecodeError:
        return False
    return True


def _wire(data: bytes) -> None:
    speech = (wire.ToTap, wire.FromTap, wire.ToRecogniser, wire.FromRecogniser)
    for kinds in (*speech, media_wire.ToWorker, media_wire.FromWorker):
        try:
            message = decoder(kinds).decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
        assert isinstance(message, Message)


def _opus(data: bytes) -> None:
    """A stream of packets, length first: what a player's client may encrypt for us."""
    decoder = open_decoder()
    at = 0
    while at < len(data):
        size = data[at]
        payload, at = data[at + 1 : at + 1 + size], at + 1 + size
        try:
            samples = decoder.decode(payload)
            assert len(samples) <= 16_000 * 0.12
            decoder.recover(payload, 320)
        except OpusError:
            pass
        decoder.conceal(320)


def _ear(data: bytes) -> None:
    """A whole stream of one open microphone, in any order, at any pace: its numbers and times are the player's own."""
    ear = Ear(EndpointRules())
    ear._voice = lambda frame: float(np.abs(frame).max(initial=0.0) > 0.01)  # type: ignore[assignment]  # no model
    at, now = 0, 100.0
    while at + 8 <= len(data):
        sequence, timestamp, gap, size = struct.unpack_from("!HLBB", data, at)
        payload, at = data[at + 8 : at + 8 + size], at + 8 + size
        now += gap / 100
        heard = ear.push(Arrived(sequence, timestamp, payload, now))
        heard += ear.poll(now + gap / 200)
        for each in heard:
            assert len(each.cut.audio) <= 16_000 * (LONGEST_UTTERANCE_S + 1.0)
            assert np.isfinite(each.cut.audio).all()
            assert each.start_s <= each.end_s <= now + 1.0
    ear.close()
    counts = ear.counts
    # A packet is 120 ms at most; what stands in for what is missing before it is bounded too.
    longest = 16_000 * (0.12 + MAX_CONCEALED_S + 2 * MAX_SILENCE_S + 0.04)
    assert counts.samples_at_endpointer <= (counts.packets + 2) * longest


class _Transport:
    """Where answers go: nowhere."""

    def get_extra_info(self, _name: str) -> None:
        return None

    def sendto(self, _data: bytes, _address: object = None) -> None:
        pass


KNOWN, STRANGER = ("127.0.0.1", 40_000), ("127.0.0.1", 40_001)


def _socket(data: bytes) -> None:
    """What comes to a player's port, from the player's address and from a stranger's, before and after the keys."""
    asyncio.run(_at_the_socket(data))


async def _at_the_socket(data: bytes) -> None:
    heard: list[bytes] = []
    link = PeerLink(MediaSettings(addresses=()), lambda s, t, payload, x, now: heard.append(payload), lambda: None)
    ice: Any = link._ice
    protocol: Any = StunProtocol(ice)
    protocol.transport = _Transport()
    protocol.local_candidate = Candidate.from_sdp("1 1 udp 2130706431 127.0.0.1 50000 typ host")
    ice._local_username, ice._remote_username, ice._remote_password = "abcd", "them", "a" * 22
    link._admission._name = b"abcd:"
    ice._protocols = [protocol]
    link._tap(protocol)
    link._addresses.add(KNOWN)
    link._payload_type, link._ssrc_in = 111, 1234
    dtls: Any = link._dtls
    try:
        for keys in (None, Session(Policy(key=_KEY, ssrc_type=Policy.SSRC_ANY_INBOUND))):
            dtls._rx_srtp = keys
            for address in (STRANGER, KNOWN, STRANGER):
                protocol.datagram_received(data, address)
        await asyncio.sleep(0)
        assert len(heard) <= 1, "each packet is decrypted once"
        assert len(ice._remote_candidates) <= MAX_REMOTE_CANDIDATES
        assert ice._queue.qsize() <= MAX_WAITING
        assert ice._nominated == {}, "nobody becomes the peer without its password"
    finally:
        ice._protocols = []  # which are none
        await link.close()


def _stun(**more: bytes | str | int) -> bytes:
    message = stun.Message(message_method=stun.Method.BINDING, message_class=stun.Class.REQUEST)
    message.attributes["USERNAME"] = "abcd:them"
    message.attributes["PRIORITY"] = 7
    message.attributes["USE-CANDIDATE"] = None
    message.attributes.update(more)
    message.add_message_integrity(b"a" * 22)
    return bytes(message)


def _link(data: bytes) -> None:
    try:
        server, invite = parse_link(data.decode("utf-8", "replace"))
    except BadInputError:
        return
    assert server.startswith(("http://", "https://"))
    assert invite


def _ports(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        ports = PortRange.of(text)
    except ValueError:
        return
    assert PortRange.of(str(ports)) == ports


def _sealed(packet: bytes) -> bytes:
    return bytes(Session(Policy(key=_KEY, ssrc_type=Policy.SSRC_ANY_OUTBOUND)).protect(packet))


TARGETS: dict[str, Target] = {
    "sdp": Target(
        _sdp,
        (
            OFFER.encode(),
            sdp.offer_further(OFFER, 3).encode(),
            OFFER.replace("\r\n", "\n").encode(),
            b"v=0\r\nm=audio 9 RTP/SAVPF 111\r\n",
        ),
    ),
    "rtp": Target(_rtp, (_CLEAR, _EXTENDED, _CLEAR[:12], b"\xb1" + _EXTENDED[1:] + b"\x04")),
    "audio_level": Target(_audio_level, (b"\x10\x85\x00\x00", b"\x22\x01\x02\x03\x11\x7f\x7f", b"\x1f")),
    "rtcp": Target(_rtcp, (_REPORT, rtp.report(1, b"", None, b""), _REPORT + _REPORT)),
    "reception": Target(_reception, (bytes(range(70)), b"\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\xff")),
    "srtp": Target(_srtp, (_sealed(_CLEAR), _sealed(_EXTENDED), _CLEAR, bytes(1500))),
    "inbound": Target(
        _inbound,
        (
            b'{"type":"hello","token":"abc","after":3,"table":"t"}',
            b'{"type":"command","id":1,"phase":2,"command":{"do":"vote","target":3}}',
            b'{"type":"offer","id":1,"sdp":"v=0"}',
            b'{"type":"pong","at":1e308}',
        ),
    ),
    "wire": Target(
        _wire,
        tuple(
            frame(message)[LENGTH.size :]
            for message in (
                wire.Packet(1, 2, 3, 4, 5, b"\x48abc", 6.5),
                wire.Mic(1, [1, 2], 3),
                wire.Utterance(1, 2, "final", 3, 4, 5, b"\x00\x01", 0.5, 1.5, 1.0),
                wire.Result(1, "text", [("text", 0.0, 1.0, 0.5)], 0.1, -0.2, 0.3, [("test", 0.4)]),
                media_wire.Move(1, [2, 3], 4),
                media_wire.Connect(1, 2, "moderator", "v=0"),
                media_wire.Accepted(1, 2, [(3, 4, 5, b"\x48abc", 6.5)]),
                media_wire.Counts(1, {"dropped": {"closed": 1}}),
            )
        ),
    ),
    "opus": Target(_opus, (b"\x03\xf8\xff\xfe\x01\xf8", b"\x08\x48abcdefg", b"\x05\x4b\x41\x01a\x00")),
    "ear": Target(
        _ear,
        (
            b"".join(struct.pack("!HLBB", n, 960 * n, 2, 3) + b"\xf8\xff\xfe" for n in range(12)),
            b"".join(struct.pack("!HLBB", 65_530 + n & 0xFFFF, 960 * n, 2, 1) + b"\xf8" for n in (0, 1, 3, 2, 5, 5, 9)),
            struct.pack("!HLBB", 1, 960, 255, 2) + b"\x4b\x41" + struct.pack("!HLBB", 5000, 1 << 31, 0, 0),
        ),
    ),
    "socket": Target(
        _socket,
        (
            _stun(),
            _stun()[:60],
            bytes(stun.Message(message_method=stun.Method.BINDING, message_class=stun.Class.RESPONSE)),
            _sealed(_CLEAR),
            _sealed(_EXTENDED),
            b"\x16\xfe\xff" + bytes(40),
        ),
    ),
    "link": Target(_link, (b"https://x.example:8443/#/join/abc.def", b"http://[::1]:8000/sub/#/join/a", b"https://[")),
    "ports": Target(_ports, (b"40000-40100", b"5000", b"-", b"1024 - 65535")),
}

_NASTY: Sequence[bytes] = (
    *(b"\x00", b"\xff", b"\xff\xff\xff\xff", b"\r\n", b"\n", b":", b" ", b"-1", b"99999999999999999999", b"%s"),
    *(b"\xe2\x80\xa8", b"\x85", b"\x0b", b"\xed\xa0\x80", b"\xd9\xa3", b"1e999", b"[" * 200, b"{" * 50),
    *(b"a=candidate:", b"a=mid:", b"m=audio "),
)


def mutated(seeds: Sequence[bytes], chance: random.Random) -> bytes:
    """One of the seeds, changed in a few places."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(7):
            case 0 if data:
                data[at % len(data)] ^= 1 << chance.randrange(8)
            case 1 if data:
                data[at % len(data)] = chance.randrange(256)
            case 2:
                data[at:at] = chance.choice(_NASTY)
            case 3:
                del data[at : at + chance.randrange(1, 20)]
            case 4:
                other = chance.choice(seeds)
                begin = chance.randrange(len(other) + 1)
                data[at:at] = other[begin : begin + chance.randrange(60)]
            case 5:
                data[at:at] = chance.randbytes(chance.randrange(1, 12))
            case _:
                data[at:] = data[at:] * chance.choice((0, 2, 3))
        del data[70_000:]
    return bytes(data)
