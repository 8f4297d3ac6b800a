"""Strangers at the ports, and players whose client is not ours."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import socket
import struct
from itertools import pairwise
from typing import TYPE_CHECKING

import pylibsrtp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.media.headers import rtp_header
from voice.media.admission import MAX_REMOTE_CANDIDATES
from voice.media.client import VoiceClient
from voice.media.errors import MediaError
from voice.media.moves import AUTHENTICATIONS_BURST, AUTHENTICATIONS_PER_S
from voice.media.room import MediaRoom
from voice.media.settings import MediaSettings

from .conftest import CLIENT, LOCAL, Voices, opus_tone, settle, speak, until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


def server_address(voices: Voices, seat: int) -> tuple[str, int]:
    """Where the server listens for this seat."""
    address: tuple[str, int] = voices.clients[seat].link._ice._nominated[1].remote_addr
    return address


def dropped(voices: Voices) -> dict[str, int]:
    """The room's counters of dropped packets."""
    counts = voices.room.stats()["dropped"]
    assert isinstance(counts, dict)
    return counts


def stranger() -> socket.socket:
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


async def still_works(voices: Voices, speaker: int, listener: int) -> None:
    voices.room.mic([])
    voices.room.mic([speaker])
    voices.forget()
    payloads = opus_tone(440, 20)
    await speak(voices.clients[speaker], payloads)
    await until(lambda: len(voices.heard(listener)) == 19)
    assert voices.heard(listener) == payloads[1:]


def garbage(chance: random.Random) -> list[bytes]:
    """Datagrams that would end aiortc's transport or reach a parser: empty, too long, of each protocol's first byte."""
    made = [b"", b"\x80", b"\x90" * 1600, b"\x80" * 20_000]
    for first in (0, 1, 2, 3, 16, 20, 22, 23, 63, 64, 79, 127, 128, 144, 191, 192, 255):
        made += [bytes([first]) + os.urandom(chance.randrange(0, 200)) for _ in range(6)]
    cookie = 0x2112A442
    for attribute in (0x0006, 0x0008, 0x0009, 0x0020, 0x0024, 0x0025, 0x8028, 0x8029, 0x0001):
        for size in (0, 1, 3, 4, 7, 20):
            body = struct.pack("!HH", attribute, size) + os.urandom(size) + b"\x00" * (-size % 4)
            made.append(struct.pack("!HHI12s", 0x0001, len(body), cookie, os.urandom(12)) + body)
    return made


async def test_garbage_from_strangers_changes_nothing(voices: Voices, caplog: pytest.LogCaptureFixture) -> None:
    await voices.join(1, 2)
    address = server_address(voices, 1)
    with stranger() as sock:
        for datagram in garbage(random.Random(1)):
            sock.sendto(datagram, address)
            await asyncio.sleep(0)
    await settle()
    await still_works(voices, 1, 2)
    counts = dropped(voices)
    assert counts["oversized"] == 2
    assert counts["garbage"] > 20
    assert counts["address"] > 20
    assert counts["stun"] > 0
    assert not [record for record in caplog.records if record.levelname in ("ERROR", "WARNING")]


async def test_garbage_during_the_handshake_does_not_stop_it(voices: Voices) -> None:
    client = await voices.attach(1)
    ports = [
        int(line.split()[5]) for line in client.link._pc.remoteDescription.sdp.splitlines() if "candidate:" in line
    ]
    with stranger() as sock:
        for _ in range(20):
            for datagram in garbage(random.Random(2)):
                sock.sendto(datagram, ("127.0.0.1", ports[0]))
            await asyncio.sleep(0.001)
    await client.connected()


