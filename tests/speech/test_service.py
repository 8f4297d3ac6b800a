"""The whole path with real models, real Opus and real processes: fed as fast as it goes, arrivals made up."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.speech.conftest import Table
from tests.speech.sound import Clip, accepted, encode_opus, text_by_seat, words_wrong
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings

if TYPE_CHECKING:
    from voice.media.packet import AcceptedPacket
    from voice.speech.lines import Line

pytestmark = pytest.mark.speech

SILENCE = np.zeros(16_000, np.float32)
OpenTable = Callable[[str], Table]


def packets_of(clip: Clip, seat: int, epoch: int, *, silence: bool = True) -> list[AcceptedPacket]:
    pcm = np.concatenate([clip.pcm, SILENCE]) if silence else clip.pcm
    return list(accepted(encode_opus(pcm), seat, epoch, begin_s=time.monotonic()))


async def until(true: Callable[[], bool], within_s: float = 60.0) -> None:
    """Wait for what other processes do; a bound for a broken run, not a measurement."""
    async with asyncio.timeout(within_s):
        while not true():  # noqa: ASYNC110 - it is other processes that are waited for
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("name", "wrong_at_most"),
    [
        ("table_en_000", 0.2),
        ("table_en_009", 0.0),
        ("table_en_022", 0.2),
        ("table_en_037", 0.0),
        ("table_ru_044", 0.0),
        ("table_ru_053", 0.25),
        ("table_ru_065", 0.2),
    ],
)
async def test_a_spoken_line_becomes_its_words(
    service: SpeechService, table: OpenTable, clips: dict[str, Clip], name: str, wrong_at_most: float
) -> None:
    clip = clips[name]
    t = table(clip.lang)
    t.stream.mic({4}, 1)
    packets = packets_of(clip, 4, 1)
    for packet in packets:
        t.stream.feed(packet)
    await service.settled()
    (line,) = t.lines
    assert words_wrong(clip.text, line.text) <= wrong_at_most
    assert (line.seat, line.lang) == (4, clip.lang)
    assert " ".join(word.text for word in line.words) == line.text
    assert all(0.0 < word.confidence <= 1.0 for word in line.words)
    starts = [word.start_s for word in line.words]
    assert starts == sorted(starts)
    assert packets[0].arrival - 0.1 <= line.start_s < line.end_s <= packets[-1].arrival
    assert line.start_s <= line.words[0].start_s
    assert line.timings.decode_s > 0


async def test_the_words_are_sure_where_they_are_right(
    service: SpeechService, table: OpenTable, clips: dict[str, Clip]
) -> None:
    t = table("en")
    t.stream.mic({1}, 1)
    for packet in packets_of(clips["table_en_037"], 1, 1):
        t.stream.feed(packet)
    await service.settled()
    sure = {word.text.strip(".,").lower(): word.confidence for word in t.lines[0].words}
    assert sure["liar"] > 0.7
    assert sure["version"] > 0.7


async def test_a_caption_comes_while_somebody_speaks(
    service: SpeechService, table: OpenTable, clips: dict[str, Clip]
) -> None:
    t = table("en")
    await until(lambda: service.ready("en"))
    t.stream.mic({4}, 1)
    packets = packets_of(clips["table_en_037"], 4, 1)
    for packet in packets[:70]:
        t.stream.feed(packet)
    await service.settled()
    assert t.lines == []
    assert {seat for seat, _ in t.interims} == {4}
    assert "liar" in t.interims[-1][1]
    for packet in packets[70:]:
        t.stream.feed(packet)
    await service.settled()
    assert len(t.lines) == 1


async def test_without_speculation_an_utterance_is_recognised_when_it_has_ended(
    tmp_path_factory: pytest.TempPathFactory, clips: dict[str, Clip]
) -> None:
    service = SpeechService(tmp_path_factory.getbasetemp() / "speech-data", SpeechSettings(speculate=False))
    await service.start()
    try:
        lines: list[object] = []
        stream = service.open("t", "en", lines.append, lambda *_: None)
        stream.mic({1}, 1)
        for packet in packets_of(clips["table_en_009"], 1, 1):
            stream.feed(packet)
        await service.settled()
        assert len(lines) == 1
        counts = service.stats()["recogniser"]
        assert (counts["likely"], counts["finals"]) == (0, 1)
    finally:
        await service.stop()


@pytest.mark.parametrize("kind", ["silence", "noise", "hum", "clicks"])
async def test_no_speech_gives_no_line(service: SpeechService, table: OpenTable, kind: str) -> None:
    rng = np.random.default_rng(3)
    time_s = np.arange(5 * 16_000) / 16_000
    pcm = {
        "silence": np.zeros_like(time_s),
        "noise": rng.normal(0, 0.05, len(time_s)),
        "hum": 0.3 * np.sin(2 * np.pi * 50 * time_s),
        "clicks": (rng.random(len(time_s)) > 0.9995) * 0.9,
    }[kind].astype(np.float32)
    t = table("en")
    t.stream.mic({1}, 1)
    for packet in accepted(encode_opus(pcm), 1, 1, begin_s=time.monotonic()):
        t.stream.feed(packet)
    t.stream.mic(set(), 2)
    await service.settled()
    assert t.lines == []


async def test_the_gates_close_makes_a_line_at_once_of_what_was_said(
    service: SpeechService, table: OpenTable, clips: dict[str, Clip]
) -> None:
    clip = clips["table_en_009"]
    t = table("en")
    t.stream.mic({2}, 1)
    for packet in packets_of(clip, 2, 1, silence=False):
        t.stream.feed(packet)
    t.stream.mic(set(), 2)
    await service.settled()
    (line,) = t.lines
    assert line.seat == 2
    assert words_wrong(clip.text, line.text) <= 0.2


async def test_each_speaker_gets_his_own_words(
    service: SpeechService, table: OpenTable, clips: dict[str, Clip]
) -> None:
    """The turn changes in the middle of a sentence, without a pause: neither hears the other's words."""
    first, second = clips["table_en_009"], clips["table_en_022"]
    t = table("en")
    t.stream.mic({3}, 1)
    for packet in packets_of(first, 3, 1, silence=False):
        t.stream.feed(packet)
    t.stream.mic({7}, 2)
    for packet in packets_of(second, 7, 2):
        t.stream.feed(packet)
    await service.settled()
    by_seat = text_by_seat(t.lines)
    assert by_seat.keys() == {3, 7}
    assert words_wrong(first.text, by_seat[3]) <= 0.2
    assert words_wrong(second.text, by_seat[7]) <= 0.2


