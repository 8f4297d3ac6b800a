"""One table's voice, with real peers: who hears whom, connections, and how they end."""

from __future__ import annotations

import asyncio
import re
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

import pytest

from voice.media.client import VoiceClient
from voice.media.errors import MediaError
from voice.media.peer import PeerLink
from voice.media.room import MediaRoom
from voice.media.rtp import DTX, SILENCE
from voice.media.settings import MediaSettings
from voice.media.slot import KEEP_S

from .attack import dropped
from .conftest import CLIENT, LOCAL, Voices, energy, opus_tone, settle, speak, tone, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from voice.media.pace import Pace
    from voice.media.sdp import Section


async def test_everyone_else_hears_the_open_seat_byte_for_byte(voices: Voices) -> None:
    await voices.join(1, 2, 3, "m1", "m2")
    voices.room.mic([2])
    payloads = opus_tone(440, 40)
    await speak(voices.clients[2], payloads)
    await until(lambda: len(voices.heard("m2")) == 39)
    await settle()
    for viewer in (1, 3, "m1", "m2"):
        assert voices.heard(viewer) == payloads[1:]  # the first packet of an opening is never used
    assert voices.heard(2) == []
    assert [packet.payload for packet in voices.tapped] == payloads[1:]
    assert {(packet.seat, packet.epoch) for packet in voices.tapped} == {(2, 1)}


async def test_a_listener_gets_one_steady_stream_of_many_speakers(voices: Voices) -> None:
    await voices.join(1, 2, 3)
    for seat in (1, 2, 1, 2):
        voices.room.mic([seat])
        await speak(voices.clients[seat], opus_tone(300, 20))
        await settle(0.1)
    received = list(voices.clients[3].received)
    steps = [(b.sequence - a.sequence) & 0xFFFF for a, b in pairwise(received)]
    assert set(steps) == {1}
    forward = [(b.timestamp - a.timestamp) & 0xFFFFFFFF for a, b in pairwise(received)]
    assert all(0 < step < 48_000 and step % 960 == 0 for step in forward)
    assert len(voices.heard(3)) == 4 * 19


async def test_lost_packets_stay_visible_to_the_listener(voices: Voices) -> None:
    await voices.join(1, 2)
    voices.room.mic([1])
    client, payloads = voices.clients[1], opus_tone(300, 10)
    for number, payload in enumerate(payloads):
        if number in (4, 5):
            client._sequence += 1
            client._timestamp += 960
        else:
            client.send(payload)
    await until(lambda: len(voices.heard(2)) == 7)
    sequences = [p.sequence for p in voices.clients[2].received if len(p.payload) > 3]
    assert [(s - sequences[0]) & 0xFFFF for s in sequences] == [0, 1, 2, 5, 6, 7, 8]


async def test_a_moderator_is_never_heard(voices: Voices) -> None:
    """Even one who offers to send: the answer declines, and what comes is dropped."""
    await voices.join(1)
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    answer = await voices.room.connect("m1", await client.offer())
    assert "a=sendonly" in answer
    await client.accept(answer)
    await client.connected()
    await until(lambda: voices.room._peers["m1"].link.connected)
    voices.room.mic([1])
    await speak(client, opus_tone(500, 10))
    await until(lambda: dropped(voices).get("listener") == 10)
    assert voices.heard(1) == []
    assert voices.tapped == []


async def test_silence_follows_a_speaker_and_then_a_sign_of_life(voices: Voices) -> None:
    await voices.join(1, 2)
    voices.room.mic([1])
    await speak(voices.clients[1], opus_tone(300, 5))
    await until(lambda: len(voices.heard(2)) == 4)
    voices.room.mic([])
    voices.clients[2].received.clear()
    await until(lambda: len(voices.clients[2].received) >= 7)
    payloads = [packet.payload for packet in voices.clients[2].received]
    assert payloads[:5] == [SILENCE] * 4 + [DTX]
    assert set(payloads[5:]) == {DTX}


