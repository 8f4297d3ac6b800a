"""Abuse that stands in another reading of the same sound."""

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moderation import OtherReading, WordEvidence
from moderation.pipeline import rules_alone

judge = rules_alone().judge  # what the model makes of a line is tested by itself


def others(**shares: float) -> list[OtherReading]:
    return [OtherReading(text.replace("_", " "), share) for text, share in shares.items()]


def test_abuse_in_another_reading_is_for_a_person_and_neither_warns_nor_fouls() -> None:
    text = "You try any freak."
    for share in (0.04, 0.2, 0.99):
        verdict = judge(text, "en", None, others(You_tranny_freak=share))
        assert (verdict.category, verdict.severity, verdict.review) == (None, None, True)
        assert verdict.scores["hate"] > 0
        assert [(text[hit.start : hit.end], hit.instead) for hit in verdict.why] == [("try any", "tranny")]


@pytest.mark.parametrize(
    ("text", "reading", "lang"),
    [
        ("you are not an idiot", "you are an idiot", "en"),
        ("I don't think you are an idiot", "I do think you are an idiot", "en"),
        ("I would never call you an idiot", "I would, ever call you an idiot", "en"),
        ("Никто не говорит, что ты идиот", "Ты идиот", "ru"),
        ("Ты не дура", "Ты дура", "ru"),
    ],
)
def test_what_is_excused_in_the_line_stays_so_where_a_reading_lost_the_small_word(
    text: str, reading: str, lang: Literal["en", "ru"]
) -> None:
    assert judge(reading, lang).severity is not None
    verdict = judge(text, lang, None, [OtherReading(reading, 0.4)])
    assert (verdict.category, verdict.review) == (None, False)


def test_readings_are_read_as_lines_are() -> None:
    for text in ("nobody calls you an idiot", "he called me an idiot", "that version is idiotic", "I am an idiot"):
        verdict = judge("something else", "en", None, [OtherReading(text, 0.5)])
        assert (verdict.category, verdict.review) == (None, False), text


def test_harmless_readings_change_nothing() -> None:
    text = "number four is black"
    assert judge(text, "en", None, others(number_for_is_black=0.3, numb_or_four=0.2)) == judge(text, "en")
    assert judge("you idiot", "en", None, others(you_video=0.4)).severity == "clear"


def test_an_unsure_word_asks_a_person_whatever_the_readings_say() -> None:
    words = [WordEvidence("you", 0.9), WordEvidence("idiot", 0.5)]
    for readings in (None, [], [OtherReading("your idiot", 0.4)], [OtherReading("you did it", 0.4)]):
        verdict = judge("you idiot", "en", words, readings)
        assert (verdict.severity, verdict.review) == (None, True)


@pytest.mark.parametrize(
    ("text", "reading", "span"),
    [
        ("so you try any freak now", "so you tranny freak now", "try any"),
        ("go", "you idiot go", "go"),
        ("you", "you idiot", "you"),
        ("well you you", "well you idiot you you", "you"),
    ],
)
def test_the_span_is_where_the_words_would_stand(text: str, reading: str, span: str) -> None:
    verdict = judge(text, "en", None, [OtherReading(reading, 0.3)])
    assert span in [text[hit.start : hit.end] for hit in verdict.why]


def test_a_line_without_words_and_readings_without_words_are_nothing() -> None:
    assert judge("...", "en", None, others(you_idiot=0.5)).severity is None
    assert judge("you", "en", None, [OtherReading("...", 0.5)]).category is None


SOME = "you youidiot idiot a the sheet as whole piece of not beach ты дура не"
SAID = st.lists(st.sampled_from(SOME.split()))


@given(SAID, st.lists(SAID, max_size=3), st.floats(0, 1))
def test_no_words_no_readings_and_no_confidence_make_it_fail(
    said: list[str], readings: list[list[str]], confidence: float
) -> None:
    words = [WordEvidence(word, confidence) for word in said]
    verdict = judge(" ".join(said), "en", words, [OtherReading(" ".join(each), 0.3) for each in readings])
    alone = judge(" ".join(said), "en", words)
    assert verdict.severity == alone.severity, "other readings neither warn nor foul"
    assert not alone.review or verdict.review
