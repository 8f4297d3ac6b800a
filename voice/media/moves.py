"""A peer whose NAT gave it another address in the middle of the call, found by its own packets.

A browser checks a stable path only every 2.5 s; its speech comes every 20 ms. A packet from an unknown address that
SRTP authenticates, and that did not come before (RFC 3711, 3.3.2), is the peer's, or was held back by somebody on the
way. So it is heard, and nothing is sent there but one STUN check (RFC 8445, 7.3.1.4; as RFC 8016 and, for QUIC,
RFC 9000, 9.3 do): only the answer to that, signed with the peer's ICE password and from the same address, moves the
path. Like `peer.py` this uses aioice's private parts, for the version pinned there.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from aioice.candidate import Candidate, candidate_priority
from aioice.ice import CandidatePair
from aioice.stun import TransactionError
from aioice.utils import random_string

from voice.bucket import Bucket

if TYPE_CHECKING:
    from aioice import Connection

AUTHENTICATIONS_PER_S = 100.0
AUTHENTICATIONS_BURST = 100.0
"""Packets from unknown addresses that are decrypted: speech is 50 a second, and a path moves within a round trip."""
MOST_CHECKS = 4
"""Addresses that are checked at the same time."""
RETRANSMISSIONS = 1
"""A check is sent at once and after 0.5 s, and is over after 1.5 s: two datagrams of 100 bytes for one of speech."""


class Moves:
    """Follows one connection's peer to new addresses. `most`: addresses that aioice may remember of it."""

    def __init__(self, ice: Connection, most: int, now: float) -> None:
        self._ice = ice
        self._most = most
        self._bucket = Bucket(AUTHENTICATIONS_PER_S, AUTHENTICATIONS_BURST, now)
        self._checks: dict[tuple[str, int], asyncio.Task[None]] = {}

    def refuses(self, data: bytes, ssrc: int | None, now: float) -> str | None:
        """Why a packet from an unknown address is not worth decrypting; None if it may be the peer's.

        Whoever does not know the peer's SSRC does not even spend the allowance.
        """
        at = 4 if len(data) > 1 and 192 <= data[1] <= 223 else 8  # RTCP (RFC 5761, 4) and RTP
        if ssrc is None or data[at : at + 4] != ssrc.to_bytes(4, "big"):
            return "address"
        if len(self._ice._remote_candidates) >= self._most:
            return "candidates"
        return None if self._bucket.take(now) else "strangers"

    def follow(self, protocol: Any, address: tuple[str, int]) -> None:  # Any: aioice's StunProtocol, as tapped
        """An authenticated packet came from here: ask the peer at this address, unless it is being asked."""
        if address in self._checks or len(self._checks) >= MOST_CHECKS or self._ice._closing:
            return
        task = asyncio.get_running_loop().create_task(self._check(protocol, address))
        self._checks[address] = task
        task.add_done_callback(lambda _: self._checks.pop(address, None))

    async def _check(self, protocol: Any, address: tuple[str, int]) -> None:
        ice = self._ice
        password = ice.remote_password
        candidate = Candidate(
            foundation=random_string(10),
            component=protocol.local_candidate.component,
            transport="udp",
            priority=candidate_priority(protocol.local_candidate.component, "prflx"),
            host=address[0],
            port=address[1],
            type="prflx",
        )
        pair = CandidatePair(protocol, candidate)
        if password is None:
            return
        try:
            _, answered = await protocol.request(
                ice.build_request(pair, nominate=ice.ice_controlling),
                address,
                integrity_key=password.encode(),
                retransmissions=RETRANSMISSIONS,
            )
        except TransactionError:
            return
        if answered != address or ice._closing or len(ice._remote_candidates) >= self._most:
            return
        known = next((each for each in ice._remote_candidates if (each._network_host, each.port) == address), None)
        if known is None:
            ice._remote_candidates.append(candidate)
        else:  # the peer's own check was faster
            pair = ice._find_pair(protocol, known) or CandidatePair(protocol, known)
        pair.state = CandidatePair.State.SUCCEEDED
        pair.nominated = True
        if pair not in ice._check_list:
            ice._check_list.append(pair)
            ice.sort_check_list()
        ice._nominated[pair.component] = pair

    def close(self) -> None:
        """Ask nobody any more."""
        for task in self._checks.values():
            task.cancel()
