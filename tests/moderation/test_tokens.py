"""Words and their spans."""

import pytest

from moderation.tokens import tokenise


def words(line: str) -> list[str]:
    return [token.text for token in tokenise(line)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("You're an IDIOT!", ["you", "are", "an", "idiot"]),
        ("don't, won't; can't", ["dont", "wont", "cant"]),
        ("he's five's neighbour", ["he", "is", "five", "neighbour"]),
        ("кто-то ЁЛКУ съел", ["кто", "то", "елку", "съел"]),
        ("и\u0306од, е\u0308ж", ["йод", "еж"]),
        ("ид\u200bи\u00adот", ["идиот"]),
        ("приду\u0301рок", ["придурок"]),
        ("cукa", ["сука"]),
        ("you f***ing *wow*", ["you", "f***ing", "wow"]),
        ("I’m here", ["i", "am", "here"]),
        ("\u200b ' ** \x00 🙂", []),
        ("", []),
    ],
)
def test_words(line: str, expected: list[str]) -> None:
    assert words(line) == expected


def test_spans_are_of_the_original_line() -> None:
    line = "  ТЫ — и\u0306од\u200b! You're"
    assert [line[token.start : token.end] for token in tokenise(line)] == ["ТЫ", "и\u0306од\u200b", "You're", "You're"]