async def test_a_client_with_one_stream_hears_who_talks_until_a_pause(voices: Voices) -> None:
    voices.asks = 1
    await voices.join(1, 2, 3)
    voices.room.mic([1, 2])
    one, two = opus_tone(300, 20), opus_tone(700, 20)
    for first, second in zip(one, two, strict=True):
        voices.clients[1].send(first)
        await asyncio.sleep(0.004)
        voices.clients[2].send(second)
        await asyncio.sleep(0.004)
    await settle()
    assert voices.heard(3) == one[1:]
    assert sorted({packet.seat for packet in voices.tapped}) == [1, 2]
    await settle(KEEP_S)
    await speak(voices.clients[2], two)
    await settle()
    assert voices.heard(3) == one[1:] + two


async def test_a_tap_that_fails_does_not_stop_the_voice(voices: Voices, caplog: pytest.LogCaptureFixture) -> None:
    def fails(packet: object) -> None:
        raise RuntimeError("the tap's own error")

    await voices.join(1, 2)
    voices.room._on_packet = fails
    voices.room.mic([1])
    await speak(voices.clients[1], opus_tone(300, 10))
    await until(lambda: len(voices.heard(2)) == 9)
    assert voices.room.stats()["dropped"]["tap"] == 9  # type: ignore[index]


async def test_a_client_speaks_its_pcm_in_real_time_and_is_heard(voices: Voices) -> None:
    await voices.join(1, 2)
    voices.room.mic([1])
    voices.clients[1].speak(True, tone(440, 0.6))
    await until(lambda: not voices.clients[1].speaking)
    await settle()
    pcm = voices.clients[2].heard()
    assert energy(pcm, 440) > 0.1
    assert energy(pcm, 1000) < 0.01


# --- connections


async def test_the_newest_connection_of_a_seat_wins(voices: Voices) -> None:
    await voices.join(1, 2)
    old = voices.clients[1]
    await voices.join(1)
    voices.room.mic([1])
    for payload in opus_tone(300, 5):
        old.send(payload)
    await speak(voices.clients[1], payloads := opus_tone(900, 10))
    await until(lambda: len(voices.heard(2)) == 9)
    await settle()
    assert voices.heard(2) == payloads[1:]
    assert voices.room.stats()["peers"] == 2
    await until(lambda: old.link.down)


async def test_two_offers_at_once_leave_one_connection(voices: Voices) -> None:
    clients = [VoiceClient(settings=CLIENT) for _ in range(3)]
    voices.others += clients
    answers = await asyncio.gather(
        *(voices.room.connect(1, offer) for offer in [await client.offer() for client in clients]),
        return_exceptions=True,
    )
    refused = [answer for answer in answers if isinstance(answer, MediaError)]
    assert [error.code for error in refused] == ["superseded", "superseded"]
    assert isinstance(answers[2], str)
    assert voices.room.stats()["peers"] == 1


async def test_a_seat_that_reconnects_in_its_own_minute_speaks_on(voices: Voices) -> None:
    await voices.join(1, 2)
    voices.room.mic([1])
    await speak(voices.clients[1], opus_tone(300, 10))
    await voices.clients[1].close()
    await until(lambda: voices.links[-1] == {2})
    await voices.join(1)
    voices.forget()
    await speak(voices.clients[1], payloads := opus_tone(600, 10))
    await until(lambda: len(voices.heard(2)) == 9)
    assert voices.heard(2) == payloads[1:]


async def test_a_seat_that_reconnects_stays_closed(voices: Voices) -> None:
    await voices.join(1, 2)
    voices.room.mic([2])
    await voices.join(1)
    await speak(voices.clients[1], opus_tone(600, 10))
    await settle()
    assert voices.heard(2) == []
    assert voices.tapped == []


