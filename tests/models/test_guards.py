"""The rules against loops, one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.guards import bare, collapse, cut_at_end, token_cap, too_fast

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


def test_too_fast() -> None:
    assert too_fast(20, 2.0)
    assert not too_fast(10, 2.0)
    assert not too_fast(3, 0.1)


def test_bare_words() -> None:
    assert bare("Don't,") == "dont"
    assert bare("«Ёлка»!") == "ёлка"
