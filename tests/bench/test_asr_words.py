"""Words of `bench asr`: how texts are made alike, which are wrong, and when each was first shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.asr_rows import clip, played, sound
from tests.speech.sound import words_counted
from voice.bench.asr.numbers import in_words
from voice.bench.asr.row import make_row
from voice.bench.asr.setup import OURS, Setup
from voice.bench.asr.shown import Shown, first_seen, first_stable
from voice.bench.asr.sound import word_ends
from voice.bench.asr.words import errors, followed, normal
from voice.speech.lines import Word

WORDS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=6)


@pytest.mark.parametrize(
    ("text", "lang", "words"),
    [
        ("Hello,  World!", "en", "hello world"),
        ("It’s what's-his-name's", "en", "it's what's his name's"),
        ("Set 30 timers, 5th: 3,000.", "en", "set thirty timers five th three thousand"),
        ("Ещё 21 раз; ёлка — 2000", "ru", "еще двадцать один раз елка две тысячи"),
        ("№5", "ru", "no пять"),
        ("vingt 20", "fr", "vingt 20"),
        ("12345678", "en", "12345678"),
        ("... '' _ \u0301 \u00b4", "en", ""),
        ("за\u0301мок, замо\u0301к; и\u0306од, е\u0308лка", "ru", "замок замок йод елка"),
        ("cafe\u0301 caf\u00e9 e\u0300", "fr", "caf\u00e9 caf\u00e9 \u00e8"),
        ("\u0939\u093f\u0928\u094d\u0926\u0940 5", "hi", "\u0939\u093f\u0928\u094d\u0926\u0940 5"),
        ("co\u00adop\u200bt", "en", "coopt"),
    ],
)
def test_texts_are_made_alike(text: str, lang: str, words: str) -> None:
    assert normal(text, lang) == words.split()


@pytest.mark.parametrize(
    ("number", "en", "ru"),
    [
        (0, "zero", "ноль"),
        (13, "thirteen", "тринадцать"),
        (40, "forty", "сорок"),
        (99, "ninety nine", "девяносто девять"),
        (215, "two hundred fifteen", "двести пятнадцать"),
        (1000, "one thousand", "тысяча"),
        (1021, "one thousand twenty one", "тысяча двадцать один"),
        (3004, "three thousand four", "три тысячи четыре"),
        (21_500, "twenty one thousand five hundred", "двадцать одна тысяча пятьсот"),
        (999_999, "nine hundred ninety nine thousand nine hundred ninety nine",
         "девятьсот девяносто девять тысяч девятьсот девяносто девять"),
    ],
)  # fmt: skip
def test_numbers_in_words(number: int, en: str, ru: str) -> None:
    assert in_words(number, "en") == en.split()
    assert in_words(number, "ru") == ru.split()


def test_every_number_has_words_of_its_own() -> None:
    for lang in ("en", "ru"):
        assert len({" ".join(in_words(number, lang)) for number in range(20_000)}) == 20_000


@given(WORDS, WORDS)
def test_wrong_words_are_counted_as_elsewhere(said: list[str], heard: list[str]) -> None:
    assert errors(said, heard) == words_counted(" ".join(said), " ".join(heard))[0]


@given(WORDS, WORDS)
def test_followed_words_are_in_both_and_in_order(said: list[str], heard: list[str]) -> None:
    found = sorted(followed(said, heard))
    rest = iter(heard)
    assert all(said[index] in rest for index in found)


@given(WORDS, st.integers(0, 6))
def test_a_beginning_is_followed_whole(said: list[str], length: int) -> None:
    assert followed(said, said[:length]) == set(range(min(length, len(said))))


def test_a_wrong_word_is_not_followed() -> None:
    assert followed(["vote", "for", "five", "tonight"], ["boat", "for", "five"]) == {1, 2}
    assert followed(["one", "two"], ["nothing", "of", "it"]) == set()


def test_when_a_word_was_first_shown_and_when_it_stayed() -> None:
    shown = Shown([(1.0, "One", False), (2.0, "one two", False), (3.0, "one too", False), (4.0, "One, two.", True),
                   (5.0, "three", False), (6.0, "three", False), (7.0, "three four", True)])  # fmt: skip
    said = ["one", "two", "three", "four"]
    assert first_seen(shown, said, "en") == {0: 1.0, 1: 2.0, 2: 5.0, 3: 7.0}
    assert first_stable(shown, said, "en") == {0: 2.0, 1: 4.0, 2: 6.0, 3: 7.0}


def test_a_caption_that_is_taken_back_ends_the_agreement() -> None:
    shown = Shown([(1.0, "one", False), (2.0, "", False), (3.0, "one", False), (4.0, "one", False)])
    assert first_seen(shown, ["one"], "en") == {0: 1.0}
    assert first_stable(shown, ["one"], "en") == {0: 4.0}


def test_word_ends_go_to_the_words_as_they_are_compared() -> None:
    written = [Word("Seat", 0.0, 0.5, 1.0), Word("25,", 0.5, 1.5, 1.0), Word("-", 1.5, 1.6, 1.0)]
    assert word_ends(written, ["seat", "twenty", "five"], "en") == [0.5, 1.5, 1.5]
    assert word_ends(written, ["other", "words"], "en") == [None, None]


def test_a_rows_figures() -> None:
    setup = Setup(OURS, "tiny.en", "cpu", "int8", 1, 8.0, 1, 1, 1.0)
    good = Shown([(1.4, "one", False), (3.6, "One two three.", True)], [0.5], [0.2], [3.0])
    bad = Shown([(3.1, "one three", True)], [0.1], [0.1], [2.0])
    single = Shown([(3.1, "fife", True)], [0.3], [0.1], [1.0])
    made = make_row(
        setup,
        played((sound(clip()), good), (sound(clip(), (1.0, None, 3.0)), bad), (sound(clip("five"), (0.5,)), single)),
    )
    assert (made["way"], made["window_s"], made["langs"], made["clips"], made["utterances"]) == (
        "ours", 8.0, ["en"], 3, 3,
    )  # fmt: skip
    assert made["end_to_text_ms"] == {"p50": 300.0, "p95": 500.0, "p99": 500.0, "n": 3}
    assert made["end_to_text_each_ms"] == [500.0, 100.0, 300.0]
    assert made["word_to_first_text_ms"]["n"] == 5, "three and two of three; the word that nobody heard is not in it"
    assert made["word_to_first_text_ms"]["p50"] == 600.0
    assert made["wer"] == {"en": round(1 / 6, 4)}
    assert made["by_lang"]["en"]["one_word_clips"] == {"wrong": 1, "words": 1}
    assert made["real_time_factor"] == round(0.4 / 6, 4)
    assert made["cpu_s_per_audio_s"] == round(2 / 12, 4)
