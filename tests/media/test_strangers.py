"""Strangers at the ports: none of them is heard, moves a path or costs much."""

from __future__ import annotations

import asyncio
import random
import struct

import pytest

from tests.media.headers import rtp_header
from voice.media.admission import CHECKS_BURST
from voice.media.client import VoiceClient
from voice.media.moves import AUTHENTICATIONS_BURST, AUTHENTICATIONS_PER_S

from .attack import dropped, garbage, goes_on, received, sealed_by, server_address, still_works, stranger, strangers
from .conftest import CLIENT, Voices, opus_tone, settle, speak, until


async def test_garbage_from_strangers_changes_nothing(voices: Voices, caplog: pytest.LogCaptureFixture) -> None:
    await voices.join(1, 2)
    address = server_address(voices, 1)
    name = f"{voices.clients[1].link._ice.remote_username}:".encode()
    with stranger() as sock:
        for datagram in garbage(random.Random(1)):
            sock.sendto(datagram, address)
            sock.sendto(datagram[:8] + name.ljust(12, b"?") + datagram[20:], address)
            await asyncio.sleep(0)
    await settle()
    await still_works(voices, 1, 2)
    counts = dropped(voices)
    assert counts["oversized"] == 4
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


async def test_who_knows_no_name_is_not_answered_and_takes_nobodys_place(voices: Voices) -> None:
    """A browser that hides its addresses comes from an unknown one; the place for such is not a flood's to fill."""
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    hidden = [line for line in (await client.offer()).splitlines() if not line.startswith("a=candidate:")]
    answer = await voices.room.connect(1, "\r\n".join(hidden) + "\r\n")
    port = next(int(line.split()[5]) for line in answer.splitlines() if line.startswith("a=candidate:"))
    flood = 3 * int(CHECKS_BURST)
    with stranger() as sock:
        sock.setblocking(False)
        for number in range(flood):
            kind = (0x0001, 0x0101, 0x0111, 0x0011)[number % 4]
            sock.sendto(struct.pack("!HHI12s", kind, 0, 0x2112A442, random.randbytes(12)), ("127.0.0.1", port))
            if number % 50 == 49:  # no more than the kernel keeps
                await until(lambda: dropped(voices).get("address", 0) == number + 1)  # noqa: B023 - within the turn
        with pytest.raises(BlockingIOError):
            sock.recv(1500)
    assert dropped(voices) == {"address": flood}
    await client.accept(answer)
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


async def test_a_stolen_ufrag_without_its_password_opens_nothing(voices: Voices) -> None:
    """Who saw the name in the clear (it is in every check) can't become the peer, nor move its path."""
    await voices.join(1, 2, 3)
    ice = voices.clients[1].link._ice
    pair = ice._nominated[1]
    server = voices.room._peers[1].link._ice  # type: ignore[attr-defined]  # the adapter's
    before = server._nominated[1].remote_addr
    with strangers(20) as socks:

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
    await still_works(voices, 1, 2)


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
        got = received(victim)
    assert len([packet for packet in voices.tapped if packet.seat == 1]) == 29
    assert 1 <= len(got) <= 2
    assert all(data[0] <= 3 for data in got), "checks, and not one packet of speech"
    assert sum(map(len, got)) < sum(map(len, held))
    assert server._ice._nominated[1] is before  # type: ignore[attr-defined]  # the adapter's
    assert port not in {candidate.port for candidate in server._ice._remote_candidates}  # type: ignore[attr-defined]  # the adapter's
    assert len(voices.heard(1)) > 90
    await still_works(voices, 1, 2)


async def test_a_check_that_another_passes_on_to_the_peer_moves_nothing(voices: Voices) -> None:
    """The peer answers it, truly signed, from its own address: that is no sign of life at the other's."""
    await voices.join(1, 2)
    voices.room.mic([1, 2])
    server = voices.room._peers[1].link
    before = server._ice._nominated[1]  # type: ignore[attr-defined]  # the adapter's
    peers_own = voices.clients[1].link._ice._nominated[1].protocol
    with stranger() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.setblocking(False)
        (held,) = sealed_by(voices.clients[1], opus_tone(300, 1))
        sock.sendto(held, server_address(voices, 1))
        async with asyncio.timeout(5):
            check = await asyncio.get_running_loop().sock_recv(sock, 1500)
        answered = server._ice._check_list.copy()  # type: ignore[attr-defined]  # the adapter's
        peers_own.datagram_received(check, server_address(voices, 1))  # as if the server had sent it there
        await speak(voices.clients[2], opus_tone(440, 50), 0.02)
        got = received(sock)
        assert all(data[0] <= 3 for data in got), "checks, and not one packet of speech"
        port = sock.getsockname()[1]
    assert server._ice._nominated[1] is before  # type: ignore[attr-defined]  # the adapter's
    assert port not in {candidate.port for candidate in server._ice._remote_candidates}  # type: ignore[attr-defined]  # the adapter's
    assert [pair.remote_addr for pair in server._ice._check_list] == [pair.remote_addr for pair in answered]  # type: ignore[attr-defined]  # the adapter's
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

    def counted_away() -> int:
        counts = dropped(voices)
        return counts.get("strangers", 0) + counts.get("address", 0)

    begin = asyncio.get_running_loop().time()
    with strangers(20) as socks:

        async def attack() -> None:
            for number in range(3000):
                header = rtp_header(96, False, number & 0xFFFF, number * 960, ssrc if number % 2 else ssrc ^ 1)
                socks[number % 20].sendto(header + b"\x48" * 60, address)
                if number % 50 == 49:  # no more than the kernel keeps: all that was sent arrives, and is counted
                    await until(lambda: counted_away() == number + 1)  # noqa: B023 - waited for within the turn

        await goes_on(voices, 2, 3, attack)
        lasted_s = asyncio.get_running_loop().time() - begin
        assert 0 < decrypted <= AUTHENTICATIONS_BURST + AUTHENTICATIONS_PER_S * lasted_s + 1
        assert dropped(voices)["address"] >= 1500
        assert server._moves._checks == {}  # type: ignore[attr-defined]  # the adapter's
    await still_works(voices, 1, 2)
