"""No text and no flag from sounds without a word; the sounds themselves; the bench that plays a quarter of an hour."""

from __future__ import annotations

import json
import wave
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.noise.__main__ import main, sounds
from benchmarks.noise.playing import SETTINGS, play
from benchmarks.noise.sources import MADE, Package, Sound, made, recorded
from tests.speech.sound import encode_opus
from voice.speech.endpointer import Stage
from voice.speech.offline import hear

if TYPE_CHECKING:
    from pathlib import Path

    from moderation import Language
    from tests.speech.sound import Clip

SEED = 5
LONG = {"laughter": 20.0, "humming": 6.0, "coughs": 6.0, "breath": 6.0}


def quiet(line: str) -> None:
    """Progress is for people."""


@pytest.mark.speech
@pytest.mark.parametrize("lang", ["en", "ru"])
async def test_a_minute_and_a_half_without_a_word_is_no_text(
    lang: Language, tmp_path_factory: pytest.TempPathFactory
) -> None:
    played = [made(name, LONG.get(name, 2.5), SEED) for name in MADE]
    assert sum(len(sound.pcm) for sound in played) > 90 * 16_000
    found = await play(played, lang, tmp_path_factory.getbasetemp() / "speech-data", quiet)
    assert found.keys() == MADE.keys()
    assert found["laughter"].utterances > 0, "what the detector takes for speech is there, too"
    assert found["laughter"].drafts > 0
    made_of_it = {name: (each.lines, each.captions, each.flags) for name, each in found.items()}
    assert {name: text for name, text in made_of_it.items() if any(text)} == {}


@pytest.mark.speech
async def test_the_same_way_hears_and_flags_speech(
    clips: dict[str, Clip], tmp_path_factory: pytest.TempPathFactory
) -> None:
    spoken = Sound("speech", np.concatenate([clips["table_en_000"].pcm, np.zeros(16_000, np.float32)]))
    found = await play([spoken], "en", tmp_path_factory.getbasetemp() / "speech-data", quiet)
    assert len(found["speech"].lines) == 1
    assert found["speech"].flags
    drafts = [heard for heard, _ in hear(encode_opus(spoken.pcm), SETTINGS.ear) if heard.cut.stage is Stage.DRAFT]
    assert found["speech"].drafts == len(drafts) > 2, "every one is decoded"
    assert len(found["speech"].captions) >= 2


@pytest.mark.parametrize("name", sorted(MADE))
def test_a_made_sound_is_the_same_for_the_same_seed(name: str) -> None:
    sound = made(name, 2.0, 1)
    assert len(sound.pcm) == 32_000
    assert np.all(np.isfinite(sound.pcm))
    assert np.array_equal(sound.pcm, made(name, 2.0, 1).pcm)
    if name != "silence":
        assert 0.0005 < float(np.max(np.abs(sound.pcm))) <= 1.0
        assert not np.array_equal(sound.pcm, made(name, 2.0, 2).pcm)


def write_wav(path: Path, seconds: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(b"\1\0" * round(16_000 * seconds))


def test_recordings_are_joined_and_what_has_words_or_is_no_sound_is_left_out(tmp_path: Path) -> None:
    package = Package("some", "Debian", "GPL-2+", ("sounds/*.wav",), 60.0, with_words="speech")
    for name in ("a", "b", "speech"):
        write_wav(tmp_path / "sounds" / f"{name}.wav", 1.0)
    (tmp_path / "sounds" / "text.wav").write_text("no sound")
    (sound,) = recorded(package, [tmp_path / "empty", tmp_path], 20.0, tmp_path / "pool")
    assert len(sound.pcm) == 2 * (16_000 + 8_000)
    assert len(list(recorded(package, [tmp_path], 1.0, tmp_path / "pool"))) == 2
    assert list(recorded(package, [tmp_path / "empty"], 1.0, tmp_path / "pool")) == []


def test_recordings_in_an_archive_are_unpacked(tmp_path: Path) -> None:
    write_wav(tmp_path / "gasp.wav", 1.0)
    with zipfile.ZipFile(tmp_path / "pak.zip", "w") as packed:
        packed.write(tmp_path / "gasp.wav", "sound/player/gasp.wav")
    package = Package("some", "Debian", "GPL-2+", ("sound/player/*.wav",), 60.0, archive="pak.zip")
    (sound,) = recorded(package, [tmp_path], 20.0, tmp_path / "pool")
    assert len(sound.pcm) == 24_000


def test_made_sounds_fill_what_recordings_leave(tmp_path: Path) -> None:
    played, missing = sounds(1.0, SEED, [tmp_path], tmp_path / "pool")
    assert sum(len(sound.pcm) for sound in played) == pytest.approx(60 * 16_000, abs=16_000)
    assert [sound.source for sound in played] == list(MADE)[:20]
    played, _ = sounds(2.0, SEED, [tmp_path], tmp_path / "pool")
    assert {sound.source for sound in played} == MADE.keys(), "some of every kind"
    assert len(missing) == 6


@pytest.mark.parametrize(
    "wrong", [["--minutes", "0"], ["--minutes", "nan"], ["--lang", "de"], ["--json", "/no/x.json"]]
)
def test_a_wrong_command_line_is_status_2(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(wrong)
    except SystemExit as ended:
        status = int(ended.code or 0)
    assert status == 2
    assert wrong[0] in capsys.readouterr().err


@pytest.mark.speech
def test_the_bench_writes_what_it_found(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path_factory.getbasetemp() / "speech-data"
    file = tmp_path / "noise.json"
    assert main(["--minutes", "0.1", "--lang", "en", "--data", str(data), "--json", str(file)]) == 0
    written = json.loads(file.read_text("utf-8"))
    assert sum(each["seconds"] for each in written["found"]["en"].values()) >= 6.0
    assert "captions" in capsys.readouterr().out
