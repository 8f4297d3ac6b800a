"""Links that fail: what a real network does to one player's datagrams, and what the others then hear."""

from __future__ import annotations

import asyncio
import gc
import random
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import aioice.ice
import pytest
from aiortc import RTCPeerConnection

from voice.bench.link import GOOD, BadLink, Fate, Impairment, without_candidates
from voice.media import listener as listener_module
from voice.media import room as room_module
from voice.media import writer as writer_module
from voice.media.client import VoiceClient
from voice.media.errors import MediaError
from voice.media.peer import PeerLink
from voice.media.room import MediaRoom
from voice.media.rtp import difference
from voice.media.settings import MediaSettings

from .conftest import CLIENT, LOCAL, Voices, opus_tone, settle, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

WEATHERS = {
    "1 % loss": Impairment(loss=0.01),
    "5 % loss in bursts of 3": Impairment(loss=0.05, burst=3.0),
    "20 % loss": Impairment(loss=0.2),
    "reordering": Impairment(reorder=0.2, reorder_s=0.03),
    "jitter": Impairment(delay_s=0.02, jitter_s=0.06),
    "duplicates": Impairment(duplicate=0.3),
    "all at once": Impairment(loss=0.05, burst=2.0, delay_s=0.01, jitter_s=0.03, reorder=0.1, duplicate=0.1),
}


@pytest.fixture
def no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is put in where this machine stands still for half a second: places in the stream can be counted."""
    for module in (listener_module, writer_module, room_module):
        monkeypatch.setattr(module, "FILL_S", 60.0)


def frames(count: int) -> list[bytes]:
    """Payloads that can be told apart by their number."""
    return [b"\x48" + number.to_bytes(2, "big") + bytes(random.Random(number).randbytes(40)) for number in range(count)]


@asynccontextmanager
async def linked(voices: Voices, seat: int, up: Impairment, down: Impairment, seed: int = 7) -> AsyncIterator[BadLink]:
    """The seat's client comes over a bad link; it offers again, as a page does, until it is connected."""
    link = await BadLink.start(up, down, seed)
    try:
        for _ in range(5):
            client = await over(voices, seat, link)
            try:
                await client.connected(6.0)
                break
            except (MediaError, TimeoutError):
                await client.close()
        await until(lambda: bool(voices.links) and seat in voices.links[-1])
        yield link
    finally:
        link.close()


async def over(voices: Voices, seat: int, link: BadLink) -> VoiceClient:
    """Send the offer of a new client of this seat, whose datagrams take this link."""
    client = VoiceClient(settings=CLIENT)
    voices.others.append(client)
    voices.clients[seat] = client
    await client.accept(link.between(await voices.room.connect(seat, without_candidates(await client.offer()))))
    return client


def numbers_heard(voices: Voices, viewer: int, sent: list[bytes]) -> list[int]:
    """Which of the frames a viewer heard; each must stand at its own place in the stream, and once."""
    at = {payload: number for number, payload in enumerate(sent)}
    packets = [packet for packet in voices.clients[viewer].received if len(packet.payload) > 3]
    first = packets[0]
    for packet in packets:
        step = at[packet.payload] - at[first.payload]
        assert difference(packet.sequence, first.sequence, 16) == step
        assert difference(packet.timestamp, first.timestamp, 32) == step * 960
    heard = [at[packet.payload] for packet in packets]
    assert len(set(heard)) == len(heard), "nothing is heard twice"
    return heard


