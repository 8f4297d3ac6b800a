"""Which datagrams that are not SRTP reach aioice and aiortc: STUN and DTLS, of the peer and, in bounds, of strangers.

Like `peer.py` this uses aioice's private parts, for the version pinned there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from voice.bucket import Bucket

if TYPE_CHECKING:
    from aioice import Connection

MAX_REMOTE_CANDIDATES = 64
"""An authenticated peer could make aioice remember any number of addresses."""
CHECKS_PER_S = 100.0
CHECKS_BURST = 200.0
"""STUN and DTLS datagrams of the peer, and as many again of all who are not (yet) known as the peer."""
_REQUEST, _RESPONSE = 0, 1
"""The first byte of a STUN binding request and of an answer to one (RFC 8489, 5)."""


class Admission:
    """One connection's. `addresses` are those known as the peer's so far; it grows, and stays the same set."""

    def __init__(self, ice: Connection, now: float) -> None:
        self.addresses: set[tuple[str, int]] = set()
        self._ice = ice
        self._name = f"{ice.local_username}:".encode()
        self._checks = Bucket(CHECKS_PER_S, CHECKS_BURST, now)
        self._strangers = Bucket(CHECKS_PER_S, CHECKS_BURST, now)

    def knows(self, address: tuple[str, int]) -> bool:
        """Does this address belong to the peer? ICE has it from the offer or from a check with the right password."""
        if address in self.addresses:
            return True
        for candidate in self._ice._remote_candidates:
            if candidate.port == address[1] and candidate._network_host == address[0]:
                self.addresses.add(address)
                return True
        return False

    def refuses(self, data: bytes, known: bool, now: float) -> str | None:
        """Why a datagram is not passed on; its first byte says what it is (RFC 7983). `known`: the peer sent it."""
        first = data[0] if data else 255
        if not (first <= 3 or 20 <= first <= 63):
            return "garbage"
        if known:
            return None if self._checks.take(now) else "flood"
        if not self._is_for_us(first, data):
            return "address"
        if len(self._ice._remote_candidates) >= MAX_REMOTE_CANDIDATES:
            return "candidates"
        return None if self._strangers.take(now) else "strangers"

    def _is_for_us(self, first: int, data: bytes) -> bool:
        """Does a stranger's datagram look like a check of this connection's peer, or like the answer to one of ours?

        A browser that hides its addresses comes from one that is unknown. So that nobody else can use up what is left
        for it, and nobody is answered who may have been named by somebody else: who does not know the random name of
        this connection, or of a question, does not even spend the allowance.
        """
        if first == _REQUEST:
            return self._name in data
        return first == _RESPONSE and any(data[8:20] in protocol.transactions for protocol in self._ice._protocols)
