"""Packets that came before the server could read them: nothing that is older is heard later."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from voice.media.client import VoiceClient
from voice.media.early import Early
from voice.media.fallback import FallbackLink
from voice.media.room import MediaRoom

from .conftest import CLIENT, LOCAL, Voices, opus_tone, settle, until
from .headers import rtp_header


async def test_what_came_before_the_keys_is_none_of_the_opening_however_late_its_elders_come(voices: Voices) -> None:
    await voices.join(1, 2)
    link: Any = voices.room._peers[1].link
    dtls, keys = link._dtls, link._dtls._rx_srtp
    tone = opus_tone(440, 10)
    client = voices.clients[1]
    dtls._rx_srtp = link._unprotect = None  # the client's last handshake message is late, or was lost
    for number in (100, 101, 104):
        client.link.send(number, number * 960, False, tone[0], 0.0)
    await until(lambda: link.dropped.get("early") == 3)
    dtls._rx_srtp = keys
    voices.room.mic([1])
    for number in (102, 103, 105, 106, 107):  # two that were overtaken, then the first of the opening
        client.link.send(number, number * 960, False, tone[number - 100], 0.0)
    await until(lambda: len(voices.heard(2)) >= 2)
    await settle()
    assert [packet.sequence for packet in voices.tapped] == [106, 107]
    assert voices.heard(2) == tone[6:8]


async def test_and_so_by_the_fallback_where_aiortc_drops_it_without_a_word() -> None:
    tapped: list[int] = []
    room = MediaRoom("t", lambda packet: tapped.append(packet.sequence), lambda seats: None, LOCAL, FallbackLink)
    client = VoiceClient(settings=CLIENT)
    try:
        await client.accept(await room.connect(1, await client.offer()))
        await client.connected()
        await until(lambda: room.stats()["alive"] == [1])
        link: Any = room._peers[1].link
        dtls = link._pc.getTransceivers()[0].receiver.transport
        keys, tone = dtls._rx_srtp, opus_tone(440, 1)[0]
        dtls._rx_srtp, link.connected = None, False
        for number in (100, 101, 104):
            client.link.send(number, number * 960, False, tone, 0.0)
        await until(lambda: len(link._unread) == 3)
        await settle()
        dtls._rx_srtp, link.connected = keys, True
        room.mic([1])
        await settle()  # until what had come is handled
        for number in (102, 103, 105, 106, 107):
            client.link.send(number, number * 960, False, tone, 0.0)
        await until(lambda: len(tapped) >= 2)
        await settle()
        assert tapped == [106, 107]
    finally:
        await asyncio.gather(room.close(), client.close())


@given(st.lists(st.integers(-30, 30), min_size=1), st.lists(st.integers(-40, 40)), st.integers(0, 0xFFFF))
def test_nothing_that_is_older_than_what_came_early_is_let_in_before_something_newer(
    early: list[int], late: list[int], around: int
) -> None:
    seen = Early()
    for number in early:
        seen.note(rtp_header(111, False, (around + number) & 0xFFFF, 0, 7))
    newer = False
    for number in late:
        newer = newer or number > max(early)
        assert seen.refuses(7, (around + number) & 0xFFFF) is not newer


def test_reports_short_datagrams_and_other_streams_are_not_taken_for_speech() -> None:
    seen = Early()
    for other in (b"", b"\x80", b"\x80" * 11, b"\x80\xc8" + bytes(26), b"\x00" * 20, b"\x16" * 20):
        seen.note(other)
    assert seen.newest is None
    seen.note(rtp_header(111, False, 9, 0, 7))
    assert not seen.refuses(8, 1)