@pytest.mark.usefixtures("no_silence")
@pytest.mark.parametrize("weather", WEATHERS.values(), ids=WEATHERS.keys())
async def test_a_speaker_and_a_listener_in_bad_weather(voices: Voices, weather: Impairment) -> None:
    """Loss stays visible at its place, repeats are taken out, late packets are still of use; the others lose nothing
    of what the server got."""
    await voices.join(3)
    async with linked(voices, 1, weather, weather) as one, linked(voices, 2, weather, weather, seed=30) as two:
        voices.room.mic([1])
        sent = frames(150)
        for payload in sent:
            voices.clients[1].send(payload)
            await asyncio.sleep(0.01)
        await settle(0.3)
        near = numbers_heard(voices, 3, sent)
        far = numbers_heard(voices, 2, sent)
        tapped = [sent.index(packet.payload) for packet in voices.tapped]
        assert near == [number for number in tapped if number >= near[0]], "older than its beginning has no place"
        lost = 0.05 + 3 * weather.loss
        assert len(near) >= len(sent) * (1 - lost)
        assert len(far) >= len(near) * (1 - lost)
        assert set(far) <= set(near)
        if weather.loss:
            assert one.up.counts.lost + two.down.counts.lost > 0
        if weather.duplicate:
            assert one.up.counts.repeated > 10
        if weather.reorder:
            assert near != sorted(near)


@pytest.mark.usefixtures("no_silence")
async def test_report_1_and_6_one_loss_and_a_stalled_listener_leave_no_delay(voices: Voices) -> None:
    """No buffer of ours may fill up: what comes after a loss, or after a stall of a listener, goes out at once."""
    await voices.join(3)
    async with linked(voices, 1, GOOD, GOOD) as one, linked(voices, 2, GOOD, GOOD) as two:
        voices.room.mic([1])
        sent = frames(60)
        for number, payload in enumerate(sent):
            one.dead = number == 10
            two.dead = 20 <= number < 50
            voices.clients[1].send(payload)
            await asyncio.sleep(0.02 if one.dead else 0.0)
            await until(lambda number=number: one.dead or voices.heard(3)[-1:] == [sent[number]] or number == 0)  # type: ignore[misc]
        await until(lambda: voices.heard(2)[-1:] == [sent[-1]])
        assert numbers_heard(voices, 3, sent) == [*range(1, 10), *range(11, 60)]
        assert numbers_heard(voices, 2, sent) == [*range(1, 10), *range(11, 20), *range(50, 60)]


@pytest.mark.usefixtures("no_silence")
@pytest.mark.parametrize("seat", [1, 2], ids=["the speaker's", "the listener's"])
async def test_report_23_a_nat_that_rebinds_costs_less_than_a_second(voices: Voices, seat: int) -> None:
    """No signalling: the next check of the client, here every 0.25 s as measured with Chromium, moves the path."""
    await voices.join(3)
    async with linked(voices, 1, GOOD, GOOD) as one, linked(voices, 2, GOOD, GOOD) as two:
        voices.room.mic([1])
        sent = frames(150)

        async def checks() -> None:
            while True:
                await asyncio.sleep(0.25)
                ice = voices.clients[seat].link._ice
                request = ice.build_request(ice._nominated[1], nominate=True)
                assert ice.remote_password is not None
                request.add_message_integrity(ice.remote_password.encode())
                ice._nominated[1].protocol.send_stun(request, ice._nominated[1].remote_addr)

        checking = asyncio.ensure_future(checks())
        for number, payload in enumerate(sent):
            if number == 50:
                await (one if seat == 1 else two).rebind()
            voices.clients[1].send(payload)
            await asyncio.sleep(0.02)
        checking.cancel()
        await settle()
        heard = numbers_heard(voices, 2, sent)
        assert heard[-1] == 149
        if seat == 1:
            assert len(heard) == 149, "a speaker is followed by its speech"
        else:
            assert 100 <= len(heard) < 149, "the old port was used no more, and less than a second was lost"
        assert len(numbers_heard(voices, 3, sent)) == 149


