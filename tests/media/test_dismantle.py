"""A link that has ended is freed at once, without the collector's help, in every way that it can end."""

from __future__ import annotations

import asyncio
import gc
import socket
import time
import weakref
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import uvloop

from voice.media import sdp
from voice.media.client import VoiceClient
from voice.media.errors import MediaError
from voice.media.fallback import FallbackLink
from voice.media.peer import PeerLink
from voice.media.room import MediaRoom
from voice.media.workers.worker import Worker

from .conftest import CLIENT, LOCAL, leftovers, opus_tone, until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from voice.media.link import Link, LinkFactory, OnRtp, OnState
    from voice.media.settings import MediaSettings

CYCLES = 8


@contextmanager
def nothing_is_left_for_the_collector() -> Iterator[None]:
    """What is done within leaves no garbage that only the collector finds, and no more objects than there were."""
    gc.collect()
    gc.disable()
    try:
        before = _objects()
        yield
        after = _objects()
        found = gc.collect()
    finally:
        gc.enable()
    assert found < CYCLES, f"the collector found {found} objects"
    assert after - before < CYCLES, f"{after - before} objects more than before"


def _objects() -> int:
    """All but timers that were cancelled, which the loop keeps for a while."""
    return sum(type(each) is not asyncio.TimerHandle for each in gc.get_objects())


def parts(link: PeerLink | FallbackLink) -> dict[str, weakref.ref[Any]]:
    """The link and what is below it."""
    found: dict[str, Any] = {"link": link, "connection": link._pc}
    for transceiver in link._pc.getTransceivers():
        dtls: Any = transceiver.receiver.transport
        ice = dtls.transport._connection
        found |= {"transceiver": transceiver, "receiver": transceiver.receiver, "sender": transceiver.sender}
        found |= {"dtls": dtls, "ice": ice, **{f"socket {number}": each for number, each in enumerate(ice._protocols)}}
        found |= {"ssl": dtls._ssl, "srtp in": dtls._rx_srtp, "srtp out": dtls._tx_srtp}
    return {name: weakref.ref(part) for name, part in found.items() if part is not None}


class Ends:
    """A client and a link that it called."""

    def __init__(self, links: LinkFactory) -> None:
        self.client = PeerLink(CLIENT, lambda *packet: None, lambda: None)
        self.link: Any = links(LOCAL, lambda *packet: self.heard(), lambda: None)

    def heard(self) -> None:
        """As a room's handler holds its peer, and that its link: the link must not hold it when it is closed."""

    async def answer(self) -> str:
        return await self.link.answer(sdp.parse(await self.client.offer(speak=True)), speak=True)

    async def connect(self) -> None:
        await self.client.accept(await self.answer())
        await until(lambda: self.client.connected and self.link.connected)


async def never_asked(ends: Ends) -> None:
    """Closed before there was an offer."""


async def not_accepted(ends: Ends) -> None:
    await ends.answer()


async def refused(ends: Ends) -> None:
    offer = sdp.parse(await ends.client.offer(speak=True))
    with suppress(MediaError):  # not pytest.raises, which keeps it with all its frames
        await ends.link.answer(replace(offer, fingerprints=("none",)), speak=True)
        pytest.fail("an offer without a fingerprint was answered")


async def in_ice(ends: Ends) -> None:
    await ends.client.accept(await ends.answer())


async def in_dtls(ends: Ends) -> None:
    await ends.client.accept(await ends.answer())
    dtls: Any = ends.client._dtls
    while dtls.state == "new":  # noqa: ASYNC110 - at the first turn of the loop in which it is another
        await asyncio.sleep(0)


async def connected(ends: Ends) -> None:
    await ends.connect()


async def after_speech(ends: Ends) -> None:
    await ends.connect()
    for number, payload in enumerate(opus_tone(440, 5)):
        assert ends.client.send(number, number * 960, False, payload, time.monotonic())
        assert ends.link.send(number, number * 960, False, payload, time.monotonic())
        await asyncio.sleep(0.002)
    for end in (ends.client, ends.link):
        end.tick(time.monotonic() + 5.0)


async def said_goodbye(ends: Ends) -> None:
    await ends.connect()
    await ends.client.close()
    await until(lambda: ends.link.down)


async def vanished(ends: Ends) -> None:
    """The peer's sockets are gone, and questions to it find nobody."""
    await ends.connect()
    for protocol in list(ends.client._ice._protocols):
        protocol.transport.close()
    for _ in range(8):  # a question is over after half a second
        ends.link.tick(time.monotonic() + LOCAL.probe_after_s + 1.0)
        await asyncio.sleep(0.1)
    ends.client._ice._protocols.clear()


