"""Words that the recogniser was unsure of, as the lexicon's words that they sound like: one more reading of a line.

A word that a recogniser does not expect comes out misspelt ("прыдурок"), cut at other places ("что-то упой" for "что
тупой") or grown together with its neighbour ("овлчурка" for "аул чурка"), and unsure in one of its pieces. What that
finds is for a person.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise

from moderation.confidence import UNSURE
from moderation.line import Line
from moderation.near import MAX_LETTERS, least, sound
from moderation.tokens import Token
from moderation.verdict import LANGUAGES
from moderation.vocabulary import Lexicon

MOST_PIECES = 3
_VOWELS = frozenset("аеиоуыэюяaeiou")


class Resound:
    """Reads unsure words anew. `least` letters at least: shorter words sound like too many others."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._heard: dict[str, str] = {}
        for word in (*lexicon.entries, *lexicon.index):
            if word.isalpha() and len(word) >= least(word):
                self._heard.setdefault(sound(word), word)
        self._own = _own_words()
        self._known = {sound(word) for word in lexicon.bits if word.isalpha()}

    def __call__(self, line: Line, confidences: Sequence[float | None]) -> Line | None:
        """The line with its unsure words as what they sound like; None where that is nothing else.

        `confidences`: of each word. Costs time linear in the line's length.
        """
        tokens: list[Token] = []
        at = 0
        changed = False
        while at < len(line.tokens):
            pieces, meant = self._meant(line, at, confidences)
            tokens += meant or line.tokens[at : at + 1]
            changed = changed or bool(meant)
            at += pieces
        return line.with_words(tokens, self._lexicon) if changed else None

    def _meant(self, line: Line, at: int, confidences: Sequence[float | None]) -> tuple[int, list[Token]]:
        """How many words from `at` on are meant otherwise, and how; one and nothing where they are what they are."""
        for pieces in range(1, min(MOST_PIECES, len(line.tokens) - at) + 1):
            span = range(at, at + pieces)
            # What is sure or a word that the lexicon knows is what it is, unless it grew into its neighbour.
            if all(line.bits[each] or _sure(confidences[each]) for each in span):
                continue
            words = line.words[at : at + pieces]
            for joined in _joins(words):
                for parts in self._cuts(joined, words):
                    first, last = line.tokens[at].start, line.tokens[at + pieces - 1].end
                    return pieces, [Token(part, first, last) for part in parts]
        return 1, []

    def _cuts(self, joined: str, words: Sequence[str]) -> Iterator[list[str]]:
        """A word of the lexicon that `joined` sounds like, alone or behind a known word; a grave one behind any."""
        if len(joined) > MAX_LETTERS or not joined.isalpha() or (len(words) == 1 and self._own.match(joined)):
            return
        for cut in range(len(joined) - least(joined) + 1):
            head, tail = joined[:cut], joined[cut:]
            word = self._heard.get(sound(tail))
            if word is None or word in words or (len(words) > 1 and tail in words):
                continue
            if not head:
                yield [word]
            elif self._grave(tail) if len(words) == 1 else sound(head) in self._known:
                yield [head, word]

    def _grave(self, word: str) -> bool:
        """Letter by letter: one that sounds so is the end of too many everyday words."""
        entry = self._lexicon.entries.get(word)
        return entry is not None and entry.strength in ("strong", "slur")


@cache
def _own_words() -> re.Pattern[str]:
    """How everyday words begin that sound like abusive ones, or end so ("дочурка"): `lexicon/*/whole.toml`."""
    begins: list[str] = []
    for lang in LANGUAGES:
        file = resources.files("moderation") / "lexicon" / lang / "whole.toml"
        begins += tomllib.loads(file.read_text(encoding="utf-8"))["begins"]
    return re.compile("|".join(map(re.escape, begins)))


def _sure(confidence: float | None) -> bool:
    return confidence is not None and confidence >= UNSURE


def _joins(words: Sequence[str]) -> Iterator[str]:
    """The words run together, and as they are in fluent speech: of two vowels that meet the first is not heard."""
    yield "".join(words)
    if any(word[-1] in _VOWELS and after[0] in _VOWELS for word, after in pairwise(words)):
        yield (
            "".join(
                word[:-1] if len(word) > 1 and word[-1] in _VOWELS and after[0] in _VOWELS else word
                for word, after in pairwise(words)
            )
            + words[-1]
        )