async def test_a_full_socket_is_read_whole_before_an_opening(voices: Voices) -> None:
    """A server that stood still for seconds takes nothing that came meanwhile for speech of the minute."""
    voices.room._settings = CLIENT
    await voices.join(1, 2)
    payloads = opus_tone(300, 5)
    for number in range(1000):  # more than the socket takes; the server can't read meanwhile
        voices.clients[1].send(payloads[number % 5])
    voices.room.mic([1])
    waited = voices.room.stats()["dropped"]
    assert isinstance(waited, dict)
    assert waited["closed"] > 256
    await settle()
    assert voices.tapped == []
    await speak(voices.clients[1], opus_tone(440, 20))
    await until(lambda: len(voices.heard(2)) == 19)


async def test_links_are_told_as_they_come_and_go(voices: Voices) -> None:
    await voices.join(1, 2, "m")
    assert voices.links[-1] == {1, 2}
    await voices.clients[2].close()
    await until(lambda: voices.links[-1] == {1})
    await voices.room.disconnect(1)
    assert voices.links[-1] == set()
    await voices.room.disconnect(1)
    await until(lambda: voices.clients[1].link.down)


async def test_a_killed_client_is_noticed_in_seconds(voices: Voices) -> None:
    voices.room._settings = MediaSettings(addresses=(), silent_after_s=1.5, probe_after_s=0.5)
    await voices.join(1, 2)
    dead = voices.clients[1].link
    for protocol in dead._ice._protocols:  # the process is gone: its sockets answer nothing
        protocol.transport.abort()
    assert dead._ice._query_consent_task is not None
    await until(lambda: voices.links[-1] == {2}, 6.0)
    await settle(1.0)
    assert voices.links[-1] == {2}, "a living client that is silent is asked, and answers"


class Relay(asyncio.DatagramProtocol):
    """A NAT between a client and the server, which can change its outer port in the middle of a call."""

    def __init__(self, server: tuple[str, int]) -> None:
        self.server = server
        self.client: tuple[str, int] | None = None

    async def start(self) -> int:
        loop = asyncio.get_running_loop()
        self.inner, _ = await loop.create_datagram_endpoint(lambda: self, local_addr=("127.0.0.1", 0))
        await self.rebind()
        port: int = self.inner.get_extra_info("sockname")[1]
        return port

    async def rebind(self) -> None:
        relay = self

        class Outer(asyncio.DatagramProtocol):
            def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
                if relay.client is not None:
                    relay.inner.sendto(data, relay.client)

        loop = asyncio.get_running_loop()
        before = getattr(self, "outer", None)
        self.outer, _ = await loop.create_datagram_endpoint(Outer, local_addr=("127.0.0.1", 0))
        if before is not None:
            before.close()

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.client = addr
        self.outer.sendto(data, self.server)


async def test_a_listener_whose_nat_rebinds_hears_on(voices: Voices) -> None:
    """The pair that ICE nominated is read at each send: a kept one would send to the old port for ever."""
    await voices.join(1)
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    voices.clients[2] = client
    offer = re.sub(r"a=candidate:.*\r\n", "", await client.offer())
    answer = await voices.room.connect(2, offer)
    port = re.search(r"a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 (\d+) typ host", answer)
    assert port is not None
    relay = Relay(("127.0.0.1", int(port[1])))
    inner = await relay.start()
    await client.accept(answer.replace(f"127.0.0.1 {port[1]} typ", f"127.0.0.1 {inner} typ"))
    await client.connected()
    await until(lambda: voices.links[-1] == {1, 2})
    voices.room.mic([1])
    await speak(voices.clients[1], opus_tone(300, 10))
    await until(lambda: len(voices.heard(2)) == 9)

    await relay.rebind()
    pair = client.link._ice._nominated[1]
    request = client.link._ice.build_request(pair, nominate=True)  # a browser's next check, without waiting for it
    assert client.link._ice.remote_password is not None
    request.add_message_integrity(client.link._ice.remote_password.encode())
    pair.protocol.send_stun(request, pair.remote_addr)
    await settle(0.3)
    voices.forget()
    await speak(voices.clients[1], opus_tone(300, 10))
    await until(lambda: len(voices.heard(2)) == 10)
    relay.inner.close()
    relay.outer.close()


