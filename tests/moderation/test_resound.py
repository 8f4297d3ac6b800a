"""Unsure words as the words of the lexicon that they sound like: for a person alone."""

import csv
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moderation import OtherReading, Verdict, WordEvidence, judge

Lang = Literal["en", "ru"]
UNSURE, SURE = 0.3, 0.9
HARMLESS = Path(__file__).parent / "harmless.tsv"


def spoken(text: str, lang: Lang = "ru", unsure: str = "") -> Verdict:
    """The verdict on a spoken line in which the words `unsure` are; all of them where none is named."""
    doubtful = unsure.split()
    return judge(
        text, lang, [WordEvidence(word, UNSURE if not doubtful or word in doubtful else SURE) for word in text.split()]
    )


@pytest.mark.parametrize(
    ("text", "unsure", "heard"),
    [
        ("ты что-то упой, что ли?", "упой,", "тупой"),  # of two vowels that meet the first is not heard
        ("вали в свой овлчурка", "овлчурка", "чурка"),
        ("ты какой-то тупай", "тупай", "тупой"),
        ("тупай, баба", "тупай,", "тупой"),
    ],
)
def test_an_unsure_word_that_sounds_like_abuse_asks_a_person(text: str, unsure: str, heard: str) -> None:
    verdict = spoken(text, unsure=unsure)
    assert (verdict.category, verdict.severity, verdict.review) == (None, None, True)
    assert any(heard in hit.instead for hit in verdict.why)
    assert spoken(text, unsure="ли").why == (), "a sure word is what it is"
    assert not judge(text, "ru").review, "who types it means it"


def test_english_is_heard_so_too() -> None:
    assert spoken("you are an assh ole", "en", unsure="ole").review
    assert spoken("you dirty basturd", "en", unsure="basturd").review


@pytest.mark.parametrize(
    "text",
    [
        *("моя дочурка спит", "у меня печурка", "девчушка за столом", "наша команда играет", "командой мы сильнее"),
        *("утварь на кухне", "незаконченный круг", "речушка за домом", "ты не что-то упой"),
        *("застрахуй меня", "рубля не дам", "потребляй меньше", "колебаться не буду"),
    ],
)
def test_words_that_only_end_so_and_what_is_excused_are_nothing(text: str) -> None:
    verdict = spoken(text)
    assert (verdict.category, verdict.review) == (None, False)


def test_harmless_lines_that_the_recogniser_was_wholly_unsure_of_ask_nobody_more() -> None:
    with HARMLESS.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if len(row) > 1 and row[0] in ("en", "ru")]
    assert len(rows) > 100
    asked = [row for row in rows if any(hit.instead for hit in spoken(row[1], "ru" if row[0] == "ru" else "en").why)]
    assert asked == []


@given(
    words=st.lists(
        st.sampled_from(
            ("ты", "что", "то", "упой", "овлчурка", "ли", "не", "в", "аул", "tranny", "as", "whole", "рь", "а")
        ),
        max_size=12,
    ),
    confidences=st.lists(st.floats(0, 1), min_size=12, max_size=12),
    other=st.sampled_from(("", "ты тупой", "you idiot")),
)
def test_any_words_and_confidences_are_read(words: list[str], confidences: list[float], other: str) -> None:
    text = " ".join(words)
    evidence = [WordEvidence(word, sure) for word, sure in zip(words, confidences, strict=False)]
    verdict = judge(text, "ru", evidence, [OtherReading(other, 0.3)])
    assert all(0 <= hit.start < hit.end <= len(text) for hit in verdict.why)
    assert verdict.severity is None or judge(text, "ru").severity is not None
