"""The parts of `voicetable mic`: keys, a stand-in for sounddevice, files, the order of what is heard, the display."""

from __future__ import annotations

import asyncio
import sys
import time
import types
import wave
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from tests.media.conftest import energy, tone
from voice.cli.mic import BadInputError, parse_link
from voice.cli.mic import run as run_mic
from voice.media.client import OpusEncoder, ReceivedPacket
from voice.mic.devices import DeviceError, choose, list_devices
from voice.mic.ears import LONGEST_GAP_S, DeviceSink, FileSink, NullSink
from voice.mic.keys import Keys, Wish
from voice.mic.player import MicPlayer
from voice.mic.screen import bar, panel
from voice.mic.sound import DeviceSource, FileSource, level_db
from voice.mic.state import UNSEEN_S, Interim, TableState
from voice.mic.tell import Teller
from voice.mic.words import WORDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def pressed(keys: str) -> list[Wish]:
    """What the keys ask for, pressed one after the other, then a second's pause."""
    made = Keys()
    found = [made.press(key, 0.0) for key in keys]
    return [wish for wish in [*found, made.expire(1.0)] if wish is not None and wish.kind != "prompt"]


@pytest.mark.parametrize(
    ("keys", "wishes"),
    [
        ("p", [Wish("command", "pass")]),
        ("n4", [Wish("command", "nominate", 4)]),
        ("v0", [Wish("command", "vote", 10)]),
        ("v1", [Wish("command", "vote", 1)]),
        ("v10", [Wish("command", "vote", 10)]),
        ("v13", [Wish("command", "vote", 13)]),
        ("v1p", [Wish("command", "vote", 1)]),
        ("k7c2", [Wish("command", "shoot", 7), Wish("command", "check", 2)]),
        ("mq?", [Wish("mute"), Wish("quit"), Wish("help")]),
        ("т5з", [Wish("command", "nominate", 5), Wish("command", "pass")]),
        ("yн", [Wish("accept"), Wish("accept")]),
        ("xЧ", [Wish("decline"), Wish("decline")]),
        ("4", [Wish("unknown", key="4")]),
        ("z", [Wish("unknown", key="z")]),
        ("\n \x1b", []),
        ("np", [Wish("command", "pass")]),
        ("\x04", [Wish("quit")]),
    ],
)
def test_keys(keys: str, wishes: list[Wish]) -> None:
    assert pressed(keys) == wishes


