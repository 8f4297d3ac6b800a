"""The second key of a Russian word: its dictionary form, for inflections that the lexicon's endings miss.

pymorphy3 takes about 0.1 ms a word, so it is asked only of a word that begins as an abusive one does, and its
answers are remembered.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from moderation.vocabulary import Entry

BEGINNING: Final = 4  # letters that a word shares with an abusive one
LONGEST: Final = 32  # letters
REMEMBERED = 1 << 13


class SecondKey:
    """Finds the lexicon's form for an inflection that it does not list."""

    def __init__(self, entries: Mapping[str, "Entry"]) -> None:
        self._entries = entries
        self._beginnings = frozenset(
            form[:BEGINNING] for form in entries if len(form) >= BEGINNING and not form.isascii()
        )

    def form(self, word: str) -> str | None:
        """The listed form of an unlisted Russian `word`; None where it is no inflection of an abusive one."""
        if not BEGINNING < len(word) <= LONGEST or not word.isalpha() or word[:BEGINNING] not in self._beginnings:
            return None
        dictionary_form = lemma(word)
        return dictionary_form if dictionary_form in self._entries else None


@lru_cache(maxsize=REMEMBERED)
def lemma(word: str) -> str:
    """The dictionary form of a Russian word in its likeliest reading, ё as е."""
    return str(_analyser().parse(word)[0].normal_form).replace("ё", "е")


def warm_up() -> None:
    """Read the dictionary now, some 0.3 s, so that no line waits for it."""
    lemma("слово")


@cache
def _analyser() -> Any:
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer()
