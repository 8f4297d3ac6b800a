"""Players whose client is not ours."""

from __future__ import annotations

import asyncio
import random
import struct
from itertools import pairwise

import pylibsrtp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from voice.media.admission import MAX_REMOTE_CANDIDATES
from voice.media.client import VoiceClient
from voice.media.errors import MediaError
from voice.media.peer import MAX_WAITING
from voice.media.room import MediaRoom
from voice.media.settings import MediaSettings

from .attack import dropped, goes_on, still_works, stranger, strangers
from .conftest import CLIENT, LOCAL, Voices, opus_tone, settle, speak, until


async def test_rtp_that_is_not_encrypted_or_tampered_with_is_dropped(voices: Voices) -> None:
    await voices.join(1, 2)
    voices.room.mic([1])
    link = voices.clients[1].link
    protect = link._protect
    assert protect is not None
    view = link._scratch.view
    link._protect = lambda size: memoryview(bytes(view[:size]) + b"\x00" * 16)
    await speak(voices.clients[1], opus_tone(300, 5))
    link._protect = lambda size: memoryview(bytes(protect(size)[:-1]) + b"?")
    await speak(voices.clients[1], opus_tone(300, 5))
    link._protect = protect
    await settle()
    assert voices.tapped == []
    assert dropped(voices)["srtp"] >= 9
    await still_works(voices, 1, 2)


async def test_another_payload_type_or_stream_is_dropped(voices: Voices) -> None:
    """A second SSRC would have no memory of what was sent before the minute."""
    await voices.join(1, 2)
    voices.room.mic([1])
    link = voices.clients[1].link
    link._streams[0].ssrc += 1
    await speak(voices.clients[1], opus_tone(300, 5))
    link._streams[0].ssrc -= 1
    link._payload_type += 1
    await speak(voices.clients[1], opus_tone(300, 5))
    link._payload_type -= 1
    await speak(voices.clients[1], [b"\x48" * 1300, b""])
    await settle()
    assert voices.tapped == []
    counts = dropped(voices)
    assert (counts["ssrc"], counts["payload_type"], counts["payload"]) == (5, 5, 2)
    await still_works(voices, 1, 2)


async def test_streams_that_are_not_the_peers_are_not_even_decrypted(
    voices: Voices, monkeypatch: pytest.MonkeyPatch
) -> None:
    """libsrtp keeps each SSRC that it has decrypted: any number of them would fill the memory, and slow each packet."""
    await voices.join(1, 2)
    voices.room.mic([1])
    client, server = voices.clients[1].link, voices.room._peers[1].link
    payloads = opus_tone(300, 20)
    await speak(voices.clients[1], payloads)
    await until(lambda: len(voices.tapped) == 19)
    decrypted: list[int] = []
    unprotect = server._unprotect  # type: ignore[attr-defined]  # the adapter's

    def counted(data: bytes) -> bytes:
        decrypted.append(int.from_bytes(data[8:12], "big"))
        plain: bytes = unprotect(data)
        return plain

    monkeypatch.setattr(server, "_unprotect", counted)
    own = client._streams[0].ssrc
    for stream in range(20):
        client._streams[0].ssrc = (own + stream) & 0xFFFFFFFF
        voices.clients[1].send(payloads[stream])
    client._streams[0].ssrc = own
    await until(lambda: dropped(voices).get("ssrc", 0) == 19)
    assert decrypted == [own]


async def test_the_stream_of_who_names_none_is_the_first_that_is_authentic(voices: Voices) -> None:
    """An offer need not say the SSRC. What is no speech can't bring in one after the other either."""
    await voices.join(1, 2)
    voices.room.mic([1])
    client, server = voices.clients[1].link, voices.room._peers[1].link
    server._ssrc_in = None  # type: ignore[attr-defined]  # the adapter's
    own, pair = client._streams[0].ssrc, client._ice._nominated[1]
    padded_by_nothing = struct.pack("!BBHLL", 0xA0, client._payload_type, 1, 960, own) + bytes(4)
    pair.protocol.transport.sendto(client._dtls._tx_srtp.protect(padded_by_nothing), pair.remote_addr)
    await until(lambda: dropped(voices).get("malformed", 0) == 1)
    client._streams[0].ssrc = (own + 1) & 0xFFFFFFFF
    await speak(voices.clients[1], opus_tone(300, 3))
    client._streams[0].ssrc = own
    await until(lambda: dropped(voices).get("ssrc", 0) == 3)
    await still_works(voices, 1, 2)


async def test_a_flood_is_cut_and_the_others_are_heard(voices: Voices) -> None:
    await voices.join(1, 2, 3)
    voices.room.mic([1])
    payload = opus_tone(300, 3)[2]
    for _ in range(40):
        for _ in range(100):
            voices.clients[1].send(payload)
        await asyncio.sleep(0.01)
    await settle()
    assert dropped(voices)["flood"] > 1000
    assert len(voices.tapped) < 240 + 120 * 3
    voices.room.mic([2])
    await still_works(voices, 2, 3)