async def test_two_open_microphones_at_once(service: SpeechService, table: OpenTable, clips: dict[str, Clip]) -> None:
    first, second = clips["table_en_009"], clips["table_en_037"]
    t = table("en")
    t.stream.mic({1, 2}, 1)
    one, other = packets_of(first, 1, 1), packets_of(second, 2, 1)
    for index in range(max(len(one), len(other))):
        for packets in (one, other):
            if index < len(packets):
                t.stream.feed(packets[index])
    await service.settled()
    by_seat = text_by_seat(t.lines)
    assert words_wrong(first.text, by_seat[1]) <= 0.2
    assert words_wrong(second.text, by_seat[2]) <= 0.2


async def test_who_takes_the_floor_is_heard_on_and_the_others_are_cut(
    service: SpeechService, table: OpenTable, clips: dict[str, Clip]
) -> None:
    one, two = clips["table_en_037"], clips["table_en_009"]
    t = table("en")
    t.stream.mic({1, 2}, 1)
    first, second = packets_of(one, 1, 1), packets_of(two, 2, 1)
    for mine, other in zip(first[:60], second[:60], strict=True):
        t.stream.feed(mine)
        t.stream.feed(other)
    t.stream.mic({1}, 2)
    for mine, other in zip(first[60:120], second[60:120], strict=False):
        t.stream.feed(replace(mine, epoch=2))
        t.stream.feed(replace(other, epoch=2))
    for mine in first[120:]:
        t.stream.feed(replace(mine, epoch=2))
    await service.settled()
    (whole,) = [line for line in t.lines if line.seat == 1]
    assert words_wrong(one.text, whole.text) <= 0.2
    # The other one's line, if there was a word in it, is that seat's and ends where it was closed.
    cut = [line for line in t.lines if line.seat == 2]
    assert len(cut) <= 1
    assert all(line.end_s <= second[60].arrival + 0.1 for line in cut)
    assert {line.seat for line in t.lines} <= {1, 2}


async def test_nothing_of_a_closed_microphone_gets_anywhere(
    service: SpeechService, table: OpenTable, clips: dict[str, Clip]
) -> None:
    """Packets of a closed seat, of an epoch gone by, of one to come, and after the stream's close: not a sample."""
    t = table("en")
    t.stream.mic({1}, 5)
    closed = [*packets_of(clips["table_en_009"], 2, 5), *packets_of(clips["table_en_009"], 1, 4)]
    closed += packets_of(clips["table_en_009"], 1, 6)
    for packet in closed:
        t.stream.feed(packet)
    await service.settled()
    seats = service.stats()["streams"]["table en"]["seats"]
    for counts in seats.values():
        assert not counts.get("samples_at_endpointer")
        assert not counts.get("samples_at_recogniser")
        assert not counts.get("samples_decoded")
    assert service.stats()["streams"]["table en"]["packets_refused"] == len(closed)
    t.stream.close()
    t.stream.close()
    for packet in packets_of(clips["table_en_009"], 1, 5):
        t.stream.feed(packet)
    await service.settled()
    assert t.lines == []


