"""What comes over a new connection before its keys are there."""

from __future__ import annotations

from .rtp import HEADER_BYTES, difference


def is_speech(data: bytes) -> bool:
    """Does it look like RTP: no report, nor anything of another protocol (RFC 7983, RFC 5761)?"""
    return len(data) >= HEADER_BYTES and 128 <= data[0] <= 191 and not 192 <= data[1] <= 223


class Early:
    """It can't be read, but it was there: what is older, and late, must not be taken for newer when the keys are there.

    It goes by the RTP header, which is in the clear (RFC 3711, 3.1).
    """

    __slots__ = ("newest",)

    def __init__(self) -> None:
        self.newest: tuple[int, int] | None = None
        """Stream and number of the newest; None where nothing came, or it is not needed any more."""

    def note(self, data: bytes) -> None:
        """A datagram that can't be read yet; only RTP counts."""
        if not is_speech(data):
            return
        sequence, ssrc = int.from_bytes(data[2:4], "big"), int.from_bytes(data[8:12], "big")
        newest = self.newest
        if newest is None or newest[0] != ssrc or difference(sequence, newest[1], 16) > 0:
            self.newest = ssrc, sequence

    def refuses(self, ssrc: int, sequence: int) -> bool:
        """Is this packet no newer? The first that is newer ends it: the gate has a memory of its own from there on."""
        newest = self.newest
        if newest is None:
            return False
        if newest[0] == ssrc and difference(sequence, newest[1], 16) <= 0:
            return True
        self.newest = None
        return False