async def test_a_flood_of_checks_from_many_addresses_is_bounded(voices: Voices) -> None:
    """A player with the right password can't make the server remember any number of addresses."""
    await voices.join(1, 2)
    ice = voices.clients[1].link._ice
    pair = ice._nominated[1]
    with strangers(2 * MAX_REMOTE_CANDIDATES) as socks:
        assert ice.remote_password is not None
        for sock in socks:
            request = ice.build_request(pair, nominate=False)
            request.add_message_integrity(ice.remote_password.encode())
            sock.sendto(bytes(request), pair.remote_addr)
            await asyncio.sleep(0.002)
        await settle()
        server = voices.room._peers[1].link
        assert len(server._ice._remote_candidates) == MAX_REMOTE_CANDIDATES  # type: ignore[attr-defined]  # the adapter's
        assert dropped(voices)["candidates"] >= MAX_REMOTE_CANDIDATES
    await still_works(voices, 1, 2)


async def test_a_burst_of_handshake_datagrams_waits_within_a_bound(voices: Voices) -> None:
    """aioice's queue for them has none: a peer that sends them faster than they are looked at would fill the memory."""
    await voices.join(1, 2)
    server = voices.room._peers[1].link
    (known,) = server._addresses  # type: ignore[attr-defined]  # the adapter's
    protocol = server._ice._protocols[0]  # type: ignore[attr-defined]  # the adapter's
    for _ in range(150):  # in one turn of the loop: nobody comes to look at them
        protocol.datagram_received(b"\x16\xfe\xfd" + bytes(60), known)
    assert server._ice._queue.qsize() == MAX_WAITING  # type: ignore[attr-defined]  # the adapter's
    assert dropped(voices)["waiting"] == 150 - MAX_WAITING
    await until(lambda: server._ice._queue.qsize() == 0)  # type: ignore[attr-defined]  # the adapter's
    await still_works(voices, 1, 2)


async def test_wild_sequence_numbers_of_a_speaker_reach_nobody(voices: Voices) -> None:
    """Jumps would roll the listeners' SRTP counters over: they are renumbered."""
    await voices.join(1, 2)
    voices.room.mic([1])
    chance = random.Random(3)
    payloads = opus_tone(300, 60)
    for payload in payloads:
        voices.clients[1]._sequence += chance.choice((1, 500, 20_000))
        voices.clients[1]._timestamp += chance.randrange(1 << 31)
        voices.clients[1].send(payload)
        await asyncio.sleep(0.002)
    await until(lambda: len(voices.heard(2)) == 59)
    received = [packet for packet in voices.clients[2].received if len(packet.payload) > 3]
    assert (received[-1].sequence - received[0].sequence) & 0xFFFF == 58
    await still_works(voices, 1, 2)


async def test_a_listener_that_takes_nothing_holds_nobody_up(voices: Voices) -> None:
    """A socket with too much waiting loses new packets, and only its own."""
    await voices.join(1, 2, 3)
    voices.room.mic([1])
    server = voices.room._peers[2].link

    def full(data: memoryview, address: tuple[str, int]) -> int:
        raise BlockingIOError

    server.send(0, 0, False, b"", 0.0)
    server._sendto = full  # type: ignore[attr-defined]  # the adapter's
    payloads = opus_tone(440, 20)
    await speak(voices.clients[1], payloads)
    await until(lambda: len(voices.heard(3)) == 19)
    assert voices.heard(2) == []
    assert server.dropped["write_buffer"] >= 19


@given(st.binary(max_size=120))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_decrypted_bytes_are_survived(data: bytes) -> None:
    """A player's own client may encrypt anything: header extensions, padding, reports of any form."""

    async def play() -> None:
        room = MediaRoom("t", lambda p: None, lambda s: None, LOCAL)
        client = VoiceClient(settings=CLIENT)
        await client.accept(await room.connect(1, await client.offer()))
        await client.connected()
        await until(lambda: room.stats()["alive"] == [1])
        room.mic([1])
        server = room._peers[1].link
        session = server._dtls._rx_srtp  # type: ignore[attr-defined]  # the adapter's

        class Plain:
            unprotect = unprotect_rtcp = staticmethod(bytes)

        server._dtls._rx_srtp = Plain  # type: ignore[attr-defined]  # the adapter's
        server._unprotect = bytes  # type: ignore[attr-defined]  # the adapter's
        (address,) = server._addresses  # type: ignore[attr-defined]  # the adapter's
        for first in (b"\x80", b"\x90", b"\xa0", b"\xb1"):
            for second in (b"\x60", b"\xe0", b"\xc8", b"\xc9"):
                server._payload_type = second[0] & 0x7F  # type: ignore[attr-defined]  # the adapter's
                ssrc = server._ssrc_in.to_bytes(4, "big")  # type: ignore[attr-defined]  # the adapter's
                at = 2 if 192 <= second[0] <= 223 else 6
                wild = first + second + data[:at].ljust(at, b"\x00") + ssrc + data[at:].ljust(4, b"\x00")
                server._srtp(wild, address, 1.0, None)  # type: ignore[attr-defined]  # the adapter's
        server._dtls._rx_srtp = session  # type: ignore[attr-defined]  # the adapter's
        await asyncio.gather(client.close(), room.close())

    asyncio.run(play())