@pytest.mark.usefixtures("no_silence")
@pytest.mark.parametrize("weather", [GOOD, Impairment(loss=0.05, delay_s=0.02, jitter_s=0.02)], ids=["good", "bad"])
async def test_report_23_a_speaker_whose_nat_rebinds_is_followed_by_its_speech(
    voices: Voices, weather: Impairment
) -> None:
    """Not one check of the client's: its own packets show where it is, and the path moves with the answer to ours."""
    await voices.join(3)
    async with linked(voices, 1, weather, weather) as one:
        voices.room.mic([1, 3])
        server = voices.room._peers[1].link._ice  # type: ignore[attr-defined]  # the adapter's
        sent, others = frames(200), opus_tone(300, 200)
        before = server._nominated[1].remote_addr
        for number, payload in enumerate(sent):
            if number == 50:
                await one.rebind()
                ports = {candidate.port for candidate in server._remote_candidates}
            voices.clients[1].send(payload)
            voices.clients[3].send(others[number])
            await asyncio.sleep(0.01)
        await settle()
        after = server._nominated[1].remote_addr
        assert after != before
        assert after[1] not in ports, "no check of the client's told it"
        heard = numbers_heard(voices, 3, sent)
        assert heard[-1] >= 190
        # What speech says at once is heard at once, but for the weather's part.
        assert len([number for number in heard if number >= 50]) >= 150 - 30 * bool(weather.loss)
        # And the others' voice finds it within a second.
        late = [packet for packet in voices.clients[1].received if packet.payload in set(others[100:])]
        assert len(late) > (99 if not weather.loss else 60)


async def test_report_9_a_handshake_that_is_lost_frees_its_place(voices: Voices) -> None:
    """ICE is up and every DTLS datagram is lost: the connection ends by the deadline, and the next one has the seat."""
    assert MediaSettings().connect_timeout_s <= 10.0
    voices.room._settings = MediaSettings(addresses=(), connect_timeout_s=1.0)
    link = await BadLink.start()
    link.blocks = lambda data: 20 <= data[0] <= 63
    client = await over(voices, 1, link)
    await until(lambda: client.link._ice._nominated.get(1) is not None)
    assert voices.room.stats()["peers"] == 1
    await until(lambda: voices.room.stats()["peers"] == 0)
    link.close()
    await voices.join(1)


@pytest.mark.usefixtures("no_silence")
async def test_report_10_and_24_dead_air_is_noticed_and_a_whole_new_connection_takes_the_seat(voices: Voices) -> None:
    voices.room._settings = MediaSettings(addresses=(), silent_after_s=1.5, probe_after_s=0.5)
    await voices.join(3)
    async with linked(voices, 1, GOOD, GOOD) as one:
        voices.room.mic([1])
        one.dead = True
        await until(lambda: voices.links[-1] == {3})
        before = voices.clients[1]
    async with linked(voices, 1, GOOD, GOOD):
        sent = frames(20)
        for payload in sent:
            voices.clients[1].send(payload)
            await asyncio.sleep(0.005)
        await until(lambda: len(voices.heard(3)) == 19)
        assert numbers_heard(voices, 3, sent) == list(range(1, 20))
        assert voices.clients[1] is not before
        assert voices.room.stats()["peers"] == 2


async def test_report_25_a_reoffer_with_new_credentials_is_a_new_connection(voices: Voices) -> None:
    """An ICE restart is answered by a connection of its own; the old one is closed, and nothing of it is reused."""
    await voices.join(1, 2)
    old = voices.room._peers[1].link
    renewed = VoiceClient(settings=CLIENT)
    voices.others.append(renewed)
    answer = await voices.room.connect(1, await renewed.offer())
    assert isinstance(old, PeerLink)
    assert f"a=ice-ufrag:{old._ice.local_username}\r\n" not in answer
    await renewed.accept(answer)
    await renewed.connected()
    await until(lambda: voices.clients[1].link.down)
    voices.clients[1] = renewed
    await until(lambda: voices.links[-1] == {1, 2})
    voices.room.mic([1])
    sent = frames(10)
    for payload in sent:
        renewed.send(payload)
        await asyncio.sleep(0.005)
    await until(lambda: len(voices.heard(2)) == 9)


