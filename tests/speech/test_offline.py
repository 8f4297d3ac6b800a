"""The same path on files: sound to packets, packets to utterances, utterances to lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from models.recognition import Hypothesis, Word
from models.store import locate
from models.whisper import WindowedWhisper
from tests.speech.sound import FIXTURES, Clip, words_wrong
from voice.speech.audio import PACKET_S, AudioFileError, packets, read_audio, read_pcm
from voice.speech.endpointer import EndpointRules, Stage
from voice.speech.offline import hear, recognise

if TYPE_CHECKING:
    from pathlib import Path

    from models.vad import Samples

GAP = np.zeros(12_000, np.float32)


def opus(*parts: Samples) -> list[bytes]:
    pcm = (np.clip(np.concatenate(parts), -1, 1) * 32767).astype("<i2").tobytes()
    return list(packets([pcm[:1001], pcm[1001:]]))


class Slow:
    """A recogniser that takes as long as it is told, by a clock of its own."""

    def __init__(self, text: str = "one two three") -> None:
        self.text = text
        self.heard: list[float] = []

    def transcribe(self, audio: Samples, lang: str, *, words: bool = True) -> Hypothesis:
        self.heard.append(len(audio) / 16_000)
        return Hypothesis(self.text, tuple(Word(word, 0.0, 0.1, 0.9) for word in self.text.split()), 0.0, -0.1, False)


def test_two_sentences_are_two_utterances(clips: dict[str, Clip]) -> None:
    one, other = clips["table_en_009"], clips["table_en_022"]
    sound = opus(one.pcm, GAP, other.pcm, GAP)
    assert len(sound) == -(-(len(one.pcm) + len(other.pcm) + 2 * len(GAP)) // 320)
    found = [(heard, now_s) for heard, now_s in hear(sound) if heard.cut.stage is Stage.FINAL]
    assert len(found) >= 2
    assert sum(heard.speech_s for heard, _ in found) < one.seconds + other.seconds
    for heard, now_s in found:
        assert heard.start_s < heard.end_s < now_s <= len(sound) * PACKET_S


@pytest.mark.parametrize("decode_s", [0.01, 0.1, 2.0])
def test_a_decode_runs_while_the_endpointer_waits(
    clips: dict[str, Clip], decode_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter([0.0, decode_s] * 10)
    monkeypatch.setattr("voice.speech.offline.time.perf_counter", lambda: next(ticks))
    rules = EndpointRules()
    line = next(recognise(opus(clips["table_en_022"].pcm, GAP), "en", Slow(), rules))
    wait_s, text_s = line.timings.endpoint_s, line.timings.end_to_text_s
    assert rules.end_silence_s <= wait_s < rules.end_silence_s + 0.1
    likely_s = rules.likely_silence_s + decode_s
    assert text_s >= wait_s
    assert text_s == pytest.approx(max(wait_s, likely_s), abs=0.06)
    assert text_s < wait_s + decode_s


@pytest.mark.parametrize(
    ("text", "silence_s"), [("one two three.", 0.2), ("one two three", 0.3), ("one two number.", 0.8)]
)
def test_the_text_tells_how_long_the_endpointer_waits(clips: dict[str, Clip], text: str, silence_s: float) -> None:
    recogniser = Slow(text)
    line = next(recognise(opus(clips["table_en_022"].pcm, GAP, GAP), "en", recogniser))
    assert silence_s <= line.timings.endpoint_s < silence_s + 0.1
    assert len(recogniser.heard) == 1, "the text of the likely end is that of the end"


def test_a_hanging_word_and_its_sentence_are_one_utterance(clips: dict[str, Clip]) -> None:
    pause = np.zeros(8_000, np.float32)
    one, other = clips["table_en_009"], clips["table_en_022"]
    sound = opus(one.pcm, pause, other.pcm, GAP, GAP)
    apart = list(recognise(sound, "en", Slow("I think.")))
    joined = list(recognise(sound, "en", Slow("I think the.")))
    assert len(joined) < len(apart)
    assert joined[0].end_s > apart[0].end_s


def test_the_end_of_the_sound_ends_an_utterance_at_once(clips: dict[str, Clip]) -> None:
    recogniser = Slow()
    clip = clips["table_en_022"]
    spoken = round(0.6 * len(clip.pcm))
    *_, line = recognise(opus(clip.pcm[:spoken]), "en", recogniser)
    assert line.timings.endpoint_s < 0.2
    assert line.end_s <= spoken / 16_000 + PACKET_S


@pytest.mark.speech
def test_lines_of_a_recording(clips: dict[str, Clip], tmp_path: Path) -> None:
    one, other = clips["table_en_009"], clips["table_en_022"]
    sound = opus(GAP, one.pcm, GAP, other.pcm, GAP)
    lines = list(recognise(sound, "en", WindowedWhisper(locate("tiny.en", tmp_path))))
    assert words_wrong(one.text + " " + other.text, " ".join(line.text for line in lines)) <= 0.2
    for line in lines:
        assert 0 <= line.start_s < line.end_s <= len(sound) * PACKET_S
        assert line.timings.end_to_text_s >= line.timings.endpoint_s > 0


def test_any_audio_file_is_read_and_any_other_refused(tmp_path: Path) -> None:
    assert len(read_audio(FIXTURES / "table_en_000.flac")) == 34_480
    for name, content in (("empty.wav", b""), ("text.flac", b"not audio at all")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(AudioFileError, match=name):
            read_audio(tmp_path / name)
    for name in ("missing.wav", "."):
        with pytest.raises(AudioFileError, match=r"can't be read|does not exist"):
            read_audio(tmp_path / name)


def test_a_colon_in_a_name_is_no_protocol(tmp_path: Path) -> None:
    odd = tmp_path / "http:one.flac"
    odd.write_bytes((FIXTURES / "table_en_000.flac").read_bytes())
    assert sum(len(piece) for piece in read_pcm(odd)) == 2 * 34_480
