"""Words' times and confidences: in order, within the sound, near where the words are."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.inside import Aligned
from models.spelling import Spelled, timed
from models.store import locate
from models.whisper import WindowedWhisper
from tests.speech.sound import read_clips

if TYPE_CHECKING:
    from pathlib import Path

    from models.recognition import Word

RATE_HZ = 16_000
GAP_S = 0.6
NEAR_S = 0.45
"""The aligner counts the quiet before a word to it, and synthetic clips begin and end with some."""


class Letters:
    """A tokenizer whose tokens are letters."""

    def decode(self, tokens: list[int]) -> str:
        return "".join(map(chr, tokens))


@st.composite
def paths(draw: st.DrawFn) -> tuple[list[Spelled], Aligned, float]:
    """Words of one to four letters, and a way through tokens and steps such as dynamic time warping gives."""
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=8))
    words = [Spelled(" " + "a" * length, (97,) * length) for length in lengths]
    tokens = sum(lengths)
    path = [(0, 0)]
    for _ in range(draw(st.integers(tokens, 3 * tokens + 20))):
        token, step = path[-1]
        more = draw(st.integers(0, 2))
        path.append((min(token + (more != 1), tokens), step + (more != 0)))
    while path[-1][0] < tokens:
        path.append((path[-1][0] + 1, path[-1][1]))
    shares = draw(st.lists(st.floats(0.0, 1.5), min_size=tokens, max_size=tokens + 1))
    return words, Aligned(tuple(path), tuple(shares)), draw(st.floats(0.02, 5.0))


def in_order(words: tuple[Word, ...], audio_s: float) -> None:
    times = [time_s for word in words for time_s in (word.start_s, word.end_s)]
    assert times == sorted(times)
    assert all(0.0 <= time_s <= audio_s for time_s in times)
    assert all(0.0 <= word.confidence <= 1.0 for word in words)


@given(paths())
def test_whatever_the_aligner_says_words_are_in_order_and_within_the_sound(
    found: tuple[list[Spelled], Aligned, float],
) -> None:
    spelled, aligned, audio_s = found
    words = timed(Letters(), spelled, aligned, audio_s)
    assert [word.text for word in words] == [word.text.strip() for word in spelled]
    in_order(words, audio_s)


@pytest.mark.speech
def test_words_are_where_they_are_said(tmp_path: Path) -> None:
    model = WindowedWhisper(locate("tiny.en", tmp_path))
    clips = [clip for clip in read_clips().values() if clip.lang == "en"]
    for first, second in itertools.pairwise(clips[:4]):
        joined = np.concatenate([first.pcm, np.zeros(round(GAP_S * RATE_HZ), np.float32), second.pcm])
        heard = model.transcribe(joined, "en")
        in_order(heard.words, len(joined) / RATE_HZ)
        before, after = first.seconds, first.seconds + GAP_S
        at = len([word for word in heard.words if (word.start_s + word.end_s) / 2 < before + GAP_S / 2])
        assert abs(at - len(first.text.split())) <= 2, "the words of the first are before the gap"
        assert heard.words[at - 1].start_s < before
        assert heard.words[at].end_s > after
        assert heard.words[0].start_s < NEAR_S
        known = model.spoken_at(joined, f"{first.text} {second.text}", "en")
        in_order(known, len(joined) / RATE_HZ)
        assert known[len(first.text.split())].end_s > after
        assert known[len(first.text.split()) - 1].start_s < before