async def test_report_14_muted_for_ten_minutes_is_quiet_in_the_log(
    voices: Voices,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Ten minutes at a hundredfold pace: 120 consent checks, 600 ticks, not one packet of the seat."""
    monkeypatch.setattr(aioice.ice, "CONSENT_INTERVAL", 0.05)
    monkeypatch.setattr(room_module, "TICK_S", 0.01)
    await voices.join(1, 2)
    await asyncio.sleep(6.0)
    assert voices.links[-1] == {1, 2}
    assert all(not client.link.down for client in voices.clients.values())
    assert voices.room.stats()["dropped"] == {}
    assert [record for record in caplog.records if record.levelno >= 30] == []
    said = capsys.readouterr()
    assert "warning" not in (said.out + said.err).lower()
    assert "error" not in (said.out + said.err).lower()


async def test_report_29_no_media_before_the_connection_is_there(voices: Voices) -> None:
    """Not one SRTP datagram leaves for a client that has no keys yet, while somebody speaks all the time."""
    await voices.join(1)
    voices.room.mic([1])

    async def talk() -> None:
        for payload in frames(2000):
            voices.clients[1].send(payload)
            await asyncio.sleep(0.002)

    talking = asyncio.ensure_future(talk())
    for seed in range(6):
        slow = Impairment(delay_s=0.01, jitter_s=0.02, loss=0.05)
        async with linked(voices, 2, slow, slow, seed):
            await until(lambda: len(voices.heard(2)) > 5)
            assert voices.clients[2].link.dropped.get("early", 0) == 0
    talking.cancel()


async def test_report_8_closing_at_any_moment_of_the_handshake_ends_in_time(voices: Voices) -> None:
    chance = random.Random(8)
    for _ in range(25):
        room = MediaRoom("t", lambda packet: None, lambda seats: None, LOCAL)
        client = VoiceClient(settings=CLIENT)
        voices.others.append(client)
        await client.accept(await room.connect(1, await client.offer()))
        await asyncio.sleep(chance.random() * 0.12)
        async with asyncio.timeout(LOCAL.close_timeout_s + 1.0):
            await room.close()
        await client.close()


async def test_report_5_joins_and_leaves_leave_nothing_in_memory(voices: Voices) -> None:
    """Every second one closes by itself, the others are replaced or disconnected in the middle of it all."""
    voices.room._settings = MediaSettings(addresses=(), offers_burst=1e6, handshakes_burst=1e6, connect_timeout_s=2.0)
    await voices.join(2)

    def alive() -> dict[str, int]:
        gc.collect()
        kinds = (PeerLink, RTCPeerConnection, aioice.Connection)
        found = [type(each) for each in gc.get_objects() if isinstance(each, kinds)]
        return {kind.__name__: found.count(kind) for kind in kinds}

    before = alive()
    for number in range(40):
        client = await voices.attach(1)
        if number % 4 == 0:
            await client.connected()
        if number % 2:
            await client.close()
        else:
            await voices.room.disconnect(1)
            await client.close()
    voices.others = [voices.clients[2]]
    del voices.clients[1], client
    await until(lambda: voices.room.stats()["peers"] == 1)
    await until(lambda: alive() == before, 15.0)


def test_the_bad_link_does_what_it_says() -> None:
    for weather in (Impairment(loss=0.2), Impairment(loss=0.05, burst=4.0), Impairment(loss=0.01)):
        fate = Fate(weather, seed=3)
        lost = [not fate.next() for _ in range(40_000)]
        runs = sum(now and not before for before, now in zip([False, *lost], lost, strict=False))
        assert sum(lost) / len(lost) == pytest.approx(weather.loss, rel=0.15)
        expected = weather.burst if weather.burst > 1 else 1 / (1 - weather.loss)
        assert sum(lost) / runs == pytest.approx(expected, rel=0.15)
    again = [Fate(WEATHERS["all at once"], seed=5) for _ in range(2)]
    assert [again[0].next() for _ in range(500)] == [again[1].next() for _ in range(500)]
    assert Fate(Impairment(loss=1.0), 1).next() == []
    for wrong in ({"loss": 1.1}, {"burst": 0.5}, {"jitter_s": -1.0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Impairment(**wrong)
