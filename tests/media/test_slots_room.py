"""Several speakers at once over real connections: who is heard in which stream, and who is told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.media.headers import rtp_header
from voice.bench.media_wire import wire_of
from voice.media.client import VoiceClient
from voice.media.errors import MediaError
from voice.media.fallback import FallbackLink
from voice.media.room import MediaRoom
from voice.media.rtp import DTX
from voice.media.sdp import parse
from voice.media.settings import MediaSettings
from voice.media.slot import FREE_S, KEEP_S, WITHIN_S

from .conftest import CLIENT, LOCAL, Voices, energy, opus_tone, settle, until

if TYPE_CHECKING:
    from collections.abc import Mapping

SECOND = 50


def hz(seat: int) -> int:
    """The tone of a seat."""
    return 300 + 170 * seat


TONES = {seat: opus_tone(hz(seat), SECOND) for seat in range(1, 6)}


async def talk(voices: Voices, packets: int, *seats: int) -> None:
    """These seats talk at once, in real time."""
    loop = asyncio.get_running_loop()
    begin = loop.time()
    for n in range(packets):
        for seat in seats:
            voices.clients[seat].send(TONES[seat][n % SECOND])
        await asyncio.sleep(max(0.0, begin + 0.02 * (n + 1) - loop.time()))


def tones(voices: Voices, listener: int | str) -> dict[int, set[int]]:
    """By slot: the seats whose tone a listener heard there."""
    client = voices.clients[listener]
    found = {}
    for slot in range(client.link.slots):
        pcm = client.heard(slot=slot)
        found[slot] = {seat for seat in TONES if energy(pcm, hz(seat)) > 0.03}
    return found


async def test_three_who_talk_at_once_are_heard_in_three_streams(voices: Voices) -> None:
    await voices.join(1, 2, 3, 4, "m")
    voices.room.mic([1, 2, 3, 4])
    assert voices.clients[4].link.slots == 3
    await talk(voices, SECOND, 1, 2, 3)
    await settle()
    seats = voices.slots[-1][1]
    assert sorted(seat for seat in seats if seat is not None) == [1, 2, 3]
    for listener in (4, "m"):
        assert tones(voices, listener) == {slot: {seat} for slot, seat in enumerate(seats)}
        for slot, seat in enumerate(seats):
            assert voices.heard_in(listener, slot) == TONES[seat or 0][1:], "byte for byte, and in order"
    for slot, seat in enumerate(seats):
        assert seat is not None
        assert voices.heard_in(seat, slot) == [], "one's own voice"
        assert len(voices.heard(seat)) == 2 * (SECOND - 1)


async def test_the_changes_are_told_and_counted(voices: Voices) -> None:
    await voices.join(1, 2, 3)
    assert voices.slots == [(1, (None, None, None))]
    voices.room.mic([1])
    await talk(voices, 5, 1)
    await until(lambda: voices.slots[-1] == (2, (1, None, None)))
    voices.room.mic([1, 2])
    await talk(voices, 5, 1, 2)
    await until(lambda: voices.slots[-1] == (3, (1, 2, None)))
    voices.room.mic([2])
    assert voices.slots[-1] == (4, (None, None, None))
    await talk(voices, 5, 1, 2)
    await until(lambda: voices.slots[-1] == (5, (2, None, None)))
    voices.room.mic([])
    assert voices.slots[-1] == (6, (None, None, None))


async def test_held_the_floor_closes_all_but_one_at_once(voices: Voices) -> None:
    """What the others go on sending is in no slot, and what the holder says goes on in slot 0."""
    await voices.join(1, 2, 3, 4)
    voices.room.mic([1, 2, 3, 4])
    await talk(voices, 10, 1, 2, 3)
    await settle()
    voices.room.mic([3])
    voices.forget()
    await talk(voices, 25, 1, 2, 3)
    await settle()
    assert voices.heard(4) == voices.heard_in(4, 0) == TONES[3][:25]
    assert voices.slots[-1][1] == (3, None, None)
    voices.room.mic([1, 2, 3, 4])
    voices.forget()
    await talk(voices, 10, 2, 3)
    await settle()
    assert len(voices.heard_in(4, 0)) == 10, "who had the floor keeps the slot"
    assert voices.slots[-1][1] == (3, 2, None)


async def test_a_louder_fourth_gets_a_slot_and_the_recogniser_has_all_four(voices: Voices) -> None:
    """Without levels it goes by the size of the payloads; the streams go on without a gap in their numbers."""
    await voices.join(1, 2, 3, 4, 5)
    voices.room.mic([1, 2, 3, 4])
    loud = [packet + b"\0" * 60 for packet in TONES[4]]
    await talk(voices, round((KEEP_S + 0.1) * 50), 1, 2, 3)
    for n in range(round((WITHIN_S + 0.3) * 50)):
        for seat in (1, 2, 3):
            voices.clients[seat].send(TONES[seat][n % SECOND])
        voices.clients[4].send(loud[n % SECOND])
        await asyncio.sleep(0.02)
    await settle()
    assert 4 in voices.slots[-1][1]
    assert {packet.seat for packet in voices.tapped} == {1, 2, 3, 4}
    slot = voices.slots[-1][1].index(4)
    assert set(loud) & set(voices.heard_in(5, slot))
    for slot in range(3):
        numbers = [p.sequence for p in voices.clients[5].received if p.slot == slot]
        assert [(number - numbers[0]) & 0xFFFF for number in numbers] == list(range(len(numbers)))


async def test_who_falls_silent_has_no_slot_after_a_while(voices: Voices) -> None:
    await voices.join(1, 2, 3)
    voices.room.mic([1, 2])
    await talk(voices, 20, 1, 2)
    assert set(voices.slots[-1][1]) == {1, 2, None}
    await until(lambda: set(voices.slots[-1][1]) == {None}, FREE_S + 2)
    for slot in (0, 1):
        payloads = [p.payload for p in voices.clients[3].received if p.slot == slot]
        assert payloads[-1] == DTX
    assert not [p for p in voices.clients[3].received if p.slot == 2], "a stream begins with its first speaker"


async def test_who_asks_for_fewer_streams_hears_fewer(voices: Voices) -> None:
    """One with one stream hears one, and is told so by a map of one; one with three is not the worse for it."""
    voices.asks = 1
    await voices.join(4)
    voices.asks = 3
    await voices.join(1, 2, 3, 5)
    voices.room.mic([1, 2, 3])
    await talk(voices, 20, 1, 2, 3)
    await settle()
    assert len(voices.heard(4)) == 19
    assert len(voices.heard(5)) == 3 * 19
    by_count = {len(seats): seats for _, seats in voices.slots}
    assert by_count[1] == (1,)
    assert set(by_count[3]) == {1, 2, 3}


async def test_a_client_that_asks_for_more_gets_what_there_is(voices: Voices) -> None:
    voices.asks = 6
    await voices.join(1, 2)
    answer = await voices.room.connect("m", await _offer(voices, 6))
    assert [voices.clients[seat].link.slots for seat in (1, 2)] == [3, 3]
    assert answer.count("m=audio") == 6
    assert answer.count("a=sendonly") == 3, "a moderator's first, and two further"
    assert answer.count("a=inactive") == 3
    ssrcs = {line for line in answer.splitlines() if line.startswith("a=ssrc:")}
    assert len({line.split()[0] for line in ssrcs}) == 3


async def _offer(voices: Voices, slots: int) -> str:
    client = VoiceClient(slots=slots, settings=CLIENT)
    voices.others.append(client)
    return await client.offer()


async def test_the_answer_is_one_bundle(voices: Voices) -> None:
    offer = await _offer(voices, 3)
    answer = await voices.room.connect(1, offer)
    read = parse(answer)
    assert [further.mid for further in read.further] == [further.mid for further in parse(offer).further]
    assert "a=group:BUNDLE 0 slot1 slot2\r\n" in answer
    assert answer.count("a=candidate") == answer.split("m=audio")[1].count("a=candidate")
    assert answer.count("useinbandfec=1") == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a=group:BUNDLE 0 slot1 slot2", "a=group:BUNDLE 0 slot1"),
        ("a=group:BUNDLE 0 slot1 slot2\r\n", ""),
        ("a=mid:slot2", "a=mid:slot1"),
        ("a=mid:slot2\r\n", ""),
        ("a=mid:slot2", "a=mid:\x01"),
        ("a=recvonly\r\na=mid:slot2\r\na=rtcp:9 IN IP4 0.0.0.0\r\na=rtcp-mux", "a=recvonly\r\na=mid:slot2"),
    ],
)
async def test_a_bundle_that_is_none_is_refused(voices: Voices, old: str, new: str) -> None:
    offer = await _offer(voices, 3)
    assert old in offer
    with pytest.raises(MediaError) as refused:
        await voices.room.connect(1, offer.replace(old, new))
    assert refused.value.code == "bad_sdp"


async def test_eleven_sections_are_refused(voices: Voices) -> None:
    offer = await _offer(voices, 11)
    with pytest.raises(MediaError, match="at most 10 sections"):
        await voices.room.connect(1, offer)


async def test_sections_of_another_kind_or_form_are_refused(voices: Voices) -> None:
    offer = await _offer(voices, 2)
    first, second = offer.rindex("m=audio"), offer[offer.rindex("m=audio") :]
    for changed in (second.replace("m=audio", "m=video"), second.replace("SAVPF", "AVP"), second.replace(" 96", " 97")):
        assert changed != second
        with pytest.raises(MediaError):
            await voices.room.connect(1, offer[:first] + changed)


async def test_by_the_level_of_rfc_6464_a_loud_voice_counts_and_a_big_packet_does_not(voices: Voices) -> None:
    """The size is the same; the header extension makes the difference."""
    voices.asks = 1
    await voices.join(1, 2, 3)
    voices.room.mic([1, 2])
    wires = {seat: wire_of(voices.clients[seat].link) for seat in (1, 2)}
    for link in (voices.room._peers[1].link, voices.room._peers[2].link):
        link.audio_level = 1
    levels: Mapping[int, int] = {1: 70, 2: 20}
    for n in range(20):
        for seat, wire in wires.items():
            header = bytearray(rtp_header(wire.payload_type, False, 500 + n, 960 * n, wire.ssrc))
            header[0] |= 0x10
            extension = bytes((0xBE, 0xDE, 0, 1, 0x10, levels[seat], 0, 0))
            packet = wire.protect(bytes(header) + extension + TONES[seat][n])
            voices.clients[seat].link._ice._nominated[1].protocol.transport.sendto(packet, wire.address)
        await asyncio.sleep(0.005)
    await settle()
    assert voices.heard(3) == TONES[2][1:20]
    assert voices.slots[-1][1] == (2,)


async def test_the_fallback_has_one_slot() -> None:
    told: list[tuple[int | None, ...]] = []
    settings = MediaSettings()
    room = MediaRoom(
        "t", lambda p: None, lambda s: None, settings, FallbackLink, lambda change, seats: told.append(seats)
    )
    client = VoiceClient(slots=3, settings=settings)
    try:
        answer = await room.connect(1, await client.offer())
        assert answer.count("a=inactive") == 2
        await client.accept(answer)
        await client.connected()
        assert client.link.slots == 1
        assert told == [(None,)]
    finally:
        await asyncio.gather(room.close(), client.close())


async def test_a_listener_of_slots_that_fails_does_not_stop_the_sound(
    voices: Voices, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(change: int, seats: tuple[int | None, ...]) -> None:
        raise OSError("told nobody")

    voices.room._on_slots = fails
    await voices.join(1, 2)
    voices.room.mic([1])
    await talk(voices, 10, 1)
    await until(lambda: len(voices.heard(2)) == 9)
    assert "slots_failed" in "".join(capsys.readouterr())


@pytest.mark.parametrize("wanted", [0, 11])
def test_the_number_of_slots_is_bounded(wanted: int) -> None:
    with pytest.raises(ValueError, match="1 to 10"):
        MediaSettings(slots=wanted)


def test_the_local_settings_are_the_default() -> None:
    assert LOCAL.slots == 3