async def test_an_offer_that_nobody_follows_is_closed(voices: Voices) -> None:
    voices.room._settings = MediaSettings(addresses=(), connect_timeout_s=0.3)
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    await voices.room.connect(1, await client.offer())
    assert voices.room.stats()["peers"] == 1
    await until(lambda: voices.room.stats()["peers"] == 0)


async def test_a_peer_whose_handshake_never_ends_is_closed(voices: Voices) -> None:
    """ICE is up, DTLS gets nowhere: aiortc by itself would go on trying."""
    voices.room._settings = MediaSettings(addresses=(), connect_timeout_s=1.0)
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    client.link._admission.refuses = lambda data, known, now: "dtls" if data[0] > 3 else None  # type: ignore[method-assign]
    await client.accept(await voices.room.connect(1, await client.offer()))
    await until(lambda: client.link.dropped.get("dtls", 0) > 0)
    assert voices.links == []
    await until(lambda: voices.room.stats()["peers"] == 0)


async def test_a_connection_that_does_not_close_is_torn_down(voices: Voices, open_files: Callable[[], int]) -> None:
    voices.room._settings = MediaSettings(addresses=(), close_timeout_s=0.2)
    await voices.join(1)
    link = voices.room._peers[1].link
    files = open_files()
    link._pc.close = asyncio.Event().wait  # type: ignore[attr-defined]  # the adapter's
    async with asyncio.timeout(2.0):
        await voices.room.disconnect(1)
    await until(lambda: open_files() < files)


async def test_bad_offers_leave_nothing_behind(voices: Voices) -> None:
    await voices.join(1, 2)
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    good = await client.offer()
    for bad in ("", "v=0\r\n", good.replace("m=audio", "m=video"), good.replace("opus", "speex")):
        with pytest.raises(MediaError):
            await voices.room.connect(3, bad)
    with pytest.raises(MediaError, match="sendrecv or recvonly"):
        await voices.room.connect(1, good.replace("a=sendrecv", "a=inactive"))
    assert voices.room.stats()["peers"] == 2
    voices.room.mic([1])
    await speak(voices.clients[1], opus_tone(300, 5))
    await until(lambda: len(voices.heard(2)) == 4)


async def test_too_many_offers_and_moderators_are_refused(voices: Voices) -> None:
    room = MediaRoom("t", lambda p: None, lambda s: None, MediaSettings(addresses=(), offers_burst=2, moderators=1))
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    offer = await client.offer()
    await room.connect("m1", offer)
    await room.connect("m1", offer)
    for viewer in ("m1", "m2"):
        with pytest.raises(MediaError) as refused:
            await room.connect(viewer, offer)
        assert refused.value.code == "too_many"
    await room.close()
    with pytest.raises(MediaError) as refused:
        await room.connect(1, offer)
    assert refused.value.code == "closed"


async def test_no_more_moderators_than_may_be_in_any_order(voices: Voices) -> None:
    """Also where they come at once, or one comes back; who listens already may offer again."""
    room = MediaRoom("t", lambda p: None, lambda s: None, MediaSettings(addresses=(), moderators=1))
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    offer = await client.offer()
    answers = await asyncio.gather(*(room.connect(name, offer) for name in ("m1", "m2")), return_exceptions=True)
    (refused,) = (each for each in answers if isinstance(each, MediaError))
    assert refused.code == "too_many"
    await room.disconnect("m1")
    await room.connect("m2", offer)
    with pytest.raises(MediaError, match="at most 1 moderators"):
        await room.connect("m1", offer)
    await room.connect("m2", offer)
    assert room.stats()["peers"] == 1
    await room.close()


