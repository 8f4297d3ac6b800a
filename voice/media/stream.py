"""One outgoing stream of a link, and what its sender reports say."""

from __future__ import annotations

from .rtp import OPUS_HZ


class Stream:
    """What was sent under one SSRC; `at` is monotonic seconds, `timestamp` the last packet's."""

    __slots__ = ("at", "octets", "packets", "ssrc", "timestamp")

    def __init__(self, ssrc: int) -> None:
        self.ssrc = ssrc
        self.packets = 0
        self.octets = 0
        self.timestamp = 0
        self.at = 0.0

    def sent(self, now: float) -> tuple[int, int, int] | None:
        """The RTP timestamp of now, packets and payload bytes (RFC 3550, 6.4.1); None where nothing was sent."""
        if not self.packets:
            return None
        return self.timestamp + int((now - self.at) * OPUS_HZ), self.packets, self.octets
