"""Speech that says whose it is: each packet by a number in its padding, each sample by its seat's own tone."""

from __future__ import annotations

import numpy as np

from tests.media.conftest import opus_tone
from voice.media.client import OpusDecoder

SEATS = tuple(range(1, 11))
ENOUGH_PACKETS = 30
"""Of one seat, to tell its tone from the clicks between the pieces that a bad link left."""
BLOCK_SAMPLES = 4_800
FRAME_SAMPLES = 960
SILENCE_BYTES = 3
"""The server's own packets, between two speakers, are not longer."""
MARK = b"VT"


def hz(seat: int) -> int:
    """The tone of a seat: whole cycles in a packet of 20 ms, so that no phase jumps where packets are missing."""
    return 300 + 150 * seat


def tone_of(seat: int) -> list[bytes]:
    """The tone of a seat as Opus packets, without the coder's first ones."""
    return opus_tone(hz(seat), 40)[5:]


def numbered(packet: bytes, seat: int, serial: int) -> bytes:
    """The same Opus frame as a packet of code 3 with padding (RFC 6716, 3.2.5), which decoders skip."""
    padding = MARK + bytes([seat]) + serial.to_bytes(4, "big")
    return bytes([packet[0] | 3, 0x41, len(padding)]) + packet[1:] + padding


def owner(payload: bytes) -> tuple[int, int] | None:
    """Seat and number of a packet of ours; None for one that has none."""
    if len(payload) < 10 or payload[-7:-5] != MARK:
        return None
    return payload[-5], int.from_bytes(payload[-4:], "big")


def foreign_tones(payloads: dict[int, list[bytes]]) -> tuple[list[str], int]:
    """Seats whose tone is in the speech of another, and how many samples were looked at.

    What was looked at is taken out, what is too short yet is left.
    """
    found: list[str] = []
    looked = 0
    for seat in [seat for seat, packets in payloads.items() if len(packets) >= ENOUGH_PACKETS]:
        packets = payloads.pop(seat)
        looked += len(packets) * FRAME_SAMPLES
        decoder = OpusDecoder()
        pcm = b"".join(decoder.decode(packet) for packet in packets)
        samples = np.frombuffer(pcm, "<i2").astype(np.float64) / 32768
        # By power in short blocks: a coder may begin a tone at any phase, and two halves must not cancel each other.
        blocks = samples[: len(samples) // BLOCK_SAMPLES * BLOCK_SAMPLES].reshape(-1, BLOCK_SAMPLES)
        at = np.arange(BLOCK_SAMPLES) / 48_000
        windowed = blocks * np.hanning(BLOCK_SAMPLES)
        level = {
            other: float(np.sqrt(np.mean(np.abs(windowed @ np.exp(-2j * np.pi * hz(other) * at)) ** 2)))
            for other in SEATS
        }
        own = level.pop(seat)
        found += [f"samples: seat {other} in the speech of {seat}" for other, much in level.items() if much > own / 3]
    return found, looked