async def test_samples_are_counted_by_seat(service: SpeechService, table: OpenTable, clips: dict[str, Clip]) -> None:
    t = table("en")
    t.stream.mic({1}, 1)
    packets = packets_of(clips["table_en_022"], 1, 1)
    for packet in packets:
        t.stream.feed(packet)
    t.stream.mic({2}, 2)
    await service.settled()
    seats = service.stats()["streams"]["table en"]["seats"]
    assert seats[1]["samples_decoded"] == 320 * len(packets)
    assert seats[1]["samples_at_endpointer"] >= seats[1]["samples_decoded"]
    assert seats[1]["samples_at_recogniser"] > 16_000
    assert not any(seats.get(2, {}).values())


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGSEGV])
async def test_a_killed_recogniser_costs_no_line(
    service: SpeechService, table: OpenTable, clips: dict[str, Clip], kill: signal.Signals
) -> None:
    clip = clips["table_en_009"]
    t = table("en")
    await until(lambda: service.ready("en"))
    t.stream.mic({1}, 1)
    for packet in packets_of(clip, 1, 1, silence=False):
        t.stream.feed(packet)
    t.stream.mic(set(), 2)
    await until(lambda: service.scheduler.busy)
    (pid,) = service.scheduler.pids
    assert pid is not None
    os.kill(pid, kill)
    await until(lambda: len(t.lines) == 1)
    assert words_wrong(clip.text, t.lines[0].text) <= 0.2
    assert service.stats()["recogniser"]["deaths"] == 1
    assert service.scheduler.pids != [pid]


async def test_an_utterance_that_kills_twice_is_given_up(
    service: SpeechService, table: OpenTable, clips: dict[str, Clip]
) -> None:
    t = table("en")
    await until(lambda: service.ready("en"))
    t.stream.mic({1}, 1)
    for packet in packets_of(clips["table_en_037"], 1, 1, silence=False):
        t.stream.feed(packet)
    t.stream.mic(set(), 2)
    while not service.stats()["streams"]["table en"].get("lines_dropped"):
        await until(lambda: service.scheduler.busy or bool(t.lines))
        assert not t.lines
        for pid in service.scheduler.pids:
            if pid is not None:
                os.kill(pid, signal.SIGKILL)
        deaths = service.stats()["recogniser"]["deaths"]
        await until(lambda deaths=deaths: service.stats()["recogniser"]["deaths"] > deaths)  # type: ignore[misc]
    stats = service.stats()["recogniser"]
    assert (stats["retried"], stats["dropped_crash"]) == (1, 1)
    t.stream.mic({2}, 3)
    for packet in packets_of(clips["table_en_009"], 2, 3):
        t.stream.feed(packet)
    await service.settled()
    assert [line.seat for line in t.lines] == [2], "and the next is recognised as ever"


async def test_a_hung_recogniser_is_ended(service: SpeechService, table: OpenTable, clips: dict[str, Clip]) -> None:
    t = table("en")
    await until(lambda: service.ready("en"))
    (pid,) = service.scheduler.pids
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    t.stream.mic({1}, 1)
    for packet in packets_of(clips["table_en_009"], 1, 1):
        t.stream.feed(packet)
    t.stream.mic(set(), 2)
    await until(lambda: service.stats()["recogniser"]["hung"] >= 1)
    await until(lambda: len(t.lines) == 1)
    assert service.stats()["recogniser"]["deaths"] >= 1


async def test_a_killed_tap_hears_the_utterance_again(
    service: SpeechService, table: OpenTable, clips: dict[str, Clip]
) -> None:
    """One line was made before, one is half said when the tap dies: neither is lost, neither comes twice."""
    before, half = clips["table_en_022"], clips["table_en_037"]
    t = table("en")
    t.stream.mic({1}, 1)
    for packet in packets_of(before, 1, 1):
        t.stream.feed(packet)
    await service.settled()
    assert len(t.lines) == 1
    t.stream.mic({2}, 2)
    packets = packets_of(half, 2, 2)
    for packet in packets[:60]:
        t.stream.feed(packet)
    await service.settled()
    pid = service.stats()["tap"]["pid"]
    os.kill(pid, signal.SIGKILL)
    for packet in packets[60:80]:
        t.stream.feed(packet)
    await until(lambda: service.stats()["tap"]["pid"] not in (None, pid))
    for packet in packets[80:]:
        t.stream.feed(packet)
    await until(lambda: len(t.lines) >= 2)
    await service.settled()
    assert [line.seat for line in t.lines] == [1, 2]
    assert words_wrong(half.text, t.lines[1].text) <= 0.2
    assert service.stats()["tap"]["deaths"] == 1


