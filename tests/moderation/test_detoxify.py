"""A toxicity model's scores as a second opinion: it may ask for a person, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moderation import Hit, Verdict, judge
from moderation.detoxify import RULE, Piece, categories, pieces, second_opinion, together

LABELS = ("toxicity", "severe_toxicity", "obscene", "threat", "insult", "identity_attack", "sexual_explicit")
SHARE = st.floats(0.0, 1.0)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({"insult": 0.9, "toxicity": 0.95}, (0.95, 0.0, 0.0)),
        ({"insult": 0.3, "toxicity": 0.95}, (0.3, 0.0, 0.0)),  # toxic, of no category
        ({"insult": 0.3, "toxicity": 0.9, "obscene": 0.7}, (0.9, 0.0, 0.0)),
        ({"identity_attack": 0.8}, (0.0, 0.8, 0.0)),
        ({"sexual_explicit": 0.7, "obscene": 0.4}, (0.0, 0.0, 0.7)),
        ({"threat": 1.0, "severe_toxicity": 1.0}, (0.0, 0.0, 0.0)),  # threats are the game's
        ({}, (0.0, 0.0, 0.0)),
    ],
)
def test_labels_to_categories(scores: dict[str, float], expected: tuple[float, float, float]) -> None:
    found = categories(scores)
    assert (found["insult"], found["hate"], found["sexual"]) == expected


def test_a_high_score_asks_for_a_person_and_says_where() -> None:
    verdict = second_opinion([Piece(2, 9, "…")], [{"insult": 0.61, "identity_attack": 0.59}])
    assert (verdict.category, verdict.severity, verdict.review) == (None, None, True)
    assert verdict.why == (Hit(2, 9, RULE, "insult"),)
    assert verdict.scores == {"insult": 0.61, "hate": 0.59, "sexual": 0.0}


def test_low_scores_are_kept_and_ask_nobody() -> None:
    verdict = second_opinion([Piece(0, 3, "…")], [{"insult": 0.599}])
    assert (verdict.review, verdict.why, verdict.scores["insult"]) == (False, (), 0.599)
    assert second_opinion([], []) == Verdict()


@given(st.dictionaries(st.sampled_from(LABELS), SHARE), st.sampled_from(["you idiot", "hello", "ты дурак", "привет"]))
def test_no_score_warns_fouls_or_takes_back(scores: dict[str, float], text: str) -> None:
    first = judge(text, "en")
    both = together(first, second_opinion([Piece(0, len(text), text)], [scores]))
    assert (both.category, both.severity) == (first.category, first.severity)
    assert both.review >= first.review
    assert both.why[: len(first.why)] == first.why
    assert not (both.severity and both.review)


def test_where_the_rules_say_nothing_a_person_is_asked() -> None:
    both = together(judge("what a clown move", "en"), Verdict({}, None, {"insult": 0.9, "hate": 0.0, "sexual": 0.0}))
    assert both.review is False
    asked = second_opinion([Piece(0, 5, "…")], [{"insult": 0.9}])
    assert together(judge("hello there", "en"), asked) == Verdict(
        scores={"insult": 0.9, "hate": 0.0, "sexual": 0.0}, why=(Hit(0, 5, RULE, "insult"),), review=True
    )


def test_a_short_line_is_read_whole_and_in_other_words() -> None:
    assert pieces("  Five is black. ") == [Piece(2, 15, "  Five is suspicious. ")]
    assert pieces(" ... ") == []


@given(st.integers(1, 400))
def test_windows_cover_every_word_of_a_long_line(count: int) -> None:
    text = " ".join(f"word{number}" for number in range(count))
    read = pieces(text)
    covered = {word for piece in read for word in text[piece.start : piece.end].split()}
    assert covered == set(text.split())
    assert all(len(text[piece.start : piece.end].split()) <= 30 for piece in read)
    assert all(text[piece.start : piece.end].split()[0] in text.split() for piece in read)
    assert len(read) <= 1 + count // 12
