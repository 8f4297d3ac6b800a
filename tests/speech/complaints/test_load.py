"""Complaints about time, processor and memory, by their causes: what waits, what is worked on, what is kept.

Numbered as in docs/speech.md. How long it all takes is what `voicetable bench asr` measures.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.speech.complaints.conftest import Live
from tests.speech.complaints.fakes import MODULE, WORD_S
from tests.speech.complaints.sounds import only_speech, packets, silence
from voice.speech.endpointer import EndpointRules
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings
from voice.speech.tap import Tap
from voice.speech.wire import Mic, Open, Packet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.speech.sound import Clip, Samples
    from voice.speech.wire import ToTap

pytestmark = [pytest.mark.asyncio(loop_scope="package")]

RULES = EndpointRules()
BUSY = "busy"


@contextlib.asynccontextmanager
async def counting(folder: Path) -> AsyncIterator[Live]:
    """A service whose recogniser counts, and is busy while there is a file BUSY; with captions whatever the load."""
    settings = SpeechSettings(models={"en": str(folder / BUSY)}, recogniser=MODULE, drafts_below_load=math.inf)
    service = SpeechService(folder, settings)
    await service.start()
    try:
        yield Live(service)
    finally:
        await service.stop()


def talking(clips: dict[str, Clip], seconds: float) -> Samples:
    """Speech without a pause."""
    piece = only_speech(clips["table_en_037"])
    return np.tile(piece, math.ceil(seconds * 16_000 / len(piece)))[: round(seconds * 16_000)]


async def test_02_what_is_decoded_does_not_grow_with_the_time(tmp_path: Path, clips: dict[str, Clip]) -> None:
    """Two minutes without a pause: no utterance is longer than the longest, and nothing is decoded over and over."""
    seconds = 120.0
    async with counting(tmp_path) as live:
        table = live.open("en")
        table.stream.mic({1}, 1)
        await live.say(table, 1, 1, talking(clips, seconds))
        table.stream.mic((), 2)
        await live.service.settled()
        lengths_s = [WORD_S * len(line.text.split()) for line in table.lines]
        assert len(lengths_s) >= seconds / RULES.max_utterance_s
        assert max(lengths_s) <= RULES.max_utterance_s + RULES.preroll_s + WORD_S
        assert sum(lengths_s) <= seconds + len(lengths_s) * (RULES.preroll_s + WORD_S)
        assert max(len(text.split()) for _, text in table.captions) * WORD_S <= RULES.max_utterance_s + WORD_S
        assert live.service.stats()["recogniser"]["dropped_overload"] == 0


async def test_07_who_talks_on_and_on_does_not_keep_another_tables_line(tmp_path: Path, clips: dict[str, Clip]) -> None:
    """Both are heard while one decode goes on; then comes the other's line, before more captions of the loud one."""
    async with counting(tmp_path) as live:
        loud, other = live.open("en"), live.open("en")
        await live.service.settled()
        order: list[str] = []
        (tmp_path / BUSY).touch()
        loud.stream.mic({1}, 1)
        other.stream.mic({1}, 1)
        await live.say(loud, 1, 1, talking(clips, 30.0))
        await live.say(other, 1, 1, clips["table_en_009"].pcm)
        other.stream.mic((), 2)
        await heard_by_the_tap(live)
        before = len(loud.captions)
        other.on_line = lambda: order.extend(["line", str(len(loud.captions) - before)])
        (tmp_path / BUSY).unlink()
        await live.service.settled()
        assert len(other.lines) == 1
        assert order[0] == "line"
        assert int(order[1]) <= 1
        assert live.service.stats()["recogniser"]["drafts_skipped"] > 5


async def heard_by_the_tap(live: Live) -> None:
    """Until the tap has heard all that it was sent, whatever the recogniser does: it answers in order."""
    async with asyncio.timeout(120):
        await live.service._pong()


def to_tap(clip: Samples, seat: int, epoch: int, sequence: int = 1_000) -> list[ToTap]:
    return [
        Packet(1, packet.seat, packet.epoch, packet.sequence, packet.timestamp, packet.payload, packet.arrival)
        for packet in packets(seat, epoch, clip, sequence=sequence)
    ]