async def test_rtp_from_a_stranger_is_not_even_decrypted(voices: Voices) -> None:
    await voices.join(1, 2)
    voices.room.mic([1])
    with stranger() as sock:
        for n in range(50):
            sock.sendto(rtp_header(96, False, n, n * 960, 1) + b"\x48" * 60, server_address(voices, 1))
    await settle()
    assert voices.tapped == []
    assert dropped(voices)["address"] == 50
    await still_works(voices, 1, 2)


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
    socks = [stranger() for _ in range(2 * MAX_REMOTE_CANDIDATES)]
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
    for sock in socks:
        sock.close()
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
        (address,) = server._addresses  # type: ignore[attr-defined]  # the adapter's
        for first in (b"\x80", b"\x90", b"\xa0", b"\xb1"):
            for second in (b"\x60", b"\xe0", b"\xc8", b"\xc9"):
                server._srtp(first + second + data, address, 1.0, None)  # type: ignore[attr-defined]  # the adapter's
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


async def goes_on(voices: Voices, speaker: int, listener: int, attack: Callable[[], Awaitable[None]]) -> None:
    """The speaker's audio reaches the listener without a gap while the attack runs."""
    voices.room.mic([])
    voices.room.mic([speaker])
    voices.forget()
    payloads, sent, over = opus_tone(440, 20), 0, asyncio.ensure_future(attack())
    while not over.done() or sent < 20:
        voices.clients[speaker].send(payloads[sent % 20])
        sent += 1
        await asyncio.sleep(0.01)
    over.result()
    await until(lambda: len(voices.heard(listener)) >= sent - 1)
    assert voices.heard(listener) == [payloads[number % 20] for number in range(1, sent)]
    numbers = [packet.sequence for packet in voices.clients[listener].received if len(packet.payload) > 3]
    assert {(b - a) & 0xFFFF for a, b in pairwise(numbers)} == {1}


async def test_a_stolen_ufrag_without_its_password_opens_nothing(voices: Voices) -> None:
    """Who saw the name in the clear (it is in every check) can't become the peer, nor move its path."""
    await voices.join(1, 2, 3)
    ice = voices.clients[1].link._ice
    pair = ice._nominated[1]
    server = voices.room._peers[1].link._ice  # type: ignore[attr-defined]  # the adapter's
    before = server._nominated[1].remote_addr
    socks = [stranger() for _ in range(20)]

    async def attack() -> None:
        for sock in socks:
            for key in (b"", b"guessed-password-of-22-chars"):
                request = ice.build_request(pair, nominate=True)
                if key:
                    request.add_message_integrity(key)
                sock.sendto(bytes(request), pair.remote_addr)
            sock.sendto(rtp_header(96, False, 1, 960, 1) + bytes(60), pair.remote_addr)
            await asyncio.sleep(0.01)

    await goes_on(voices, 2, 3, attack)
    assert server._nominated[1].remote_addr == before
    theirs = {sock.getsockname()[1] for sock in socks}
    assert not theirs & {candidate.port for candidate in server._remote_candidates}
    for sock in socks:
        sock.close()
    await still_works(voices, 1, 2)


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


def sealed_by(client: VoiceClient, payloads: list[bytes]) -> list[bytes]:
    """The client's own next SRTP packets, caught on their way: they don't arrive."""
    link = client.link
    caught: list[bytes] = []
    link._use(link._ice._nominated[1])
    sendto = link._sendto

    def keep(data: memoryview, address: tuple[str, int]) -> int:
        caught.append(bytes(data))
        return len(data)

    link._sendto = keep
    for payload in payloads:
        client.send(payload)
    link._sendto = sendto
    return caught


async def test_a_packet_sent_again_from_another_address_is_not_heard_and_moves_nothing(voices: Voices) -> None:
    """Who can read the wire has the packet, and SRTP takes each but once."""
    await voices.join(1, 2)
    voices.room.mic([1])
    server = voices.room._peers[1].link
    before = server._ice._nominated[1]  # type: ignore[attr-defined]  # the adapter's
    address = server_address(voices, 1)
    sent: list[bytes] = []
    link = voices.clients[1].link
    link._use(link._ice._nominated[1])
    passed_on = link._sendto
    assert passed_on is not None

    def also_kept(data: memoryview, to: tuple[str, int]) -> int:
        sent.append(bytes(data))
        return passed_on(data, to)

    link._sendto = also_kept
    await speak(voices.clients[1], opus_tone(300, 40))
    await until(lambda: len(voices.tapped) == 39)
    with stranger() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.setblocking(False)
        for packet in sent:
            sock.sendto(packet, address)
        await settle()
        with pytest.raises(BlockingIOError):
            sock.recv(1500)
    assert len(voices.tapped) == 39
    assert server._ice._nominated[1] is before  # type: ignore[attr-defined]  # the adapter's
    assert dropped(voices)["address"] == len(sent)
    await still_works(voices, 1, 2)


