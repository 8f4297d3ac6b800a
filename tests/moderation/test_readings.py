"""Abuse that stands in another reading of the same sound."""

import pytest

from moderation import OtherReading, WordEvidence, judge


def others(**shares: float) -> list[OtherReading]:
    return [OtherReading(text.replace("_", " "), share) for text, share in shares.items()]


def test_plain_abuse_in_another_reading_warns_and_never_fouls() -> None:
    text = "You try any freak."
    verdict = judge(text, "en", None, others(You_tranny_freak=0.2))
    assert (verdict.category, verdict.severity) == ("hate", "likely")
    assert [(text[hit.start : hit.end], hit.instead) for hit in verdict.why] == [("try any", "tranny")]

    sure = judge(text, "en", None, others(You_tranny_freak=0.99))
    assert sure.severity == "likely"


def test_what_is_hardly_likely_asks_a_person() -> None:
    verdict = judge("You try any freak.", "en", None, others(You_tranny_freak=0.04))
    assert (verdict.severity, verdict.review) == (None, True)


def test_milder_abuse_needs_half_of_the_readings() -> None:
    assert judge("you full", "en", None, others(you_fool=0.49)).review
    assert judge("you full", "en", None, others(you_fool=0.3, you_fool_two=0.2)).severity == "likely"


def test_readings_are_read_as_lines_are() -> None:
    for text in ("nobody calls you an idiot", "he called me an idiot", "that version is idiotic", "I am an idiot"):
        verdict = judge("something else", "en", None, [OtherReading(text, 0.5)])
        assert (verdict.category, verdict.review) == (None, False), text


def test_harmless_readings_change_nothing() -> None:
    text = "number four is black"
    assert judge(text, "en", None, others(number_for_is_black=0.3, numb_or_four=0.2)) == judge(text, "en")
    assert judge("you idiot", "en", None, others(you_video=0.4)).severity == "clear"


@pytest.mark.parametrize(
    ("confidence", "share_of_others", "severity"),
    [(0.5, 0.0, "likely"), (0.5, 0.4, "likely"), (0.5, 0.41, None), (0.25, 0.0, "likely"), (0.24, 0.0, None)],
)
def test_an_unsure_word_warns_where_the_readings_agree(
    confidence: float, share_of_others: float, severity: str | None
) -> None:
    words = [WordEvidence("you", 0.9), WordEvidence("idiot", confidence)]
    readings = [OtherReading("you did it", share_of_others)] if share_of_others else []
    verdict = judge("you idiot", "en", words, readings)
    assert (verdict.severity, verdict.review) == (severity, severity is None)


def test_a_recogniser_that_does_not_tell_has_not_agreed() -> None:
    words = [WordEvidence("you", 0.9), WordEvidence("idiot", 0.5)]
    assert judge("you idiot", "en", words).review


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
