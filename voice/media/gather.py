"""The sockets of a connection, made within the operator's ports and addresses in place of aioice's own.

aioice opens random ports on all addresses but loopback; this module does what its `get_component_candidates` does for
host candidates, with sockets of `ports.bind`. Like `peer.py` it uses aioice's private parts, for the version pinned
there.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

from aioice.candidate import Candidate, candidate_foundation, candidate_priority
from aioice.ice import StunProtocol
from aioice.stun import TransactionError
from aiortc import RTCConfiguration, RTCIceServer

from .ports import bind

if TYPE_CHECKING:
    from collections.abc import Callable

    from aioice import Connection

    from .settings import MediaSettings

LOOPBACK = "127.0.0.1"


def configuration(settings: MediaSettings) -> RTCConfiguration:
    """aiortc's configuration: no server but those of the settings; aiortc by itself would ask Google's."""
    servers = [RTCIceServer(list(each.urls), each.username, each.credential) for each in settings.turn]
    return RTCConfiguration(iceServers=servers)


class HostProtocol(StunProtocol):
    """One socket. A request that failed is forgotten: aioice's is held by the failure, and that by the request."""

    async def request(self, *args: Any, **options: Any) -> Any:
        """See there."""
        try:
            return await super().request(*args, **options)
        except TransactionError as error:
            raise error.with_traceback(None) from None


class Gather(Protocol):
    """aioice's `Connection.get_component_candidates`."""

    async def __call__(self, component: int, addresses: list[str], timeout: int = 5) -> list[Candidate]: ...  # noqa: ASYNC109 - its name


def over_relay(transport: Any) -> Callable[[memoryview, tuple[str, int]], int]:  # Any: aioice's TurnTransport
    """Sending through a relay, which keeps what it is given for a while: a copy, since our buffers are used again."""

    def sendto(data: memoryview, address: tuple[str, int]) -> int:
        transport.sendto(bytes(data), address)
        return len(data)

    return sendto


def gather_within(connection: Connection, settings: MediaSettings, gather: Gather) -> Gather:
    """What to put in place of `gather`: host candidates from our own sockets, then a relayed one where asked for.

    It raises MediaError `ports_full`, and OSError where not one socket can be had; either way none stays open.
    """

    async def candidates(component: int, addresses: list[str], timeout: int = 5) -> list[Candidate]:  # noqa: ASYNC109 - aioice calls it so
        wanted = _addresses(settings, addresses)
        made = await _host_protocols(connection, wanted, settings)
        found = [_host_candidate(protocol, component) for protocol in made]
        connection._protocols += made
        if connection.turn_server is not None:
            found += await gather(component=component, addresses=[], timeout=timeout)
            for protocol in connection._protocols:
                if protocol not in made:
                    _complete(protocol.transport)
        return found

    return candidates


def _addresses(settings: MediaSettings, machine: list[str]) -> list[str]:
    """The local addresses to bind: the operator's, else all of the machine's and loopback."""
    if settings.relay_only:
        return []
    chosen = list(machine if settings.addresses is None else settings.addresses)
    if settings.loopback and LOOPBACK not in chosen:
        chosen.append(LOOPBACK)
    return chosen


async def _host_protocols(connection: Connection, addresses: list[str], settings: MediaSettings) -> list[StunProtocol]:
    made: list[StunProtocol] = []
    failed: OSError | None = None
    try:
        for address in addresses:
            try:
                made.append(await _protocol(connection, address, settings))
            except OSError as error:  # an address that has gone; the others may do
                failed = error
        if failed is not None and not made:
            raise failed
    except BaseException:
        for protocol in made:
            protocol.transport.abort()
        raise
    return made


async def _protocol(connection: Connection, address: str, settings: MediaSettings) -> StunProtocol:
    bound = bind(address, settings.ports)
    try:
        _, protocol = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: HostProtocol(connection), sock=bound
        )
    except BaseException:
        bound.close()
        raise
    return protocol


def _host_candidate(protocol: StunProtocol, component: int) -> Candidate:
    host, port = protocol.transport.get_extra_info("sockname")[:2]
    protocol.local_candidate = Candidate(
        foundation=candidate_foundation("host", "udp", host),
        component=component,
        transport="udp",
        priority=candidate_priority(component, "host"),
        host=host,
        port=port,
        type="host",
    )
    return protocol.local_candidate


def _complete(transport: Any) -> None:  # Any: aioice's TurnTransport, which lacks two methods of a transport
    transport.get_write_buffer_size = lambda: 0
    transport.abort = transport.close
