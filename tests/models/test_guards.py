"""The rules against loops, one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.guards import (
    CUT_BEFORE_END_S,
    TIMESTAMP_STEP_S,
    bare,
    collapse,
    cut_at_end,
    token_cap,
    too_fast,
)
from voice.speech.endpointer import EndpointRules

TS = 50_000


def kept(text: str) -> str:
    words = text.split()
    return " ".join(words[index] for index in collapse(words))


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Lock the front door. Lock the front door. Lock the", "Lock the front door."),
        ("Lock the front door. Lock the", "Lock the front door."),
        ("I am red, I am red", "I am red,"),
        ("no no no no", "no"),
        ("no, no", "no, no"),
        ("he is very very bad", "he is very very bad"),
        ("the sheriff checked the don", "the sheriff checked the don"),
        ("я красный, я красный, я мирный", "я красный, я мирный"),
        ("ask not what you can do, ask what you can do", "ask not what you can do, ask what you can do"),
        ("...", "..."),
        ("", ""),
    ],
)
def test_repeats_go_and_the_rest_stays(said: str, left: str) -> None:
    assert kept(said) == left


@given(st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=30))
def test_what_is_left_was_said_in_that_order(words: list[str]) -> None:
    indices = collapse(words)
    assert indices == sorted(set(indices))
    assert bool(indices) == bool(words)
    assert set(map(words.__getitem__, indices)) <= set(words)


@given(st.lists(st.integers(0, 10_000).map(str), unique=True, max_size=30))
def test_words_that_differ_all_stay(words: list[str]) -> None:
    assert collapse(words) == list(range(len(words)))


def test_tokens_after_the_end_of_speech_go() -> None:
    begin, end = TS, TS + 95  # 1.9 s of 2.0
    assert cut_at_end([begin, 1, 2, end, end, 3, 4], TS, 2.0) == [begin, 1, 2]
    assert cut_at_end([begin, 1, 2, TS + 40, TS + 40, 3, end], TS, 2.0) == [begin, 1, 2, TS + 40, TS + 40, 3]
    assert cut_at_end([1, 2, 3], TS, 2.0) == [1, 2, 3]
    assert cut_at_end([begin, 1, TS + 10], TS, 0.3) == [begin, 1], "the first timestamp is a beginning, however short"


def test_the_cap_grows_with_the_audio_and_russian_needs_more() -> None:
    assert token_cap(0.0, "en") == 16
    assert token_cap(10.0, "en") == 86
    assert token_cap(10.0, "ru") > token_cap(10.0, "en")
    assert token_cap(10.0, "en", whole=False) == 78


def test_too_fast() -> None:
    assert too_fast(20, 2.0)
    assert not too_fast(10, 2.0)
    assert not too_fast(3, 0.1)


def test_bare_words() -> None:
    assert bare("Don't,") == "dont"
    assert bare("«Ёлка»!") == "ёлка"


TOKENS = st.lists(st.one_of(st.integers(0, TS - 1), st.integers(TS, TS + 1_500)), max_size=40)


@given(TOKENS, st.floats(0.0, 29.0))
def test_a_cut_leaves_a_beginning_with_no_time_past_the_end(tokens: list[int], audio_s: float) -> None:
    left = cut_at_end(tokens, TS, audio_s)
    assert left == tokens[: len(left)]
    assert cut_at_end(left, TS, audio_s) == left, "once is enough"
    first_text = next((index for index, token in enumerate(tokens) if token < TS), len(tokens))
    limit = TS + (audio_s - CUT_BEFORE_END_S) / TIMESTAMP_STEP_S
    assert all(token < TS or token < limit for token in left[first_text:])
    assert len(left) == len(tokens) or tokens[len(left)] >= limit, "nothing earlier goes"


@given(st.floats(0.0, 29.0), st.floats(0.0, 5.0), st.sampled_from(["en", "ru", "de"]))
def test_more_sound_may_have_more_words(audio_s: float, more_s: float, lang: str) -> None:
    assert 16 <= token_cap(audio_s, lang) <= token_cap(audio_s + more_s, lang)
    words = round(audio_s * 5)
    assert too_fast(words + 1, audio_s) or not too_fast(words, audio_s)
    assert not too_fast(words, audio_s + more_s) or too_fast(words, audio_s)


SENTENCE = st.lists(
    st.sampled_from(["one", "two", "three", "four", "five", "six", "seven", "eight"]),
    min_size=2,
    max_size=8,
    unique=True,
)


@given(SENTENCE, st.integers(2, 5), st.integers(0, 7))
def test_a_sentence_said_again_and_again_stays_once(words: list[str], times: int, begun_anew: int) -> None:
    assert kept(" ".join(words * times)) == " ".join(words)
    again = words[: min(begun_anew, len(words) - 1)]
    if len(again) > 1:
        assert kept(" ".join([*words[:-1], words[-1] + ".", *again])) == " ".join([*words[:-1], words[-1] + "."])


@given(st.lists(st.sampled_from(["a", "b", "c", "a.", "B"]), max_size=24))
def test_collapsing_has_nothing_left_to_do_after_a_few_rounds(words: list[str]) -> None:
    texts = words
    for _ in range(len(words) + 1):
        fewer = [texts[index] for index in collapse(texts)]
        assert len(fewer) <= len(texts)
        if fewer == texts:
            break
        texts = fewer
    else:
        pytest.fail("expected an end")
    for length in range(2, 13):
        for start in range(len(texts) - 2 * length + 1):
            run = [bare(word) for word in texts[start : start + length]]
            assert run != [bare(word) for word in texts[start + length : start + 2 * length]]


@given(st.integers(1, 500), st.floats(0.3, 10.0))
def test_a_short_last_sentence_stays_as_the_endpointer_cuts_utterances(word: int, before_s: float) -> None:
    """Said in a tenth of a second, at the very end, and as little silence behind it as a likely end has."""
    rules = EndpointRules()
    begin_s, audio_s = before_s, before_s + 0.1 + rules.likely_silence_s
    second = TS + round(begin_s / TIMESTAMP_STEP_S)
    said = [TS, 1, 2, second, second, word, second + 5]
    assert word in cut_at_end(said, TS, audio_s)[5:6]
    past = TS + round(audio_s / TIMESTAMP_STEP_S)
    assert cut_at_end([TS, 1, 2, past, past, word], TS, audio_s) == [TS, 1, 2], "and what begins after it goes"
