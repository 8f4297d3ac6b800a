"""Whether a socket of this process that somebody else reads has been read, asked by way of that socket."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from typing import TYPE_CHECKING, Any

import structlog

if TYPE_CHECKING:
    from collections.abc import Iterable

REPEAT_S = 0.05
"""A question may be lost where the socket's buffer is full."""
WARN_AFTER = 40
"""Questions without an answer, 2 s of them: such a seat is not heard, and the log says why."""
ROUNDS = 2
"""An answer says that the socket was read; one more, that the tasks have run which were woken by what was read."""
_REQUEST, _ERROR, _COOKIE = 0x0001, 0x0111, 0x2112A442
_HEADER = struct.Struct("!HHI12s")

log = structlog.get_logger(__name__)


class Sounding:
    """Asks ICE sockets of this process, at these addresses, for a sign that all that came before has been read.

    A socket gives its datagrams in the order they came, and a STUN request without credentials has to be answered
    with an error (RFC 8489, 9.1.3), whichever library reads. Make it with `start`.
    """

    def __init__(self, addresses: Iterable[tuple[str, int]]) -> None:
        self._addresses = tuple(addresses)
        self._transports: dict[int, asyncio.DatagramTransport] = {}
        self._unanswered: dict[bytes, tuple[str, int]] = {}
        self._rounds = 0
        self._sent = 0
        self._asked: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @classmethod
    async def start(cls, addresses: Iterable[tuple[str, int]]) -> Sounding:
        """Raises OSError where there is no socket to ask with."""
        made = cls(addresses)
        try:
            for family in {_family(host) for host, _ in made._addresses}:
                own = socket.socket(family, socket.SOCK_DGRAM)
                own.bind(("", 0))
                transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
                    lambda: _Ear(made._answer), sock=own
                )
                made._transports[family] = transport
        except BaseException:
            made.close()
            raise
        return made

    def ask(self) -> asyncio.Future[None]:
        """Done when all that had come at this call has been read and handled; a newer question cancels it."""
        self._stop()
        self._asked = asyncio.get_running_loop().create_future()
        self._rounds = 0
        self._next_round()
        return self._asked

    def close(self) -> None:
        """End it; what was asked is cancelled."""
        self._stop()
        for transport in self._transports.values():
            transport.close()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._unanswered.clear()
        if self._asked is not None:
            self._asked.cancel()

    def _next_round(self) -> None:
        self._rounds += 1
        self._sent = 0
        self._unanswered = {os.urandom(12): address for address in self._addresses}
        self._send()

    def _send(self) -> None:
        self._sent += 1
        if self._sent == WARN_AFTER:
            log.error("media.sounding.unanswered", addresses=sorted(self._unanswered.values()))
        for name, (host, port) in self._unanswered.items():
            self._transports[_family(host)].sendto(_HEADER.pack(_REQUEST, 0, _COOKIE, name), (host, port))
        self._timer = asyncio.get_running_loop().call_later(REPEAT_S, self._send)

    def _answer(self, data: bytes) -> None:
        if len(data) < _HEADER.size:
            return
        kind, _, cookie, name = _HEADER.unpack_from(data)
        if kind != _ERROR or cookie != _COOKIE or self._unanswered.pop(name, None) is None or self._unanswered:
            return
        if self._timer is not None:
            self._timer.cancel()
        if self._rounds < ROUNDS:
            self._next_round()
        elif self._asked is not None and not self._asked.done():
            self._asked.set_result(None)


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


class _Ear(asyncio.DatagramProtocol):
    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        self._answer(data)
