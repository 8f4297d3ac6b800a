"""Cues: words that are no abuse by themselves and that abuse without swear words is made of (`lexicon/*/cues.toml`).

A cue alone does nothing. Where a line has one and the model is sure of the same category, the line is warned of:
the model alone only asks a person.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, cast

from moderation.classes import FUNCTION
from moderation.inflect import LexiconError
from moderation.verdict import CATEGORIES, LANGUAGES, Category
from moderation.vocabulary import lexicon

LONGEST_STEM = 14
LONGEST_WORD = 24  # letters; what is longer is no word, and is not remembered whole
SIGN = "sign"
REMEMBERED_WORDS = 1 << 15


@dataclass(frozen=True, slots=True)
class Topic:
    """Cue words of one kind, of either language. `hits` and `misses` are its own examples, checked by the tests."""

    id: str  # category.topic
    category: Category | None  # None: a sign for the model, which corroborates nothing
    hits: tuple[str, ...]
    misses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cues:
    """Words and stems by the topics they speak for: bit `n` is `topics[n]`."""

    topics: tuple[Topic, ...]
    words: Mapping[str, int]
    stems: Mapping[str, int]

    def of(self, word: str) -> int:
        """The bits of the topics that a normalised word speaks for."""
        found = self.words.get(word, 0)
        for length in range(2, min(len(word), LONGEST_STEM) + 1):
            found |= self.stems.get(word[:length], 0)
        return found


@cache
def cues() -> Cues:
    """The cues of both languages. Raises LexiconError where a file holds what is no cue."""
    topics: dict[str, Topic] = {}
    words: dict[str, int] = {}
    stems: dict[str, int] = {}
    bits = lexicon().bits
    for category, name, table in _read():
        key = f"{category}.{name}"
        if category not in (*CATEGORIES, SIGN):
            raise LexiconError(f"cues: expected [category.topic] or [{SIGN}.topic], got [{key}]")
        old = topics.get(key)
        topics[key] = Topic(
            key,
            None if category == SIGN else cast("Category", category),
            (*(old.hits if old else ()), *table["hits"]),
            (*(old.misses if old else ()), *table["misses"]),
        )
        bit = 1 << list(topics).index(key)
        for item in table["words"].split():
            word = item.rstrip("*").replace("ё", "е")
            if item.endswith("*"):
                if not 2 <= len(word) <= LONGEST_STEM:
                    raise LexiconError(f"cues {key}: expected a stem of 2 to {LONGEST_STEM} letters, got {item!r}")
                stems[word] = stems.get(word, 0) | bit
            elif bits.get(word, 0) & FUNCTION:
                raise LexiconError(f"cues {key}: expected a word that says something, got {item!r}")
            else:
                words[word] = words.get(word, 0) | bit
    return Cues(tuple(topics.values()), words, stems)


def cue_bits(word: str) -> int:
    """The topics of a word among the embedded cues, remembered for the words met most lately."""
    return _cue_bits(word[:LONGEST_WORD])


@lru_cache(maxsize=REMEMBERED_WORDS)
def _cue_bits(word: str) -> int:
    return cues().of(word)


def _read() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for lang in LANGUAGES:
        file = resources.files("moderation") / "lexicon" / lang / "cues.toml"
        for category, topics in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for name, table in topics.items():
                yield category, name, table
