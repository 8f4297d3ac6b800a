"""Headers and reports, against aiortc's own parser."""

from __future__ import annotations

import struct

from aiortc.rtp import RtcpPacket, RtcpRrPacket, RtcpSdesPacket, RtcpSrPacket, RtpPacket
from hypothesis import given
from hypothesis import strategies as st

from tests.media.headers import rtp_header
from voice.media.rtp import Reception, audio_level, parse_rtp, report, sender_report_ntp


@given(
    st.integers(96, 127), st.integers(0, 1), st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF), st.binary(max_size=90)
)
def test_headers_are_read_and_written_as_aiortc_does(pt: int, marker: int, seq: int, ts: int, payload: bytes) -> None:
    data = rtp_header(pt, bool(marker), seq, ts, 77) + payload
    theirs = RtpPacket.parse(data)
    assert (theirs.payload_type, theirs.marker, theirs.sequence_number, theirs.timestamp) == (pt, marker, seq, ts)
    assert (theirs.ssrc, theirs.payload) == (77, payload)
    assert parse_rtp(data) == (pt, seq, ts, 77, payload, b"")


@given(st.binary(max_size=80))
def test_any_bytes_are_read_as_aiortc_reads_them_or_not_at_all(data: bytes) -> None:
    try:
        theirs = RtpPacket.parse(data)
    except ValueError:
        return
    ours = parse_rtp(data)
    assert ours is not None
    assert ours[1:5] == (theirs.sequence_number, theirs.timestamp, theirs.ssrc, theirs.payload)


@given(st.binary(max_size=60), st.sampled_from([b"\x80", b"\x90", b"\xa0", b"\xb0", b"\x9f"]))
def test_any_bytes_after_a_likely_first_one_raise_nothing(data: bytes, first: bytes) -> None:
    parse_rtp(first + data)


def test_the_audio_level_is_found() -> None:
    packet = struct.pack("!BBHLL", 0x90, 111, 1, 2, 3) + b"\xbe\xde\x00\x02" + b"\x22abc\x10\x9e\x00\x00" + b"opus"
    parsed = parse_rtp(packet)
    assert parsed is not None
    assert parsed[4] == b"opus"
    assert audio_level(parsed[5], 1) == 30
    assert audio_level(parsed[5], 3) is None
    assert audio_level(b"\x2f", 1) is None
    assert audio_level(b"\x20\x00\x10\x85", 1) == 5
    assert audio_level(b"\xf0\x00\x10\x85", 1) is None


def test_a_report_is_what_aiortc_reads() -> None:
    reception = Reception()
    for n in (0, 1, 3, 4, 5):
        reception.add((65533 + n) & 0xFFFF, 960 * n, 1.0 + 0.02 * n)
    reception.sender_report(0x0000_1234_5678_0000, 2.0)
    packets = RtcpPacket.parse(report(7, b"me", (99, 5, 400), reception.block(9, 2.5)))
    sender, source = packets
    assert isinstance(sender, RtcpSrPacket)
    assert isinstance(source, RtcpSdesPacket)
    assert (sender.ssrc, sender.sender_info.packet_count, sender.sender_info.octet_count) == (7, 5, 400)
    (block,) = sender.reports
    assert (block.ssrc, block.packets_lost, block.highest_sequence) == (9, 1, 0x10000 + 2)
    assert block.fraction_lost == 256 // 6
    assert (block.lsr, block.dlsr) == (0x12345678, 0x8000)
    assert source.chunks[0].items == [(1, b"me")]
    # The next report is of the time since this one: nothing was lost, and in all still one.
    for n in (6, 7, 8):
        reception.add((65533 + n) & 0xFFFF, 960 * n, 1.0 + 0.02 * n)
    receiver = RtcpPacket.parse(report(7, b"", None, reception.block(9, 3.0)))[0]
    assert isinstance(receiver, RtcpRrPacket)
    (later,) = receiver.reports
    assert (later.fraction_lost, later.packets_lost) == (0, 1)


def test_a_listener_reports_too_and_the_sender_report_is_read_back() -> None:
    (receiver, _) = RtcpPacket.parse(report(7, b"abcd", None, b""))
    assert isinstance(receiver, RtcpRrPacket)
    assert receiver.reports == []
    assert sender_report_ntp(report(7, b"a", None, b"")) is None
    ntp = sender_report_ntp(report(7, b"a", (1, 2, 3), b""))
    assert ntp is not None
    assert ntp >> 32 > 3_900_000_000
