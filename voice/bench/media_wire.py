"""What is below a connected link, for clients that measure and tests that send what no honest client does.

Like `voice/media/peer.py` this uses private parts of aiortc and aioice, for the versions pinned there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from voice.media.peer import PeerLink


@dataclass(frozen=True, slots=True)
class Wire:
    """What is below a connected link, for a client that measures: whoever takes it reads the socket itself.

    `stun` is to be given the datagrams that are not SRTP. `check` makes one consent check (RFC 7675) to send.
    """

    fileno: int
    address: tuple[str, int]
    protect: Callable[[bytes], bytes]
    unprotect: Callable[[bytes], bytes]
    stun: Callable[[bytes, tuple[str, int]], None]
    check: Callable[[], bytes]
    ssrc: int
    payload_type: int


def wire_of(link: PeerLink) -> Wire:
    """The socket, the keys and the address of a link that is connected."""
    pair = link._ice._nominated[1]

    def check() -> bytes:
        request = link._ice.build_request(pair, nominate=False)
        assert link._ice.remote_password is not None
        request.add_message_integrity(link._ice.remote_password.encode())
        return bytes(request)

    return Wire(
        pair.protocol.transport.get_extra_info("socket").fileno(),
        pair.remote_addr,
        link._dtls._tx_srtp.protect,
        link._dtls._rx_srtp.unprotect,
        pair.protocol.datagram_received,
        check,
        link._streams[0].ssrc,
        link._payload_type,
    )
