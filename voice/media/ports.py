"""Which UDP ports and addresses the voice uses: the operator's range, and what the answers say of them.

Every player needs one port for each local address; a range that is published by Docker or opened in a firewall must
hold them all, and `serve --udp-ports` names it.
"""

from __future__ import annotations

import errno
import ipaddress
import random
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import MediaError

if TYPE_CHECKING:
    from collections.abc import Iterable

LOWEST_PORT = 1024
"""Those below need root, and belong to other services."""

RECEIVE_BYTES = 262_144
"""What a socket may hold while the event loop is busy: seconds of one player's speech."""


@dataclass(frozen=True, slots=True)
class PortRange:
    """UDP ports, both ends included."""

    first: int
    last: int

    @classmethod
    def of(cls, text: str) -> PortRange:
        """Read `20000-20200`, or one port. Raises ValueError with what was expected and what came."""
        first, dash, last = text.strip().partition("-")
        ends = [first, last] if dash else [first, first]
        if not all(end.strip().isascii() and end.strip().isdigit() for end in ends):
            raise ValueError(f"expected a range of UDP ports such as 20000-20200, got {text!r}")
        low, high = (int(end) for end in ends)
        if not LOWEST_PORT <= low <= high <= 65535:
            raise ValueError(f"expected ports from {LOWEST_PORT} to 65535, the lower one first, got {text!r}")
        return cls(low, high)

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


def bind(address: str, ports: PortRange | None) -> socket.socket:
    """A UDP socket of a local address on a free port of the range; any port where there is no range.

    Raises MediaError `ports_full`: every port of the range is taken; OSError for an address that is not this machine's,
    or for a machine that gives no more sockets.
    """
    family = socket.AF_INET6 if ipaddress.ip_address(address).version == 6 else socket.AF_INET
    made = socket.socket(family, socket.SOCK_DGRAM)
    try:
        made.setblocking(False)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if ports is None:
            made.bind((address, 0))
        else:
            _bind_within(made, address, ports)
    except BaseException:
        made.close()
        raise
    return made


def _bind_within(made: socket.socket, address: str, ports: PortRange) -> None:
    # From a random one on: an old peer's late datagrams must not meet the next player's socket.
    start = random.randrange(len(ports))
    for step in range(len(ports)):
        try:
            made.bind((address, ports.first + (start + step) % len(ports)))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            return
    raise MediaError(
        "ports_full",
        f"every UDP port of the server ({ports}) is taken: wait until somebody leaves, or ask the host for more ports",
    )


def announce(answer: str, public: Iterable[str]) -> str:
    """An answer with the public addresses of a machine behind 1:1 NAT beside the local ones of the same kind.

    Every host candidate that others could be sent to gets a twin with the public address, the same port and a higher
    priority; players in the same network still have the local one.
    """
    published = [ipaddress.ip_address(each) for each in public]
    lines: list[str] = []
    for line in answer.splitlines():
        lines += _twins(line, published)
        lines.append(line)
    return "\r\n".join(lines) + "\r\n"


def _twins(line: str, published: list[ipaddress.IPv4Address | ipaddress.IPv6Address]) -> list[str]:
    if not line.startswith("a=candidate:"):
        return []
    words = line.split(" ")
    if words[7] != "host":
        return []
    local = ipaddress.ip_address(words[4])
    if local.is_loopback:
        return []
    twins = []
    for number, address in enumerate(published):
        if address.version == local.version and address != local:
            foundation = f"a=candidate:public{number}{words[0].partition(':')[2]}"[:44]
            twins.append(" ".join([foundation, *words[1:3], str(int(words[3]) + 1), str(address), *words[5:]]))
    return twins


def resolve(name: str) -> tuple[str, ...]:
    """The IP addresses of a name or address, without repeats.

    Raises ValueError for what can't be found, and for an address that nobody can send to.
    """
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_DGRAM)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "no name of a host"
        raise ValueError(f"expected an IP address or a name that can be resolved, got {name!r}: {why}") from error
    addresses = dict.fromkeys(str(each[4][0]) for each in found)
    for address in addresses:
        parsed = ipaddress.ip_address(address)
        if parsed.is_unspecified or parsed.is_multicast:
            raise ValueError(f"expected an address that players can send to, got {address}")
    return tuple(addresses)