async def test_a_flood_that_goes_on_is_cut_off_with_its_reason_and_the_others_lose_nothing(voices: Voices) -> None:
    voices.room._settings = MediaSettings(addresses=(), flood_packets_per_s=300.0, flood_s=2, cut_off_s=30.0)
    await voices.join(1, 2, 3)
    voices.room.mic([2])
    payloads, sent = opus_tone(440, 20), 0
    stop = asyncio.Event()

    async def flood() -> None:
        while not stop.is_set():
            for _ in range(20):
                voices.clients[1].send(payloads[2])
            await asyncio.sleep(0.01)

    async def talk() -> None:
        nonlocal sent
        while not stop.is_set():
            voices.clients[2].send(payloads[sent % 20])
            sent += 1
            await asyncio.sleep(0.02)

    tasks = [asyncio.ensure_future(flood()), asyncio.ensure_future(talk())]
    await until(lambda: voices.links[-1] == {2, 3}, 20.0)
    with pytest.raises(MediaError, match=r"far more than 120 packets/s; offer again in \d+ s") as refused:
        await voices.attach(1)
    assert refused.value.code == "flood"
    stop.set()
    await asyncio.gather(*tasks)
    await until(lambda: len(voices.heard(3)) == sent - 1)
    numbers = [packet.sequence for packet in voices.clients[3].received if len(packet.payload) > 3]
    assert {(b - a) & 0xFFFF for a, b in pairwise(numbers)} == {1}
    assert dropped(voices)["cut_off"] == 1
    await until(lambda: voices.clients[1].link.down)


async def test_hundreds_of_offers_leave_one_connection_and_the_others_untouched(voices: Voices) -> None:
    await voices.join(1, 2, 3)
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    offer = await client.offer()
    codes: list[str] = []

    async def attack() -> None:
        for number in range(400):
            try:
                await voices.room.connect(1, offer if number % 2 else offer + "x" * 70_000)
            except MediaError as error:
                codes.append(error.code)

    await goes_on(voices, 2, 3, attack)
    assert codes.count("too_many") > 380
    assert voices.room.stats()["peers"] == 3
    assert len(voices.room._offers) == 3


async def test_reports_and_speech_of_any_form_from_a_players_own_keys(voices: Voices) -> None:
    """It has the keys: what it encrypts is decrypted, and then is nothing that we know."""
    await voices.join(1, 2, 3)
    link = voices.clients[1].link
    pair = link._ice._nominated[1]
    chance = random.Random(4)

    async def attack() -> None:
        for number in range(120):
            body = chance.randbytes(chance.choice((0, 4, 16, 24, 200, 1100)))
            for second in (200, 201, 202, 203, 206, 223):
                report = struct.pack("!BBH", 0x80 | chance.randrange(32), second, chance.randrange(1 << 16)) + body
                try:
                    sealed = link._dtls._tx_srtp.protect_rtcp(report + bytes(4))
                except pylibsrtp.Error:
                    continue
                pair.protocol.transport.sendto(sealed, pair.remote_addr)
            if number % 10 == 0:
                link._streams[0].ssrc = chance.randrange(1 << 32)
                voices.clients[1].send(body[:1200] or b"x")
            await asyncio.sleep(0.005)

    own = link._streams[0].ssrc
    await goes_on(voices, 2, 3, attack)
    link._streams[0].ssrc = own
    assert voices.links[-1] == {1, 2, 3}
    assert {packet.seat for packet in voices.tapped} == {2}
    assert dropped(voices)["ssrc"] > 0


async def test_a_flood_of_checks_costs_little_and_the_others_hear_on(voices: Voices) -> None:
    """A stranger's are not even parsed above a limit; a player's own flood of them ends like one of speech."""
    voices.room._settings = MediaSettings(addresses=(), flood_packets_per_s=300.0, flood_s=2)
    await voices.join(1, 2, 3)
    ice = voices.clients[1].link._ice
    pair = ice._nominated[1]
    check = bytes(ice.build_request(pair, nominate=False))

    async def attack() -> None:
        with stranger() as sock:
            for _ in range(40):
                for _ in range(30):
                    sock.sendto(check, pair.remote_addr)
                await asyncio.sleep(0.005)

    await goes_on(voices, 2, 3, attack)
    assert dropped(voices)["strangers"] > 500
    await still_works(voices, 1, 2)

    async def own() -> None:
        while 1 in voices.links[-1]:
            for _ in range(30):
                pair.protocol.transport.sendto(check, pair.remote_addr)
            await asyncio.sleep(0.01)

    await goes_on(voices, 2, 3, own)
    with pytest.raises(MediaError, match="far more than"):
        await voices.attach(1)