async def ice_failed(ends: Ends) -> None:
    """Nobody is where the offer says."""
    offer = await ends.client.offer(speak=True)
    await ends.link.answer(sdp.parse(offer.replace(" 127.0.0.1 ", " 127.0.0.2 ")), speak=True)
    await ends.client.close()
    await asyncio.sleep(0.1)


async def closing_took_too_long(ends: Ends) -> None:
    await ends.connect()

    async def never() -> None:
        await asyncio.Event().wait()

    for end in (ends.client, ends.link):
        end._settings = replace(end._settings, close_timeout_s=0.02)
        (transceiver,) = end._pc.getTransceivers()
        transceiver.receiver.transport.stop = never  # type: ignore[method-assign]  # as a library's fault would


async def life(how: Callable[[Ends], Awaitable[None]], links: LinkFactory) -> None:
    """A call that ends so; nothing of it may be alive after."""
    ends = Ends(links)
    await how(ends)
    found = {f"client's {name}": part for name, part in parts(ends.client).items()} | parts(ends.link)
    await asyncio.gather(ends.client.close(), ends.link.close())
    del ends
    await until(lambda: not leftovers())
    await asyncio.sleep(0)
    assert [name for name, part in found.items() if part() is not None] == []


@pytest.mark.parametrize("links", [PeerLink, FallbackLink])
@pytest.mark.parametrize(
    "how",
    [
        never_asked,
        not_accepted,
        refused,
        in_ice,
        in_dtls,
        connected,
        after_speech,
        said_goodbye,
        vanished,
        ice_failed,
        closing_took_too_long,
    ],
    ids=lambda how: how.__name__,
)
async def test_a_link_that_has_ended_is_freed_at_once(
    how: Callable[[Ends], Awaitable[None]], links: LinkFactory
) -> None:
    for _ in range(2):
        await life(how, links)  # what is made once a process
    with nothing_is_left_for_the_collector():
        for _ in range(CYCLES):
            await life(how, links)


async def test_a_link_of_a_worker_is_freed_at_once() -> None:
    """It has a way of its own to drain, which knows of the packet in hand."""
    ours, theirs = socket.socketpair()
    worker = Worker(theirs, "media 1")
    worker._links = PeerLink

    def links(settings: MediaSettings, on_rtp: OnRtp, on_state: OnState) -> Link:
        return worker._make_link(settings, on_rtp, on_state)

    try:
        for _ in range(2):
            await life(after_speech, links)
        with nothing_is_left_for_the_collector():
            for _ in range(CYCLES):
                await life(after_speech, links)
    finally:
        worker._channel.close()
        ours.close()


async def life_of_a_room(links: LinkFactory) -> None:
    """Superseded offers, replaced links, a viewer that leaves, a room that is closed; nothing may be alive after."""
    room = MediaRoom("t", lambda packet: None, lambda seats: None, LOCAL, links)
    clients = [VoiceClient(settings=CLIENT) for _ in range(5)]
    offers = [await client.offer() for client in clients]
    first, second = await asyncio.gather(room.connect(1, offers[0]), room.connect(1, offers[1]), return_exceptions=True)
    assert isinstance(first, MediaError)
    assert first.code == "superseded"
    assert isinstance(second, str)
    await clients[1].accept(second)
    await clients[1].connected()
    for seat, number in ((1, 2), (2, 3), (3, 4)):
        await clients[number].accept(await room.connect(seat, offers[number]))
        await clients[number].connected()
    room.mic([1, 2])
    await room.disconnect(3)
    found: list[weakref.ref[Any]] = [weakref.ref(peer.link) for peer in room._peers.values()]
    found += [weakref.ref(room), *(weakref.ref(client) for client in clients)]
    await asyncio.gather(room.close(), *(client.close() for client in clients))
    del room, clients, first
    await until(lambda: not leftovers())
    await asyncio.sleep(0)
    assert [part() for part in found if part() is not None] == []


@pytest.mark.parametrize("links", [PeerLink, FallbackLink])
async def test_a_room_frees_whoever_leaves_and_itself(links: LinkFactory) -> None:
    await life_of_a_room(links)
    with nothing_is_left_for_the_collector():
        for _ in range(3):
            await life_of_a_room(links)


@pytest.mark.parametrize("loop_factory", [asyncio.new_event_loop, uvloop.new_event_loop])
@pytest.mark.parametrize("links", [PeerLink, FallbackLink])
def test_a_loop_that_was_late_is_no_fault_of_the_connection(
    links: LinkFactory,
    loop_factory: Callable[[], asyncio.AbstractEventLoop],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The time to close is over at the first look, as on a machine that has too much to do."""

    async def call() -> None:
        ends = Ends(links)
        await ends.connect()
        for end in (ends.client, ends.link):
            end._settings = replace(end._settings, close_timeout_s=0.0)
        await asyncio.gather(ends.client.close(), ends.link.close())

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(call())
    assert "close_timeout" not in capsys.readouterr().out
