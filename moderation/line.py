"""One line as the stages see it, and what a stage finds in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from moderation.classes import CARDINAL, SEAT
from moderation.tokens import Token, tokenise
from moderation.verdict import Category
from moderation.vocabulary import Entry, Lexicon

_STRETCHED = re.compile(r"(.)\1{2,}")
_SEAT_NUMBER = re.compile(r"(\d{1,2})(?:st|nd|rd|th|й|го|му|м|я|ю|ый|ого|ому)?")


class Level(IntEnum):
    """How far a finding carries: to a person only, to a warning, to a foul."""

    REVIEW = 1
    LIKELY = 2
    CLEAR = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """A stage's evidence: words `first` to `last` (half-open), and the words among them that carry the abuse.

    `instead`: what another reading has in their place, where it is that which the rule is about.
    """

    first: int
    last: int
    evidence: tuple[int, ...]
    rule: str
    category: Category
    level: Level
    score: float
    instead: str = ""


SCORES = {Level.REVIEW: 0.45, Level.LIKELY: 0.75, Level.CLEAR: 0.95}


class Line:
    """The words of a line with their classes and lexicon entries (parallel lists), read once."""

    __slots__ = ("bits", "entries", "masked", "text", "tokens", "words")

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self.text = text
        self.tokens: list[Token] = tokenise(text)
        self.words: list[str] = [token.text for token in self.tokens]
        self._look_up(lexicon)

    def _look_up(self, lexicon: Lexicon) -> None:
        self.bits: list[int] = []
        self.entries: list[Entry | None] = []
        self.masked: set[int] = set()
        for index, word in enumerate(self.words):
            bits = lexicon.bits.get(word)
            if bits is None:
                word, bits = _unknown(word, lexicon)
                self.words[index] = word
                if not bits and not word.isascii():
                    listed = lexicon.second_key.form(word)
                    if listed is not None:
                        word, bits = listed, lexicon.bits[listed]
            self.bits.append(bits)
            self.entries.append(lexicon.entries.get(word))

    def with_words(self, tokens: list[Token], lexicon: Lexicon) -> "Line":
        """The same text with its words cut differently."""
        other = Line.__new__(Line)
        other.text = self.text
        other.tokens = tokens
        other.words = [token.text for token in tokens]
        other._look_up(lexicon)
        return other

    def hits(self) -> Iterator[tuple[int, Entry]]:
        """Words of the lexicon that no harmless phrase covers."""
        for index, entry in enumerate(self.entries):
            if entry is not None and index not in self.masked:
                yield index, entry


def _unknown(word: str, lexicon: Lexicon) -> tuple[str, int]:
    if word[0].isdigit():
        return word, SEAT | CARDINAL if _SEAT_NUMBER.fullmatch(word) else 0
    if _STRETCHED.search(word):
        # "stuuupid", "дураааак": a drawn-out letter is one letter, or two.
        for keep in (r"\1", r"\1\1"):
            shorter = _STRETCHED.sub(keep, word)
            if shorter in lexicon.bits:
                return shorter, lexicon.bits[shorter]
    return word, 0
