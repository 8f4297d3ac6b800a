"""The same endpointer and recogniser on files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from models.store import locate
from models.whisper import WindowedWhisper
from tests.speech.sound import FIXTURES, Clip, words_wrong
from voice.speech.offline import AudioFileError, cut, read_audio, recognise

if TYPE_CHECKING:
    from pathlib import Path

GAP = np.zeros(12_000, np.float32)


def test_two_sentences_are_two_utterances(clips: dict[str, Clip]) -> None:
    one, other = clips["table_en_009"], clips["table_en_022"]
    found = list(cut(np.concatenate([one.pcm, GAP, other.pcm, GAP])))
    assert len(found) >= 2
    assert sum(cut.speech_samples for cut, _ in found) < len(one.pcm) + len(other.pcm)


@pytest.mark.speech
def test_lines_of_a_recording(clips: dict[str, Clip], tmp_path: Path) -> None:
    one, other = clips["table_en_009"], clips["table_en_022"]
    pcm = np.concatenate([GAP, one.pcm, GAP, other.pcm, GAP])
    lines = list(recognise(pcm, "en", WindowedWhisper(locate("tiny.en", tmp_path))))
    assert words_wrong(one.text + " " + other.text, " ".join(line.text for line in lines)) <= 0.2
    for line in lines:
        assert 0 <= line.start_s < line.end_s <= len(pcm) / 16_000
        assert line.timings.end_to_text_s >= line.timings.endpoint_s > 0


def test_any_audio_file_is_read_and_any_other_refused(tmp_path: Path) -> None:
    assert len(read_audio(FIXTURES / "table_en_000.flac")) == 34_480
    for name, content in (("empty.wav", b""), ("text.flac", b"not audio at all")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(AudioFileError, match=name):
            read_audio(tmp_path / name)
    with pytest.raises(AudioFileError, match="missing"):
        read_audio(tmp_path / "missing.wav")
