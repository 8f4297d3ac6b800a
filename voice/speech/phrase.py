"""How an utterance's text ends: whole, in the air, or so that nothing can be said of it; and how long to wait then.

Punctuation is weak evidence, as a recogniser puts a full stop after most of what it is given: a whole sentence is
believed only of a text that is sure, and never after a word that wants another one.
"""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from voice.speech.endpointer import EndpointRules

ENDS = (".", "!", "?")
HANGS = (",", "-", "–", "—", ":", ";", "…", "...")
_QUOTES = "\"'»”’)"


class Ending(Enum):
    """What the words so far tell of the next."""

    WHOLE = "whole"
    HANGING = "hanging"
    UNKNOWN = "unknown"


def ending(text: str, lang: str, confidences: Sequence[float], score: float, rules: EndpointRules) -> Ending:
    """How a text ends. `confidences`: its words', 0 to 1; `score`: the mean log probability of its tokens."""
    said = text.strip().rstrip(_QUOTES)
    words = said.split()
    if not words or not confidences:
        return Ending.UNKNOWN
    if said.endswith(HANGS) or hanging_words(lang).want_more(words):
        return Ending.HANGING
    sure = confidences[-1] >= rules.sentence_confidence and score >= rules.sentence_score
    return Ending.WHOLE if sure and said.endswith(ENDS) else Ending.UNKNOWN


def silence_s(ending: Ending, rules: EndpointRules) -> float:
    """The silence that ends an utterance whose text ends so."""
    if ending is Ending.WHOLE:
        return rules.sentence_silence_s
    return rules.hanging_silence_s if ending is Ending.HANGING else rules.end_silence_s


@dataclass(frozen=True, slots=True)
class HangingWords:
    """A language's words that want another one, but for those after a word with one of these endings."""

    words: frozenset[str]
    whole_after: Mapping[str, tuple[str, ...]]

    def want_more(self, said: Sequence[str]) -> bool:
        """Whether the last of these words, as they are shown, wants another one."""
        last = _plain(said[-1])
        if last not in self.words:
            return False
        return not (len(said) > 1 and _plain(said[-2]).endswith(self.whole_after.get(last, ())))


@functools.cache
def hanging_words(lang: str) -> HangingWords:
    """A language's words that want another one; none where nobody has listed them (`words/LANG.toml`)."""
    table = files("voice.speech") / "words" / f"{lang}.toml"
    if not table.is_file():
        return HangingWords(frozenset(), {})
    read = tomllib.loads(table.read_text(encoding="utf-8"))
    return HangingWords(
        frozenset(read["hanging"]), {word: tuple(before) for word, before in read["whole_after"].items()}
    )


def _plain(word: str) -> str:
    """A word as the lists have it: lower case, no punctuation around it."""
    return word.lower().replace("ё", "е").replace("’", "'").strip('"«»“”„().,!?…—–-:;')
