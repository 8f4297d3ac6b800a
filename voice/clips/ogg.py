"""Opus packets of a voice link as an Ogg file that browsers play: wrapped, not decoded (RFC 3533, RFC 7845)."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from voice.media.packet import AcceptedPacket

RATE_HZ: Final = 48_000  # of Opus in RTP and in Ogg, whatever was encoded
SERIAL: Final = 1
PRE_SKIP: Final = 312  # 6.5 ms, what libopus needs to settle
MOST_SEGMENTS: Final = 255  # of one page
LONGEST_GAP: Final = 20 * RATE_HZ
MOST_TICKS: Final = 120 * RATE_HZ // 1000  # of one packet (RFC 6716, 3.2.5)
# By the upper five bits of a packet's first byte: the length of its frames, in ticks of 48 kHz (RFC 6716, table 2).
FRAME_TICKS: Final = (
    *(480, 960, 1920, 2880) * 3,  # SILK
    *(480, 960) * 2,  # hybrid
    *(120, 240, 480, 960) * 4,  # CELT
)


def ticks_of(payload: bytes) -> int:
    """How long a packet's sound is, in ticks of 48 kHz; 0 for one that is no Opus packet."""
    if not payload:
        return 0
    frame, code = FRAME_TICKS[payload[0] >> 3], payload[0] & 3
    count = (1, 2, 2, payload[1] & 0x3F if len(payload) > 1 else 0)[code]
    return frame * count if 0 < frame * count <= MOST_TICKS else 0


def wrap(packets: Sequence[AcceptedPacket]) -> tuple[bytes, float]:
    """An Ogg Opus file of one voice's packets, and its length in s; nothing and 0 for none.

    Packets are put in the order of their sending; a pause between them, up to LONGEST_GAP in all, becomes frames
    without sound (RFC 7845, 4.1). A packet that is no Opus is left out: what is in one is the decoder's business.
    """
    sound = list(_with_pauses(packets))
    if not sound:
        return b"", 0.0
    pages = [_page(0, 0, 2, [_head()]), _page(1, 0, 0, [_tags()])]
    granule, part, segments = PRE_SKIP, list[bytes](), 0
    for payload, ticks in sound:
        more = len(payload) // 255 + 1
        if segments + more > MOST_SEGMENTS:
            pages.append(_page(len(pages), granule, 0, part))
            part, segments = [], 0
        part.append(payload)
        segments += more
        granule += ticks
    pages.append(_page(len(pages), granule, 4, part))
    return b"".join(pages), round((granule - PRE_SKIP) / RATE_HZ, 3)


def _with_pauses(packets: Sequence[AcceptedPacket]) -> Iterator[tuple[bytes, int]]:
    """Payloads with their ticks, in order, once each, with empty frames for what is missing."""
    if not packets:
        return
    origin = packets[0]
    ordered = {_ahead(origin.sequence, each.sequence, 16): each for each in packets}
    due: int | None = None
    spare = LONGEST_GAP
    for _, packet in sorted(ordered.items()):
        ticks = ticks_of(packet.payload)
        if not ticks:
            continue
        at = _ahead(origin.timestamp, packet.timestamp, 32)
        if due is not None and at > due:
            silent = bytes([packet.payload[0] & 0xFC])  # the same kind of frame, of no bytes
            frame = ticks_of(silent)
            count = min(at - due, spare) // frame
            spare -= count * frame
            for _ in range(count):
                yield silent, frame
        yield packet.payload, ticks
        due = at + ticks


def _ahead(origin: int, value: int, bits: int) -> int:
    """How far `value` is ahead of `origin` on a counter of so many bits; negative where behind."""
    half = 1 << (bits - 1)
    return (value - origin + half) % (1 << bits) - half


def _head() -> bytes:
    return b"OpusHead" + struct.pack("<BBHIhB", 1, 1, PRE_SKIP, RATE_HZ, 0, 0)


def _tags() -> bytes:
    vendor = b"voicetable"
    return b"OpusTags" + struct.pack("<I", len(vendor)) + vendor + struct.pack("<I", 0)


def _page(number: int, granule: int, flags: int, packets: Sequence[bytes]) -> bytes:
    """One page of whole packets, of MOST_SEGMENTS segments at most."""
    lacing = b"".join(b"\xff" * (len(packet) // 255) + bytes([len(packet) % 255]) for packet in packets)
    head = struct.pack("<4sBBqIII", b"OggS", 0, flags, granule, SERIAL, number, 0)
    page = bytearray(head + bytes([len(lacing)]) + lacing + b"".join(packets))
    page[22:26] = struct.pack("<I", _checksum(page))
    return bytes(page)


def _checksum(page: bytes | bytearray) -> int:
    """The CRC of a page whose own is 0 (RFC 3533, 6): zlib's with every byte, and the result, the other way round."""
    value = zlib.crc32(bytes(page).translate(_REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{value:032b}"[::-1], 2)


_REVERSED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
