"""RTP headers as tests write them."""

from __future__ import annotations

from voice.media.rtp import HEADER


def rtp_header(payload_type: int, marker: bool, sequence: int, timestamp: int, ssrc: int) -> bytes:
    """The 12 bytes before a payload (RFC 3550, 5.1)."""
    return HEADER.pack(0x80, payload_type | 0x80 if marker else payload_type, sequence, timestamp, ssrc)
