"""What the tap is given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AcceptedPacket:
    """One Opus packet that came in while its seat's microphone was open.

    `epoch` is the gate's epoch at arrival; `sequence` (16 bit) and `timestamp` (48 kHz, 32 bit) are the speaker's own,
    so that loss and reordering stay visible; `arrival` is `time.monotonic()` in seconds.
    """

    seat: int
    epoch: int
    sequence: int
    timestamp: int
    payload: bytes
    arrival: float
