"""Everyday words that a recogniser writes for abusive ones."""

import pytest

from moderation import Verdict, WordEvidence
from moderation.alike import misheard
from moderation.pipeline import rules_alone

judge = rules_alone().judge  # what the model makes of a line is tested by itself


def spoken(text: str) -> Verdict:
    return judge(text, "en", [WordEvidence(word, 0.97) for word in text.split()])


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("Seat 4 is a piece of sheet.", "piece of sheet"),
        ("you are an as whole", "as whole"),
        ("you are such a beach", "beach"),
    ],
)
def test_a_spoken_line_that_is_plain_abuse_but_for_a_sound_alike_asks_a_person(text: str, span: str) -> None:
    verdict = spoken(text)
    assert (verdict.category, verdict.severity, verdict.review) == (None, None, True)
    assert any(span in text[hit.start : hit.end] or text[hit.start : hit.end] in span for hit in verdict.why)
    assert not judge(text, "en").review, "who types it means it"


@pytest.mark.parametrize(
    "text",
    [
        "you are on the beach",
        "write number five on the sheet",
        "your sheet is empty",
        "the deck has three black cards",
        "show me your deck",
        "I want to see your deck",
        "the table as whole is red",
        "she is a beach volleyball player",
        "he is not a piece of sheet",
    ],
)
def test_the_everyday_words_themselves_are_harmless(text: str) -> None:
    verdict = spoken(text)
    assert (verdict.category, verdict.review) == (None, False)


def test_a_line_without_such_words_has_no_further_reading() -> None:
    assert misheard("I nominate the sheetmaker") is None
    assert misheard("a Piece of SHEET") == "a Piece of shit"
    assert misheard("as  whole") == "asshole"