@pytest.mark.parametrize("when", ["at once", "in the handshake"])
async def test_closing_in_the_middle_of_a_handshake_ends(voices: Voices, when: str) -> None:
    room = MediaRoom("t", lambda p: None, lambda s: None, LOCAL)
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    offer = await client.offer()
    connecting = asyncio.ensure_future(room.connect(1, offer))
    if when == "in the handshake":
        await client.accept(await connecting)
        await asyncio.sleep(0.01)
    else:
        await asyncio.sleep(0)
    async with asyncio.timeout(3.0):
        await room.close()
    if when == "at once":
        with pytest.raises(MediaError) as refused:
            await connecting
        assert refused.value.code == "superseded"


async def test_an_attempt_that_failed_is_forgotten(voices: Voices, monkeypatch: pytest.MonkeyPatch) -> None:
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    sdp = await client.offer()

    async def no_libraries() -> NoReturn:
        raise MediaError("unsupported", "this server's libraries")

    async def busy(pace: Pace) -> NoReturn:
        raise MediaError("busy", "many are connecting now")

    async def no_answer(link: PeerLink, offer: Section, speak: bool) -> NoReturn:
        raise MediaError("bad_sdp", "the offer can't be answered")

    for place, fails, code in (
        ("voice.media.selftest.link_factory", no_libraries, "unsupported"),
        ("voice.media.pace.Pace.turn", busy, "busy"),
        ("voice.media.peer.PeerLink.answer", no_answer, "bad_sdp"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(place, fails)
            with pytest.raises(MediaError) as refused:
                await voices.room.connect(1, sdp)
        assert refused.value.code == code
        assert voices.room._attempts == {}


async def test_a_link_that_is_down_before_it_is_the_viewers_takes_nobodys_place(
    voices: Voices, monkeypatch: pytest.MonkeyPatch
) -> None:
    await voices.join(1)
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    answer = PeerLink.answer

    async def too_late(link: PeerLink, offer: Section, speak: bool) -> str:
        made = await answer(link, offer, speak)
        link._too_late()
        return made

    monkeypatch.setattr(PeerLink, "answer", too_late)
    with pytest.raises(MediaError) as refused:
        await voices.room.connect(1, await client.offer())
    assert refused.value.code == "busy"
    assert voices.room.stats()["peers"] == 1
    assert not voices.clients[1].link.down
    assert voices.links[-1] == {1}


async def test_a_failed_attempt_leaves_a_newer_one_alone(voices: Voices, monkeypatch: pytest.MonkeyPatch) -> None:
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    sdp = await client.offer()
    begun, fail = asyncio.Event(), asyncio.Event()
    answer = PeerLink.answer

    async def late(link: PeerLink, offer: Section, speak: bool) -> str:
        if begun.is_set():
            return await answer(link, offer, speak)
        begun.set()
        await fail.wait()
        raise MediaError("bad_sdp", "the offer can't be answered")

    monkeypatch.setattr(PeerLink, "answer", late)
    older = asyncio.create_task(voices.room.connect(1, sdp))
    await begun.wait()
    newer = asyncio.create_task(voices.room.connect(1, sdp))
    await until(lambda: voices.room._serial == 2)
    fail.set()
    with pytest.raises(MediaError) as refused:
        await older
    assert refused.value.code == "bad_sdp"
    assert "a=candidate" in await newer
    assert voices.room._attempts == {}
    assert voices.room.stats()["peers"] == 1


async def test_thirty_connections_leave_no_task_thread_or_socket(voices: Voices, open_files: Callable[[], int]) -> None:
    """The fixture counts the threads and tasks at the end."""
    voices.room._settings = MediaSettings(addresses=(), offers_burst=100)
    await voices.join(1)
    await voices.clients[1].close()
    await until(lambda: voices.room.stats()["peers"] == 0)
    tasks, files = len(asyncio.all_tasks()), open_files()
    for _ in range(30):
        await voices.join(1)
        await voices.clients[1].close()
        await until(lambda: voices.room.stats()["peers"] == 0)
    voices.others.clear()
    await until(lambda: len(asyncio.all_tasks()) <= tasks)
    await until(lambda: open_files() <= files)