async def test_a_tap_that_is_behind_drops_packets_and_says_so(tmp_path: Path, clips: dict[str, Clip]) -> None:
    service = SpeechService(tmp_path, SpeechSettings(max_packets_bytes=2_000))
    await service.start()
    try:
        stream = service.open("t", "en", lambda _: None, lambda *_: None)
        os.kill(service.stats()["tap"]["pid"], signal.SIGSTOP)
        stream.mic({1}, 1)
        packets = list(accepted([b"\x08" * 1_000] * 2_000, 1, 1, begin_s=time.monotonic()))
        for packet in packets:
            stream.feed(packet)
        stats = service.stats()
        assert stats["streams"]["t"]["packets_dropped"] > 1_000
        assert stats["tap"]["waiting_bytes"] < 10_000
        os.kill(stats["tap"]["pid"], signal.SIGCONT)
    finally:
        await service.stop()


async def test_a_model_that_is_not_there_is_told_and_harms_nobody(tmp_path: Path, clips: dict[str, Clip]) -> None:
    service = SpeechService(tmp_path, SpeechSettings(models={"en": "tiny.en", "ru": str(tmp_path / "no" / "model")}))
    await service.start()
    try:
        lines: list[object] = []
        russian = service.open("r", "ru", lines.append, lambda *_: None)
        english = service.open("e", "en", lines.append, lambda *_: None)
        for stream, name in ((russian, "table_ru_065"), (english, "table_en_009")):
            stream.mic({1}, 1)
            for packet in packets_of(clips[name], 1, 1):
                stream.feed(packet)
        await service.settled()
        assert len(lines) == 1
        assert "does not exist" in str(service.problem("ru"))
        assert service.problem("en") is None
        assert service.stats()["recogniser"]["dropped_no_model"] == 1
    finally:
        await service.stop()


async def test_a_listener_that_fails_does_not_stop_the_service(service: SpeechService, clips: dict[str, Clip]) -> None:
    lines: list[object] = []

    def fail_once(line: object) -> None:
        lines.append(line)
        if len(lines) == 1:
            raise RuntimeError("listener")

    stream = service.open("t", "en", fail_once, lambda *_: None)
    for epoch in (1, 2):
        stream.mic({epoch}, epoch)
        for packet in packets_of(clips["table_en_009"], epoch, epoch):
            stream.feed(packet)
        await service.settled()
    assert len(lines) == 2
    assert service.stats()["streams"]["t"]["listener_failures"] == 1


async def test_a_table_is_open_once(service: SpeechService, table: OpenTable) -> None:
    t = table("en")
    with pytest.raises(ValueError, match="open already"):
        table("en")
    t.stream.close()
    table("en")


async def test_stop_leaves_no_process(tmp_path: Path) -> None:
    service = SpeechService(tmp_path)
    await service.start()
    pids = [service.stats()["tap"]["pid"], *service.stats()["recogniser"]["pids"]]
    await service.stop()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


async def wait_gone(pid: int) -> None:
    def gone() -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0] == "Z"
        except FileNotFoundError:
            return True

    await until(gone)


async def test_children_die_with_a_killed_server(tmp_path: Path) -> None:
    code = (
        "import asyncio, pathlib, sys\n"
        "from voice.speech.service import SpeechService\n"
        "async def main():\n"
        "    service = SpeechService(pathlib.Path(sys.argv[1]))\n"
        "    await service.start()\n"
        "    print(service.stats()['tap']['pid'], *service.stats()['recogniser']['pids'], flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(tmp_path), stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert server.stdout is not None
    pids = [int(pid) for pid in (await server.stdout.readline()).split()]
    assert len(pids) == 2
    server.kill()
    await server.wait()
    await asyncio.gather(*(wait_gone(pid) for pid in pids))


async def test_whoever_held_a_closed_stream_is_freed_with_it(service: SpeechService, clips: dict[str, Clip]) -> None:
    """Its words too: they do not lie in memory until cycles are looked for."""

    class Holder:
        def __init__(self) -> None:
            self.lines: list[Line] = []
            self.stream = service.open("held", "en", self.lines.append, self.caption, self.caption)

        def caption(self, *_: object) -> None:
            pass

    holder = Holder()
    holder.stream.mic({1}, 1)
    for packet in packets_of(clips["table_en_009"], 1, 1):
        holder.stream.feed(packet)
    await service.settled()
    assert holder.lines
    gc.collect()
    gc.disable()
    try:
        holder.stream.close()
        gone = weakref.ref(holder)
        del holder
        assert gone() is None
    finally:
        gc.enable()
