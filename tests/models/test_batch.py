"""Several utterances at once: the same texts, words and guards as one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from models import guards
from models.errors import ModelError
from models.mel import FRAME_RATE_HZ
from models.recognition import Ask, BatchRecogniser
from models.store import locate
from models.whisper import MAX_AUDIO_S, RETRY_WINDOW_S, WindowedWhisper
from tests.speech.sound import Clip, read_clips, words_counted
from voice.speech.prompts import GAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.vad import Samples

pytestmark = pytest.mark.speech

WINDOW_S = 4.0
"""As long as any of the clips needs, so that an utterance has the same window alone and among others."""


@pytest.fixture(scope="module")
def clips() -> dict[str, Clip]:
    return dict(sorted(read_clips().items(), key=lambda item: item[1].seconds))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> WindowedWhisper:
    located = locate("base", tmp_path_factory.mktemp("data"))
    return WindowedWhisper(located, compute_type="float32", min_window_s=WINDOW_S)


def chosen(clips: dict[str, Clip]) -> list[Clip]:
    return [clip for lang in ("en", "ru") for clip in [each for each in clips.values() if each.lang == lang][:2]]


def test_languages_and_drafts_in_one_batch_are_what_they_are_alone(
    base: WindowedWhisper, clips: dict[str, Clip]
) -> None:
    asks = [Ask(clip.pcm, clip.lang, number % 3 != 1) for number, clip in enumerate(chosen(clips))]
    together = base.transcribe_batch([*asks, Ask(np.zeros(0, np.float32), "ru")])
    assert len(together) == len(asks) + 1
    for one, ask in zip(together, asks, strict=False):
        other = base.transcribe(ask.audio, ask.lang, words=ask.words)
        assert one.text == other.text
        assert one.score == pytest.approx(other.score, abs=0.02)
        assert one.no_speech == pytest.approx(other.no_speech, abs=0.02)
        assert bool(one.words) is ask.words
        assert [word.text for word in one.words] == [word.text for word in other.words]
        for word, same in zip(one.words, other.words, strict=True):
            assert word.start_s == pytest.approx(same.start_s, abs=0.06)
            assert word.confidence == pytest.approx(same.confidence, abs=0.05)


def test_what_is_too_fast_for_speech_is_searched_again_but_for_drafts(
    base: WindowedWhisper, clips: dict[str, Clip], monkeypatch: pytest.MonkeyPatch
) -> None:
    windows: list[int] = []
    encode = base._inside.encode

    def counted(audios: Sequence[Samples], frames: int) -> Any:
        windows.append(frames)
        return encode(audios, frames)

    monkeypatch.setattr(base._inside, "encode", counted)
    monkeypatch.setattr(guards, "too_fast", lambda *_: True)
    ask = Ask(chosen(clips)[0].pcm, "en")
    texts = [found.text for found in base.transcribe_batch([Ask(ask.audio, "en", words=False), ask])]
    assert all(texts)
    assert windows[2:] == [round(RETRY_WINDOW_S * FRAME_RATE_HZ)], "once more, for the one that is no draft"


def test_a_long_one_among_short_ones_takes_nothing_from_them(base: WindowedWhisper, clips: dict[str, Clip]) -> None:
    some = chosen(clips)
    asks = [Ask(clip.pcm, clip.lang) for clip in some]
    long = Ask(np.concatenate([clip.pcm for clip in some if clip.lang == "en"]), "en")
    together = base.transcribe_batch([long, *asks])
    assert len(together[0].text.split()) >= 0.7 * sum(len(clip.text.split()) for clip in some[:2])
    for clip, one in zip(some, together[1:], strict=True):
        assert words_counted(clip.text, one.text)[0] <= max(2, 0.5 * len(clip.text.split())), "not said twice, not lost"


def test_prompts_of_different_length_are_searched_apart(
    tmp_path_factory: pytest.TempPathFactory, clips: dict[str, Clip]
) -> None:
    located = locate("base", tmp_path_factory.mktemp("prompted"))
    model = WindowedWhisper(located, min_window_s=WINDOW_S, prompts={"en": GAME["en"]})
    some = chosen(clips)
    for clip, one in zip(some, model.transcribe_batch([Ask(clip.pcm, clip.lang) for clip in some]), strict=True):
        assert words_counted(clip.text, one.text)[0] <= max(2, 0.5 * len(clip.text.split()))


def test_one_that_can_not_be_done_is_refused_with_all(base: WindowedWhisper) -> None:
    quiet = np.zeros(1600, np.float32)
    with pytest.raises(ModelError, match="does not do language xx"):
        base.transcribe_batch([Ask(quiet, "en"), Ask(quiet, "xx")])
    with pytest.raises(ValueError, match="at most"):
        base.transcribe_batch([Ask(quiet, "en"), Ask(np.zeros(round(MAX_AUDIO_S * 16_000) + 1, np.float32), "en")])


def test_none_give_none(base: WindowedWhisper) -> None:
    assert base.transcribe_batch([]) == []
    assert isinstance(base, BatchRecogniser)
