"""Packets that came before the server could read them: nothing that is older is heard later."""

from __future__ import annotations

from typing import Any

from .conftest import Voices, opus_tone, settle, until


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
