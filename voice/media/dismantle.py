"""A closed connection taken apart, so that it is freed at once.

The objects of one connection hold each other: left as they are, Python's collector would have to find them, some 500
a connection with what OpenSSL and libsrtp keep behind them, and to find them it looks through all that the process
has: a pause that is heard. Like `peer.py` this uses private parts of aiortc, aioice and pyOpenSSL, for the versions
pinned there; what another version has in other places stays, and is found by the collector.
"""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from voice.memory import nobody

if TYPE_CHECKING:
    from aioice.ice import CandidatePair
    from aiortc import RTCPeerConnection

TURNS = 20
"""Closing takes some turns of the loop. One that was late by seconds, on a machine with too much to do, gets them."""

log = structlog.get_logger(__name__)


async def not_started(parameters: object) -> None:
    """In place of a part's `start`, `receive` or `send`: what is never started needs no stopping and no thread."""


def let_go(link: Any) -> None:  # Any: a PeerLink or a FallbackLink
    """A closed link holds neither its room nor what a worker put in place of a method."""
    link._on_rtp = link._on_state = nobody
    vars(link).pop("drain", None)


def loosen(dtls: Any) -> None:  # Any: aiortc's RTCDtlsTransport
    """While a connection lives: let go of what has failed, which else is held by its exception, and that by it."""
    ice = dtls.transport._connection
    its, their = weakref.ref(dtls), weakref.ref(ice)
    receive, check = type(dtls)._recv_next, type(ice).check_start_task

    async def _recv_next() -> None:
        try:
            await receive(its())
        except ConnectionError as error:  # it waited for a datagram, in a task that keeps the error
            raise error.with_traceback(None) from None

    def check_start_task(pair: CandidatePair) -> None:
        check(their(), pair)
        if pair.task is not None:
            pair.task.add_done_callback(partial(_forget, pair))

    dtls._recv_next = _recv_next
    ice.check_start_task = check_start_task


def _forget(pair: CandidatePair, task: asyncio.Task[None]) -> None:
    if pair.task is task:
        pair.task = None


async def close(connection: RTCPeerConnection, protocols: list[Any], within_s: float) -> None:
    """Close a connection and take it apart; what has not closed by itself in time is torn down.

    `protocols`: those of aioice in which a method was replaced; the list is emptied.
    """
    # aiortc goes on to the next step of connecting, closed or not: DTLS when ICE has ended, then its tasks and thread.
    for dtls in _transports(connection):
        dtls.start = not_started
    for transceiver in connection.getTransceivers():
        transceiver.sender.send = not_started  # type: ignore[method-assign]  # whoever calls it awaits it
        transceiver.receiver.receive = not_started  # type: ignore[method-assign]  # the same
    closing = asyncio.get_running_loop().create_task(connection.close())
    # Not wait_for: aiortc's close can't be called again once it was cancelled.
    _, late = await asyncio.wait({closing}, timeout=within_s)
    for _ in range(TURNS):
        if not late or closing.done():
            break
        await asyncio.sleep(0)
    if not closing.done():
        log.warning("media.link.close_timeout", after_s=within_s)
        closing.cancel()
        for dtls in _transports(connection):
            await _tear_down(dtls.transport._connection, within_s)
    elif (error := closing.exception()) is not None:
        log.warning("media.link.close_failed", error=type(error).__name__)
    dismantle(connection, protocols)


async def _tear_down(ice: Any, within_s: float) -> None:
    """Whatever closing waits for: without ICE nothing of a connection can go on."""
    protocols = list(ice._protocols)
    ending = asyncio.get_running_loop().create_task(ice.close())
    await asyncio.wait({ending}, timeout=within_s)
    ending.cancel()
    for protocol in protocols:
        protocol.transport.abort()


def _transports(connection: RTCPeerConnection) -> list[Any]:  # Any: aiortc's RTCDtlsTransport
    return [transceiver.receiver.transport for transceiver in connection.getTransceivers()]


def dismantle(connection: RTCPeerConnection, protocols: list[Any]) -> None:
    """Break every cycle of a connection that is closed; it can't be used after. `protocols`: see `close`.

    What of it still runs, such as a task that is being cancelled, can end: references back are cut, none forward.
    """
    connection.remove_all_listeners()
    for protocol in protocols:
        vars(protocol).pop("datagram_received", None)
    protocols.clear()
    for transceiver in connection.getTransceivers():
        vars(transceiver.receiver).pop("_handle_rtp_packet", None)
    for dtls in _transports(connection):
        dtls.remove_all_listeners()
        dtls.transport.remove_all_listeners()
        dtls.transport.iceGatherer.remove_all_listeners()
        for part in (_router, _verifier):
            with contextlib.suppress(AttributeError):
                part(dtls)
        with contextlib.suppress(AttributeError):
            _ice(dtls.transport._connection)


def _router(dtls: Any) -> None:
    for table in ("receivers", "senders", "mid_table", "ssrc_table", "payload_type_table"):
        getattr(dtls._rtp_router, table).clear()


def _verifier(dtls: Any) -> None:
    """pyOpenSSL's callback for certificates holds its own object; the context has it too, for as long as OpenSSL."""
    if dtls._ssl is not None:
        vars(dtls._ssl._context._verify_helper).pop("callback", None)


def _ice(ice: Any) -> None:
    for name in ("data_received", "get_component_candidates", "query_consent"):
        vars(ice).pop(name, None)  # the adapter's own, in place of the class's
    ice._check_list.clear()
    ice._early_checks.clear()