class Stream:
    """sounddevice's raw stream, driven by hand."""

    def __init__(self, callback: Callable[..., None], **options: Any) -> None:
        self.callback, self.options, self.closed = callback, options, False

    def start(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def sounddevice(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A machine with a headset and a loudspeaker."""
    made: Any = types.ModuleType("sounddevice")
    made.PortAudioError = type("PortAudioError", (Exception,), {})
    made.streams = []

    def stream(callback: Callable[..., None], **options: Any) -> Stream:
        made.streams.append(Stream(callback, **options))
        return made.streams[-1]  # type: ignore[no-any-return]  # a Stream

    made.RawInputStream = made.RawOutputStream = stream
    made.default = types.SimpleNamespace(device=(0, 2))
    made.query_devices = lambda: [
        {"name": "Headset mono", "max_input_channels": 1, "max_output_channels": 0},
        {"name": "Headset stereo", "max_input_channels": 2, "max_output_channels": 2},
        {"name": "Loudspeaker", "max_input_channels": 0, "max_output_channels": 2},
    ]
    monkeypatch.setitem(sys.modules, "sounddevice", made)
    return made  # type: ignore[no-any-return]  # the module


def test_devices_are_chosen_by_number_name_or_default(sounddevice: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert [each.name for each in list_devices()] == ["Headset mono", "Headset stereo", "Loudspeaker"]
    assert choose(None, output=False).number == 0
    assert choose(None, output=True).number == 2
    assert choose("1", output=False).number == 1
    assert choose("stereo", output=True).number == 1
    with pytest.raises(DeviceError, match="several devices"):
        choose("headset", output=False)
    with pytest.raises(DeviceError, match="0 Headset mono; 1 Headset stereo"):
        choose("2", output=False)
    assert run_mic(None, name="", source=None, sink=None, token=None, lang="en", devices=True) == 0
    assert "Loudspeaker" in capsys.readouterr().out
    sounddevice.query_devices = list
    with pytest.raises(DeviceError, match="no microphone"):
        choose(None, output=False)


def test_without_sounddevice_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    assert run_mic(None, name="", source=None, sink=None, token=None, lang="en", devices=True) == 2
    assert "pip install 'voicetable[mic]'" in capsys.readouterr().err


async def test_a_microphone_gives_frames_and_drops_what_is_old(sounddevice: Any) -> None:
    source = DeviceSource(None)
    (stream,) = sounddevice.streams
    assert stream.options["samplerate"] == 48_000
    assert stream.options["blocksize"] == 960
    for number in range(30):
        stream.callback(bytes([number]) * 1920, 960, None, None)
    assert (await source.frame())[0] == 20, "ten are kept, the newest"
    source.begin()
    stream.callback(b"\x99" * 1920, 960, None, None)
    assert (await source.frame())[0] == 0x99
    source.close()
    assert stream.closed


def packets(
    hz: float, count: int, first: int = 65_530, *, slot: int = 0, at_s: float = 0.0, time: int = 0xFFFFF000
) -> list[ReceivedPacket]:
    encoder = OpusEncoder(48_000)
    pcm = tone(hz, count * 0.02, 48_000)
    return [
        ReceivedPacket(
            (first + n) & 0xFFFF,
            (n * 960 + time) & 0xFFFFFFFF,
            encoder.encode(pcm[at : at + 1920]),
            at_s + n * 0.02,
            slot,
        )
        for n, at in enumerate(range(0, len(pcm), 1920))
    ]


async def test_a_loudspeaker_plays_in_order_over_the_wrap(sounddevice: Any) -> None:
    sink = DeviceSink(None)
    assert sink.next_frame() == b""
    sent = packets(440, 20)
    for one, two in zip(sent[::2], sent[1::2], strict=True):
        sink.hear(two)
        sink.hear(one)
    played = b"".join(iter(sink.next_frame, b""))
    assert energy(played, 440) > 0.2
    assert len(played) == 20 * 1920
    out = bytearray(1920)
    sounddevice.streams[0].callback(out, 960, None, None)
    assert out == bytes(1920), "silence while nothing is there"


def test_a_wav_keeps_the_pauses(tmp_path: Path) -> None:
    sink = FileSink(tmp_path / "heard.wav")
    sent = packets(440, 30)
    for packet in [*sent[:10], *sent[20:], sent[12]]:
        sink.hear(packet)
    sink.close()
    with wave.open(str(tmp_path / "heard.wav")) as file:
        assert file.getnframes() == 30 * 960
        file.setpos(12 * 960)
        assert level_db(file.readframes(6 * 960)) < -60


def heard_from(path: Path) -> bytes:
    with wave.open(str(path)) as file:
        return file.readframes(file.getnframes())


def test_a_wav_has_all_who_speak_at_once_and_one_after_another_link(tmp_path: Path) -> None:
    """Streams have times of their own; what was heard at one time stands at one place."""
    sink = FileSink(tmp_path / "heard.wav")
    sink.begin()
    one = packets(440, 50)
    two = packets(700, 25, slot=1, at_s=0.5, time=7)
    for packet in sorted([*one, *two], key=lambda each: each.arrival):
        sink.hear(packet)
    sink.begin()
    for packet in packets(1000, 25, first=3, at_s=2.0, time=1 << 31):
        sink.hear(packet)
    sink.close()
    pcm = heard_from(tmp_path / "heard.wav")
    assert len(pcm) == 2 * 48_000 * 25 // 10
    quarters = [pcm[at : at + 48_000] for at in range(0, len(pcm), 48_000)]
    heard = [[hz for hz in (440, 700, 1000) if energy(each, hz) > 0.1] for each in quarters]
    assert heard == [[440], [440, 700], [], [], [1000]]


def test_a_wav_leaves_out_what_is_longer_than_the_longest_pause_for_all_streams(tmp_path: Path) -> None:
    sink = FileSink(tmp_path / "heard.wav")
    for packet in [*packets(440, 10), *packets(440, 10, first=65_540, at_s=100.0, time=100 * 48_000 - 4096)]:
        sink.hear(packet)
    for packet in packets(700, 10, slot=2, at_s=100.2):
        sink.hear(packet)
    sink.close()
    pcm = heard_from(tmp_path / "heard.wav")
    assert len(pcm) == 2 * (30 * 960 + round(LONGEST_GAP_S * 48_000))
    assert energy(pcm[-2 * 9600 :], 700) > 0.1


async def test_a_loudspeaker_adds_up_who_speaks_at_once_and_begins_anew_with_another_link(sounddevice: Any) -> None:
    sink = DeviceSink(None)
    for one, two in zip(packets(440, 30, first=40_000), packets(700, 30, slot=2), strict=True):
        sink.hear(one)
        sink.hear(two)
        if one.sequence >= 40_003:
            sink.next_frame()
    assert sink.level_db > -20
    played = b"".join(iter(sink.next_frame, b""))
    assert energy(played, 440) > 0.1
    assert energy(played, 700) > 0.1
    # A new link's numbers have nothing to do with the old one's: lower ones are not old.
    sink.begin()
    for packet in packets(1000, 20, first=30_000):
        sink.hear(packet)
    played = b"".join(iter(sink.next_frame, b""))
    assert energy(played, 1000) > 0.2
    assert sink.next_frame() == b""
    assert sink.level_db < -90


def test_too_loud_together_is_not_turned_over(tmp_path: Path) -> None:
    sink = FileSink(tmp_path / "heard.wav")
    for slot in range(6):
        for packet in packets(440, 10, slot=slot):
            sink.hear(packet)
    sink.close()
    samples = memoryview(heard_from(tmp_path / "heard.wav")).cast("h").tolist()
    assert max(samples) == 32767
    # Turned over it would jump from one end to the other.
    assert max(abs(one - two) for one, two in pairwise(samples[4800:])) < 20_000


def test_the_level_is_the_loudest_voices() -> None:
    sink = NullSink()
    for packet in packets(440, 5):
        sink.hear(packet)
    loud = sink.level_db
    sink.hear(ReceivedPacket(1, 1, b"\xf8\xff\xfe", 0.0, 1))
    assert sink.level_db == loud > -20
    sink.begin()
    assert sink.level_db < -90


async def test_a_recording_begins_anew_at_each_opening(tmp_path: Path) -> None:
    with wave.open(str(tmp_path / "a.wav"), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(tone(440, 0.06))
    source = FileSource(tmp_path / "a.wav")
    assert level_db(await source.frame()) < -90, "nothing before the microphone is open"
    for _ in range(2):
        source.begin()
        levels = [level_db(await source.frame()) for _ in range(5)]
        assert [level > -20 for level in levels] == [True, True, True, False, False]
    assert level_db(await FileSource(None).frame()) < -90


@pytest.mark.parametrize(
    "link", ["", "https://x.example", "ftp://x/#/join/a", "https://x/#/table/a", "https:///#/join/a"]
)
def test_what_is_no_link(link: str) -> None:
    with pytest.raises(BadInputError, match="invitation link"):
        parse_link(link)


def test_links() -> None:
    assert parse_link("https://x.example:8443/#/join/abc.def") == ("https://x.example:8443", "abc.def")
    assert parse_link(" http://[::1]:8000/sub/#/join/a ") == ("http://[::1]:8000/sub", "a")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_display(lang: str) -> None:
    state = TableState(seat=3, people={3: "Vera", 5: "Oleg"}, phase="short_speech", phase_seat=5, ends=100.0)
    state.mic, state.interim, state.offset_s = frozenset({3}), {5: Interim("I think", 2)}, 50.0
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115 - closed below
    console.print(panel(state, WORDS[lang], -20.0, -90.0, muted=False, now=95.0))
    shown = console.export_text()
    console.file.close()
    assert "short speech  5 Oleg  0:55" in shown
    assert "5 Oleg: I think" in shown
    assert WORDS[lang]["mic_open"] in shown
    assert bar(-60) == "·" * 24
    assert bar(0) == "█" * 24
    assert set(WORDS["en"]) == set(WORDS["ru"])


def proposal(number: int, command: dict[str, Any] | None, phase: int = 4, until: float = 100.0) -> dict[str, Any]:
    return {"type": "proposal", "id": number, "phase": phase, "until": until, "command": command}


def test_what_was_spoken_waits_for_its_key_in_its_phase_and_time() -> None:
    state = TableState(phase_number=4, offset_s=1000.0)
    five, done = {"do": "nominate", "target": 5}, {"do": "pass"}
    assert state.take_proposal(1050.0) is None
    for message in (proposal(1, {"do": "nominate", "target": 3}), proposal(2, done), proposal(3, five)):
        state.take(message)
    assert state.take_proposal(1099.9) == five
    assert state.take_proposal(1100.0) is None, "its time is up"
    assert state.take_proposal(1050.0) == done
    assert state.take_proposal(1050.0) is None, "it was answered"
    state.take(proposal(4, done, phase=3))
    assert state.take_proposal(1050.0) is None, "of another phase"
    state.take(proposal(5, done))
    state.take({"type": "proposal", "id": 5, "command": None})
    assert state.take_proposal(1050.0) is None, "taken back"


def test_a_late_line_leaves_the_caption_of_later_words() -> None:
    state = TableState()
    state.take({"type": "interim", "seat": 5, "text": "And now", "agreed": 3, "start": 8.0})
    assert state.interim == {5: Interim("And now", 3, 8.0)}
    late = {"type": "line", "n": 1, "phase": 4, "seat": 5, "text": "So", "start": 5.0, "end": 7.0}
    state.take(late)
    assert state.interim == {5: Interim("And now", 3, 8.0)}
    state.take({**late, "n": 2, "text": "And now I", "start": 8.0, "end": 9.0})
    assert state.interim == {}
    assert [each.text for each in state.captions] == ["So", "And now I"]


@pytest.mark.parametrize("lang", sorted(WORDS))
def test_before_sitting_down_one_is_told_what_is_kept(lang: str) -> None:
    teller = Teller(lang, TableState())
    told = {days: teller.consent(days) for days in (30.0, 0.5, 0.0, None)}
    assert len(set(told.values())) == 4
    assert " 30." in told[30.0]
    assert " 0.5." in told[0.5]
    assert all(WORDS[lang]["kept_unknown"] not in text or days is None for days, text in told.items())


class Said:
    """A display that keeps its lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, line: str) -> None:
        self.lines.append(line)


async def test_a_key_is_for_what_could_be_read_and_x_puts_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    screen: Any = Said()
    state = TableState(phase_number=4)
    state.offset_s = time.monotonic()
    nobody: Any = None
    player = MicPlayer("http://x", "token", nobody, nobody, screen, state, Teller("en", state))
    done: list[dict[str, Any]] = []

    async def command(wanted: dict[str, Any]) -> None:
        done.append(wanted)

    monkeypatch.setattr(player, "_command", command)
    words, five = WORDS["en"], {"do": "nominate", "target": 5}
    state.take(proposal(1, {"do": "nominate", "target": 9}))
    state.take(proposal(2, five))
    player.press("y")
    assert screen.lines == [words["proposal_soon"]], "it was meant for the one before"
    state.proposed_at_s -= UNSEEN_S
    player.press("y")
    await asyncio.sleep(0)
    assert done == [five]
    state.take(proposal(3, {"do": "pass"}))
    player.press("x")
    player.press("y")
    await asyncio.sleep(0)
    assert done == [five]
    assert screen.lines[1:] == [words["put_away"], words["no_proposal"]]


@pytest.mark.parametrize("lang", sorted(WORDS))
def test_a_lost_line_is_told_once_whether_captions_keep_up_or_not(lang: str) -> None:
    teller, words = Teller(lang, TableState()), WORDS[lang]

    def told(state: str, lost: int) -> str | None:
        return teller.line({"type": "captions", "state": state, "lost": lost})

    one = words["captions_lost"].format(lost=1)
    assert told("live", 0) is None
    assert told("live", 1) == one
    assert told("live", 1) is None
    assert told("late", 2) == f"{words['captions_late']}; {words['captions_lost'].format(lost=2)}"


@pytest.mark.parametrize("lang", sorted(WORDS))
def test_what_was_spoken_is_told_with_the_key_that_does_it(lang: str) -> None:
    teller = Teller(lang, TableState())
    for command, word in (
        ({"do": "nominate", "target": 5}, "nominate 5"),
        ({"do": "pass"}, "pass"),
        ({"do": "say", "kind": "claim", "card": "sheriff"}, "claim sheriff"),
    ):
        line = teller.line(proposal(1, command))
        assert line is not None
        assert f"{word}." in line
        assert "y" in line
    assert teller.line({"type": "proposal", "id": 1, "command": None}) is None


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_captions_that_do_not_keep_up_are_told_once_a_change(lang: str) -> None:
    teller = Teller(lang, TableState())
    states = ("live", "loading", "live", "late", "late", "finals", "off", "live")
    said = [teller.line({"type": "captions", "state": state, "lost": 0}) for state in states]
    assert [each is None for each in said] == [True, False, False, False, True, False, False, False]
    assert len(set(said)) == 6