async def test_08_where_nobody_speaks_nothing_works(tmp_path: Path) -> None:
    """Without packets the tap waits for the next one, with no look at a clock; with silence no utterance is made."""
    tap = Tap(RULES)
    for message in (Open(1), Mic(1, list(range(10)), 1)):
        assert tap.handle(message) == []
    assert not tap.restless
    for packet in to_tap(silence(20.0), 3, 1):
        assert tap.handle(packet) == []
    assert not tap.restless
    async with counting(tmp_path) as live:
        tables = [live.open("en") for _ in range(3)]
        await live.service.settled()
        for table in tables:
            table.stream.mic(set(range(10)), 1)
        await live.say(tables[0], 3, 1, silence(20.0))
        await live.service.settled()
        stats = live.service.stats()
        assert [stats["recogniser"][name] for name in ("finals", "likely", "drafts", "drafts_skipped")] == [0] * 4
        silent, *others = (stats["streams"][table.stream.table_id]["seats"] for table in tables)
        assert silent[3]["samples_decoded"] > 0
        assert not any(seat.get("samples_at_recogniser") for seat in silent.values())
        assert not any(seat.get("samples_decoded") for each in others for seat in each.values())


def resident_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.speech
async def test_09_a_recogniser_process_does_not_grow_by_its_utterances(live: Live, clips: dict[str, Clip]) -> None:
    """One call at a time in a process, so that nothing is shared by threads. Thousands: `benchmarks.speech.soak`."""
    table = live.open("en")
    sizes = []
    for epoch, turns in ((1, 4), (2, 10), (3, 10)):
        table.stream.mic({epoch}, epoch)
        await live.say(table, epoch, epoch, *[clips["table_en_022"].pcm, silence(0.7)] * turns)
        table.stream.mic((), 100)
        await live.service.settled()
        (pid,) = live.service.stats()["recogniser"]["pids"]
        sizes.append(resident_mb(pid))
    assert len(table.lines) >= 20
    assert sizes[2] - sizes[1] < 3, sizes


async def test_10_what_is_kept_of_a_table_does_not_grow_with_the_time(tmp_path: Path, clips: dict[str, Clip]) -> None:
    """Speech and pauses: the tap's memory, and the packets that the server keeps for a new tap."""
    tap = Tap(RULES)
    tap.handle(Open(1))
    tap.handle(Mic(1, [1], 1))
    some = np.concatenate([*([talking(clips, 4.0), silence(1.0)] * 5)])
    kept = []
    for number in range(3):
        for packet in to_tap(some, 1, 1, sequence=1_000 + 1_250 * number):
            tap.handle(packet)
        if number == 0:
            tracemalloc.start()
        kept.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert kept[2] - kept[1] < 100_000, kept
    async with counting(tmp_path) as live:
        table = live.open("en")
        table.stream.mic({1}, 1)
        await live.say(table, 1, 1, some)
        await live.service.settled()
        assert len(table.stream.memory.messages()) <= 13 * 50 + 10
        table.stream.close()
        assert live.service.stats()["streams"] == {}


async def test_14_no_packet_waits_for_a_decode(tmp_path: Path, clips: dict[str, Clip]) -> None:
    """The recogniser is in the middle of one: all sound is heard, and the server answers, all the same."""
    async with counting(tmp_path) as live:
        table, other = live.open("en"), live.open("en")
        await live.service.settled()
        (tmp_path / BUSY).touch()
        table.stream.mic({1}, 1)
        spoken = clips["table_en_009"].pcm
        await live.say(table, 1, 1, spoken, silence(1.0))
        other.stream.mic({2}, 1)
        await live.say(other, 2, 1, spoken, silence(1.0))
        await heard_by_the_tap(live)
        streams = live.service.stats()["streams"]
        for each, seat in ((table, 1), (other, 2)):
            counts = streams[each.stream.table_id]["seats"][seat]
            assert counts["samples_decoded"] >= len(spoken) + 16_000
            assert counts["utterances"] >= 1
        assert not table.lines
        (tmp_path / BUSY).unlink()
        await live.service.settled()
        assert table.lines
        assert other.lines


async def test_16_a_caption_is_of_its_utterance_so_far_and_nothing_is_added_to_it(
    tmp_path: Path, clips: dict[str, Clip]
) -> None:
    async with counting(tmp_path) as live:
        table = live.open("en")
        await live.service.settled()
        table.stream.mic({1}, 1)
        sound = talking(clips, 5.0)
        for second in range(5):
            piece = sound[16_000 * second : 16_000 * (second + 1)]
            await live.say(table, 1, 1, piece, sequence=1_000 + 50 * second)
            await live.service.settled()
            for _, text in table.captions:
                assert len(text.split()) * WORD_S <= second + 1 + RULES.preroll_s + WORD_S
        table.stream.mic((), 2)
        await live.service.settled()
        texts = [text for _, text in table.captions if text]
        assert len(texts) >= 2
        for text in [*texts, *(line.text for line in table.lines)]:
            assert len(text.split()) == len(set(text.split()))
        assert sum(len(line.text.split()) for line in table.lines) * WORD_S <= 5.0 + len(table.lines)
