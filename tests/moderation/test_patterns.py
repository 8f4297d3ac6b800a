"""Patterns over words."""

import pytest

from moderation.patterns import Pattern, compile_pattern

CLASSES = {"you": {"you", "ты"}, "seat": {"four", "five"}}
BITS = {"you": 1, "seat": 2}


def compiled(source: str) -> tuple[Pattern, frozenset[str]]:
    return compile_pattern(
        source, lambda word: (word,), BITS.__getitem__, lambda name: frozenset(CLASSES[name]), lambda word: word == "a"
    )


def found(source: str, line: str) -> str | None:
    pattern, anchors = compiled(source)
    words = line.split()
    bits = [sum(BITS[name] for name, members in CLASSES.items() if word in members) for word in words]
    for at, word in enumerate(words):
        if word in anchors:
            match = pattern.find(words, bits, at)
            if match:
                return " ".join(words[match[0] : match[1]])
    return None


@pytest.mark.parametrize(
    ("source", "line", "expected"),
    [
        ("go home", "now go home please", "go home"),
        ("go home", "go far home", None),
        ("go home|away", "go away", "go away"),
        ("go right? home", "go home", "go home"),
        ("go right? home", "go right home", "go right home"),
        ("go right? home", "go right right home", None),
        ("<you> very* bad", "ты very very bad", "ты very very bad"),
        ("<you> very* bad", "you very very very very bad", None),
        ("<you> ..2 bad", "you are so bad", "you are so bad"),
        ("<you> ..2 bad", "you are so very bad", None),
        ("want <you> !to", "i want you to", None),
        ("want <you> !to", "i want you", "want you"),
        ("^ stop", "stop it", "stop"),
        ("^ stop", "do stop", None),
        ("bad $", "so bad", "bad"),
        ("bad $", "bad idea", None),
        ("bad $|boy", "you bad boy", "bad boy"),
        ("bad $|boy", "you bad", "bad"),
        ("bad $|boy", "bad idea", None),
        ("bad !$|boy", "bad", None),
        ("bad !$|boy", "bad idea", "bad"),
        ("bad a|\n boy|man", "bad boy", "bad boy"),
    ],
)
def test_matching(source: str, line: str, expected: str | None) -> None:
    assert found(source, line) == expected


def test_indexed_by_its_rarest_words() -> None:
    assert compiled("<you> a house")[1] == {"house"}
    assert compiled("a <you> x?")[1] == {"you", "ты"}


@pytest.mark.parametrize("source", ["", "..2", "x?", "^ $", "!x"])
def test_a_pattern_needs_a_word(source: str) -> None:
    with pytest.raises(ValueError, match="expected at least one word"):
        compiled(source)
