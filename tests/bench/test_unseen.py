"""`python -m benchmarks.speech.unseen`: which prompts become clips, and that they are whole."""

from __future__ import annotations

import gzip
import wave
from typing import TYPE_CHECKING

import av
import numpy as np
import pytest

from benchmarks.speech import unseen
from voice.bench.asr.clips import read_clips

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = """; Core sounds
good-one: You are entering the conference now.
conf-onlyone: There is one other participant here.
short: Thank you.
long-menu: Press 1 to mute or unmute yourself.
half-a: ...of the people in it.
tones: <beep> twice and then once more.
letters: it is M I S D N
named: Welcome to the Asterisk open source phones.
no-recording: There is nothing recorded of this.
dir/good-two: I have a call for you.
"""


def _recording(path: Path, seconds: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w", format="g722") as file:
        stream = file.add_stream("g722", rate=16_000, layout="mono")
        wave_s = np.arange(int(seconds * 16_000)) / 16_000
        frame = av.AudioFrame.from_ndarray(
            (np.sin(wave_s * 2 * np.pi * 440) * 9_000).astype(np.int16)[None], format="s16", layout="mono"
        )
        frame.sample_rate = 16_000
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            file.mux(packet)


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for lang in ("en", "ru"):
        for line in TEXTS.splitlines()[1:]:
            name = line.partition(":")[0]
            if name != "no-recording":
                _recording(tmp_path / "sounds" / lang / f"{name}.g722", 1.5)
        (tmp_path / f"{lang}.txt.gz").write_bytes(gzip.compress(TEXTS.encode()))
    monkeypatch.setattr(unseen, "SOUNDS", {lang: tmp_path / "sounds" / lang for lang in ("en", "ru")})
    monkeypatch.setattr(unseen, "TEXTS", str(tmp_path / "{lang}.txt.gz"))
    return tmp_path


def test_only_what_is_said_as_written_and_is_not_known_becomes_a_clip(packaged: Path) -> None:
    named = {path.stem for path, _ in unseen.prompts("en", frozenset({"conf-onlyone"}))}
    assert named == {"good-one", "good-two"}
    assert "conf-onlyone" in {path.stem for path, _ in unseen.prompts("en", frozenset())}


def test_the_clips_are_a_folder_for_the_bench_with_the_whole_sound(packaged: Path, tmp_path: Path) -> None:
    folder = tmp_path / "clips"
    assert unseen.main([str(folder)]) == 0
    clips = read_clips(folder)
    assert {clip.text for clip in clips} >= {"You are entering the conference now.", "I have a call for you."}
    for clip in clips:
        with wave.open(str(clip.path)) as file:
            assert file.getparams()[:3] == (1, 2, 16_000)
            assert file.getnframes() == pytest.approx(24_000, abs=400)
    again = tmp_path / "again"
    unseen.main([str(again), "--count", "1", "--seed", "7"])
    assert len(read_clips(again)) == 2


def test_a_missing_package_or_folder_is_one_line_and_2(
    packaged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert unseen.main([str(tmp_path / "file")]) == 2
    (tmp_path / "ru.txt.gz").unlink()
    assert unseen.main([str(tmp_path / "clips")]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert "apt-get install asterisk-core-sounds-ru" in told[1]
