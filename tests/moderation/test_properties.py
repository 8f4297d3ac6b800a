"""Laws that hold for any line."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moderation import CATEGORIES, Verdict, WordEvidence, judge
from moderation.vocabulary import lexicon

HERE = Path(__file__).parent
WORDS = sorted(lexicon().bits)
OWN_LINES = [
    line.split("\t")[-1]
    for name in ("harmless.tsv", "abusive.tsv")
    for line in (HERE / name).read_text(encoding="utf-8").splitlines()
]
word_salad = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)
lines = st.one_of(st.text(max_size=200), word_salad, st.sampled_from(OWN_LINES))


def well_formed(text: str, verdict: Verdict) -> None:
    assert (verdict.category is None) == (verdict.severity is None)
    assert set(verdict.scores) == set(CATEGORIES)
    assert all(0 <= score <= 1 for score in verdict.scores.values())
    assert not (verdict.review and verdict.severity)
    assert bool(verdict.why) == bool(verdict.severity or verdict.review)
    for hit in verdict.why:
        assert 0 <= hit.start < hit.end <= len(text)
        assert hit.rule
        assert hit.category in CATEGORIES
    if verdict.category:
        assert verdict.category in {hit.category for hit in verdict.why}
        assert verdict.scores[verdict.category] == max(verdict.scores.values())


@given(lines, st.sampled_from(["en", "ru"]))
@settings(max_examples=400, deadline=None)
def test_never_raises_and_the_verdict_is_well_formed(text: str, lang: str) -> None:
    well_formed(text, judge(text, lang))


@given(lines, st.lists(st.tuples(st.text(max_size=8), st.floats(0, 1)), max_size=10))
@settings(max_examples=200, deadline=None)
def test_any_evidence_will_do(text: str, heard: list[tuple[str, float]]) -> None:
    verdict = judge(text, "en", [WordEvidence(*pair) for pair in heard])
    well_formed(text, verdict)


@given(st.one_of(word_salad, st.sampled_from(OWN_LINES)), st.data())
@settings(max_examples=300, deadline=None)
def test_case_punctuation_and_yo_do_not_matter(text: str, data: st.DataObject) -> None:
    marks = st.sampled_from([" ", ", ", "! ", " — ", "... ", " «", "» ", "; ", "? "])
    dressed = "".join(data.draw(marks) if letter == " " else letter for letter in text)
    dressed = data.draw(st.sampled_from([dressed, dressed.upper(), dressed.title()]))
    dressed = dressed.replace("ё", data.draw(st.sampled_from(["ё", "е", "е\u0308"])))
    plain, other = judge(text, "ru"), judge(dressed, "ru")
    assert (plain.category, plain.severity, plain.review) == (other.category, other.severity, other.review)
    assert plain.scores == other.scores
    assert [hit.rule for hit in plain.why] == [hit.rule for hit in other.why]


@given(lines)
@settings(max_examples=100, deadline=None)
def test_the_same_line_gets_the_same_verdict(text: str) -> None:
    assert judge(text, "en") == judge(text, "en")


def calls(act: Callable[[], object]) -> int:
    """How many functions, Python's and C's, are called meanwhile: a clock that no other process disturbs."""
    count = 0

    def tick(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(tick)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    "piece",
    [
        "the sheriff checked four and he is black ",
        "you are an idiot ",
        "not ",
        "he said you ",
        "fuck ",
        "piece of ",
        "you is a fucking stupid ",
        "ты такой тупой ",
        "a\u200b",
        "у тебя в голове ",
        "dolbo eb ",
        "*'",
        "aaaa",
    ],
)
def test_cost_is_linear_in_length(piece: str) -> None:
    short, long = piece * 400, piece * 1600
    judge(short, "en")
    few, many = calls(lambda: judge(short, "en")), calls(lambda: judge(long, "en"))
    assert many < 4.4 * few + 200


def test_a_line_of_100_000_characters() -> None:
    text = "the don checked number four " * 3700 + "you are an idiot"
    verdict = judge(text, "en")
    assert verdict.severity == "clear"
    assert text[verdict.why[0].start : verdict.why[0].end] == "idiot"
