"""RTP and RTCP as this server needs them (RFC 3550, RFC 8285): a header read, two reports written.

aiortc's own parser is not used: it builds objects, and some of its errors (of a malformed header extension) would end
the connection.
"""

from __future__ import annotations

import struct
import time

OPUS_HZ = 48_000
FRAME_SAMPLES = 960
"""One 20 ms frame at Opus's RTP clock (RFC 7587, 4.1)."""
FRAME_S = 0.02
"""The same in seconds."""

SILENCE = b"\xf8\xff\xfe"
"""20 ms of Opus silence: TOC byte of 20 ms mono full-band CELT, then a coded silent frame."""
DTX = b"\xf8"
"""The same TOC byte with an empty frame: "nothing to hear" (RFC 6716, 3.1), one byte."""

HEADER = struct.Struct("!BBHLL")
HEADER_BYTES = HEADER.size
_EXTENSION = struct.Struct("!HH")
_ONE_BYTE_PROFILE = 0xBEDE
_NTP_EPOCH_S = 2_208_988_800

Rtp = tuple[int, int, int, int, bytes, bytes]
"""payload type, sequence, timestamp, SSRC, payload, RFC 8285 one-byte header extension (b"" where there is none)."""


def parse_rtp(data: bytes) -> Rtp | None:
    """The fields of one decrypted RTP packet; None if it is not one."""
    if len(data) < HEADER_BYTES:
        return None
    first, second, sequence, timestamp, ssrc = HEADER.unpack_from(data)
    if first >> 6 != 2:
        return None
    start = HEADER_BYTES + 4 * (first & 0x0F)
    end = len(data)
    extension = b""
    if first & 0x10:
        if end < start + 4:
            return None
        profile, words = _EXTENSION.unpack_from(data, start)
        start += 4
        if profile == _ONE_BYTE_PROFILE:
            extension = data[start : start + 4 * words]
        start += 4 * words
    if first & 0x20:
        if not data[-1]:
            return None
        end -= data[-1]
    if start > end:
        return None
    return second & 0x7F, sequence, timestamp, ssrc, data[start:end], extension


def audio_level(extension: bytes, wanted: int) -> int | None:
    """The level of RFC 6464 in -dBov (0 loud, 127 silent) from a one-byte header extension; None if it is not there."""
    at = 0
    while at < len(extension):
        head = extension[at]
        if head == 0:
            at += 1
            continue
        if head >> 4 == 15:
            return None  # whatever its length says, nothing after it is to be read (RFC 8285, 4.2)
        if head >> 4 == wanted and at + 1 < len(extension):
            return extension[at + 1] & 0x7F
        at += 2 + (head & 0x0F)
    return None


def difference(newer: int, older: int, bits: int) -> int:
    """`newer - older` of two counters that wrap at 2**bits, as the nearest signed number."""
    half = 1 << (bits - 1)
    return ((newer - older + half) & ((1 << bits) - 1)) - half


class Reception:
    """What a receiver report says of one incoming stream (RFC 3550, 6.4.1 and appendix A)."""

    __slots__ = (
        "_base",
        "_cycles",
        "_expected_before",
        "_jitter",
        "_received_before",
        "_report",
        "_report_at",
        "_top",
        "_transit",
        "received",
    )

    def __init__(self) -> None:
        self._base: int | None = None
        self._top = 0
        self._cycles = 0
        self._transit: int | None = None
        self._jitter = 0.0
        self.received = 0
        self._expected_before = 0
        self._received_before = 0
        self._report = 0
        self._report_at = 0.0

    def add(self, sequence: int, timestamp: int, now: float) -> None:
        """Count one packet that came at `now` (monotonic seconds)."""
        self.received += 1
        if self._base is None:
            self._base = self._top = sequence
        elif difference(sequence, self._top, 16) > 0:
            if sequence < self._top:
                self._cycles += 1 << 16
            self._top = sequence
        transit = (int(now * OPUS_HZ) - timestamp) & 0xFFFFFFFF
        if self._transit is not None:
            self._jitter += (abs(difference(transit, self._transit, 32)) - self._jitter) / 16
        self._transit = transit

    def sender_report(self, ntp: int, now: float) -> None:
        """The peer's report came, with its 64-bit NTP time: the round trip is measured from it."""
        self._report = (ntp >> 16) & 0xFFFFFFFF
        self._report_at = now

    def block(self, ssrc: int, now: float) -> bytes:
        """A report block of 24 bytes; b"" before the first packet."""
        if self._base is None:
            return b""
        top = self._cycles + self._top
        expected = top - self._base + 1
        interval = expected - self._expected_before
        lost = interval - (self.received - self._received_before)
        self._expected_before, self._received_before = expected, self.received
        fraction = min(255, (lost << 8) // interval) if interval > 0 and lost > 0 else 0
        total = max(-0x800000, min(0x7FFFFF, expected - self.received)) & 0xFFFFFF
        delay = min(0xFFFFFFFF, int((now - self._report_at) * 65536)) if self._report else 0
        jitter = min(0xFFFFFFFF, int(self._jitter))
        return struct.pack("!LLLLLL", ssrc, fraction << 24 | total, top & 0xFFFFFFFF, jitter, self._report, delay)


def ntp_now() -> int:
    """The present as a 64-bit NTP timestamp."""
    return int((time.time() + _NTP_EPOCH_S) * (1 << 32))


def report(ssrc: int, cname: bytes, sent: tuple[int, int, int] | None, block: bytes) -> bytes:
    """A compound RTCP packet: a sender report (or a receiver report where nothing was `sent`) and a CNAME.

    `sent` is the RTP timestamp of now, the packets and the payload bytes sent so far.
    """
    blocks = 1 if block else 0
    if sent is None:
        head = struct.pack("!BBHL", 0x80 | blocks, 201, 1 + 6 * blocks, ssrc)
    else:
        timestamp, packets, octets = sent
        head = struct.pack(
            "!BBHLQLLL",
            0x80 | blocks,
            200,
            6 + 6 * blocks,
            ssrc,
            ntp_now(),
            timestamp & 0xFFFFFFFF,
            packets & 0xFFFFFFFF,
            octets & 0xFFFFFFFF,
        )
    item = struct.pack("!LBB", ssrc, 1, len(cname)) + cname
    item += b"\x00" * (4 - len(item) % 4)
    return head + block + struct.pack("!BBH", 0x81, 202, len(item) // 4) + item


def sender_report_ntp(data: bytes) -> int | None:
    """The NTP time of the sender report that a decrypted compound RTCP packet begins with; None for any other."""
    if len(data) < 28 or data[1] != 200:
        return None
    return int.from_bytes(data[8:16], "big")