async def test_a_packet_held_back_and_sent_from_a_spoofed_address_costs_a_victim_two_checks(voices: Voices) -> None:
    """It is authentic and came first, so it is heard; speech goes nowhere but to an address that answers a check."""
    await voices.join(1, 2)
    voices.room.mic([1, 2])
    server = voices.room._peers[1].link
    before = server._ice._nominated[1]  # type: ignore[attr-defined]  # the adapter's
    held = sealed_by(voices.clients[1], opus_tone(300, 30))
    with stranger() as victim:
        victim.bind(("127.0.0.1", 0))
        victim.setblocking(False)
        port = victim.getsockname()[1]
        for packet in held:
            victim.sendto(packet, server_address(voices, 1))
        others = opus_tone(440, 100)
        await speak(voices.clients[2], others, 0.02)
        got = []
        with contextlib.suppress(BlockingIOError):
            while True:
                got.append(victim.recv(1500))
    assert len([packet for packet in voices.tapped if packet.seat == 1]) == 29
    assert 1 <= len(got) <= 2
    assert all(data[0] <= 3 for data in got), "checks, and not one packet of speech"
    assert sum(map(len, got)) < sum(map(len, held))
    assert server._ice._nominated[1] is before  # type: ignore[attr-defined]  # the adapter's
    assert port not in {candidate.port for candidate in server._ice._remote_candidates}  # type: ignore[attr-defined]  # the adapter's
    assert len(voices.heard(1)) > 90
    await still_works(voices, 1, 2)


async def test_a_flood_from_unknown_addresses_is_decrypted_within_a_limit(voices: Voices) -> None:
    """With the peer's SSRC, which anybody on the way can read; without it, not at all."""
    await voices.join(1, 2, 3)
    server = voices.room._peers[1].link
    decrypted = 0
    voices.room.mic([1])
    await speak(voices.clients[1], opus_tone(300, 2))
    await until(lambda: server._unprotect is not None)  # type: ignore[attr-defined]  # the adapter's
    unprotect = server._unprotect  # type: ignore[attr-defined]  # the adapter's

    def counted(data: bytes) -> bytes:
        nonlocal decrypted
        decrypted += 1
        return bytes(unprotect(data))

    server._unprotect = counted  # type: ignore[attr-defined]  # the adapter's
    ssrc = server._ssrc_in  # type: ignore[attr-defined]  # the adapter's
    address = server_address(voices, 1)
    begin = asyncio.get_running_loop().time()
    socks = [stranger() for _ in range(20)]

    async def attack() -> None:
        for number in range(3000):
            header = rtp_header(96, False, number & 0xFFFF, number * 960, ssrc if number % 2 else ssrc ^ 1)
            socks[number % 20].sendto(header + b"\x48" * 60, address)
            if number % 20 == 0:
                await asyncio.sleep(0.002)

    await goes_on(voices, 2, 3, attack)
    lasted_s = asyncio.get_running_loop().time() - begin
    assert 0 < decrypted <= AUTHENTICATIONS_BURST + AUTHENTICATIONS_PER_S * lasted_s + 1
    counts = dropped(voices)
    assert counts["strangers"] + counts["address"] == 3000
    assert counts["address"] >= 1500
    assert server._moves._checks == {}  # type: ignore[attr-defined]  # the adapter's
    for sock in socks:
        sock.close()
    await still_works(voices, 1, 2)
