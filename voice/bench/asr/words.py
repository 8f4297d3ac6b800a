"""Texts as words to be compared, and which of them were heard.

Normalisation, the same for reference and hypothesis: Unicode NFKC, lower case, ё as е, digits as words (English and
Russian, up to 999,999), stress marks and invisible characters left out, all but letters with their marks, digits and
apostrophes inside a word taken as spaces. Nothing else: no contraction is undone, no spelling changed.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from voice.bench.asr.numbers import in_words

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"[^\s']+(?:'[^\s']+)*")
_PARTS = re.compile(r"\d+|[^\d]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_APOSTROPHES = str.maketrans("’‘ʼ`", "''''")
_STRESS = "\u0300\u0301"
"""Grave and acute where they make no letter of their own, as over a Russian vowel."""
_LONGEST_NUMBER = 6


def normal(text: str, lang: str) -> list[str]:
    """A text's words as they are compared."""
    plain = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).lower().replace("ё", "е")
    plain = "".join(map(_as_compared, _THOUSANDS.sub("", plain)))
    words: list[str] = []
    for found in _WORD.findall(plain):
        if not any(map(str.isalnum, found)):
            continue  # a mark that stands alone
        for part in _PARTS.findall(found) if any(letter.isdecimal() for letter in found) else [found]:
            number = part.isdecimal() and len(part) <= _LONGEST_NUMBER
            words += in_words(int(part), lang) if number else [part]
    return words


def _as_compared(character: str) -> str:
    """A letter, a digit, a mark of the letter before it and an apostrophe stay; the rest is nothing or a space."""
    if character.isalnum() or character == "'":
        return character
    kind = unicodedata.category(character)
    if kind == "Cf" or character in _STRESS:
        return ""
    return character if kind.startswith("M") else " "


def errors(said: Sequence[str], heard: Sequence[str]) -> int:
    """The fewest words to change, put in or leave out to make the one of the other."""
    return _table(said, heard)[-1][-1]


def followed(said: Sequence[str], heard: Sequence[str]) -> set[int]:
    """Which words of what is said a text has, where it may be only the beginning: what is said after it is free."""
    table = _table(said, heard)
    last = len(heard)
    row = min(range(len(said) + 1), key=lambda at: (table[at][last], -at))
    found: set[int] = set()
    while row and last:
        here = table[row][last]
        if said[row - 1] == heard[last - 1] and here == table[row - 1][last - 1]:
            found.add(row - 1)
            row, last = row - 1, last - 1
        elif here == table[row - 1][last - 1] + 1:
            row, last = row - 1, last - 1
        elif here == table[row][last - 1] + 1:
            last -= 1
        else:
            row -= 1
    return found


def _table(said: Sequence[str], heard: Sequence[str]) -> list[list[int]]:
    """Levenshtein's distances, in words, of every beginning of the one from every beginning of the other."""
    table = [list(range(len(heard) + 1))]
    for at, word in enumerate(said, 1):
        before = table[-1]
        row = [at]
        for place, other in enumerate(heard, 1):
            row.append(min(before[place] + 1, row[-1] + 1, before[place - 1] + (word != other)))
        table.append(row)
    return table
