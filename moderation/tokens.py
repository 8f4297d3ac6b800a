"""A line cut into whole words, each with its span in the original text.

Punctuation is not used at all: a recogniser invents it. Hyphens part words; apostrophes are undone
("you're" is "you are"); letter case, Russian yo, accents and invisible characters do not matter.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# Letters and digits with what may stand inside a word: accents, apostrophes, mask stars, invisible characters.
_RAW = re.compile(r"(?:[^\W_]|['’ʼ`*\u00ad\u0300-\u036f\u200b-\u200f\u2060\ufeff])+")
_INVISIBLE = dict.fromkeys([0x00AD, *range(0x200B, 0x2010), 0x2060, 0xFEFF])
_APOSTROPHES = str.maketrans("’ʼ`", "'''")
_LOOKALIKES = str.maketrans("abcehkmoptxy", "авсенкмортху")
LONGEST_REMEMBERED = 24  # letters
_LETTER = re.compile(r"[^\W_]")
_LATIN = re.compile(r"[a-z]")
_CYRILLIC = re.compile(r"[а-я]")
_SUFFIXES = {"re": "are", "m": "am", "ll": "will", "ve": "have", "d": "would"}
_IS_AFTER = {"he", "she", "it", "that", "this", "what", "who", "there", "here", "where", "how", "everyone", "somebody"}
_RUN_TOGETHER = {
    "im": ("i", "am"),
    "ive": ("i", "have"),
    "youre": ("you", "are"),
    "yours": ("your",),
    "hes": ("he", "is"),
    "shes": ("she", "is"),
    "theyre": ("they", "are"),
    "thats": ("that", "is"),
    "whats": ("what", "is"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "gotta": ("got", "to"),
    "lemme": ("let", "me"),
    "u": ("you",),
    "ur": ("your",),
    "ya": ("you",),
}


@dataclass(frozen=True, slots=True)
class Token:
    """A normalised word and the half-open span of the original line that it came from."""

    text: str
    start: int
    end: int


def tokenise(line: str) -> list[Token]:
    """Cut `line` into normalised words, in order, in time linear in its length."""
    tokens: list[Token] = []
    for raw in _RAW.finditer(line):
        start, end = raw.span()
        word = raw.group()
        if word.isascii() and word.isalnum():
            word = word.lower()
        else:
            word = _remembered(word) if len(word) <= LONGEST_REMEMBERED else normalise(word)
            if not _LETTER.search(word):
                continue
        tokens.extend(Token(part, start, end) for part in _undo_contraction(word) if part)
    return tokens


@lru_cache(maxsize=1 << 14)
def _remembered(word: str) -> str:
    return normalise(word)


def normalise(word: str) -> str:
    """Lower case, ё as е, no accents or invisible characters, look-alike letters of one script."""
    word = unicodedata.normalize("NFKC", word).translate(_INVISIBLE).lower().replace("ё", "е")
    word = word.translate(_APOSTROPHES)
    if not word.isascii():
        word = "".join(letter for letter in word if not unicodedata.combining(letter))
        if _LATIN.search(word) and _CYRILLIC.search(word):
            word = word.translate(_LOOKALIKES)
    word = word.strip("'").lstrip("*")
    # Stars are a mask only where two or more of them stand behind a letter: "f***", not "*wow*".
    return word if "**" in word else word.replace("*", "")


def _undo_contraction(word: str) -> tuple[str, ...]:
    if "'" not in word:
        return _RUN_TOGETHER.get(word, (word,))
    head, _, tail = word.rpartition("'")
    head = head.replace("'", "")
    if tail == "t":
        return (head + "t",)
    if tail == "s":
        return (head, "is") if head in _IS_AFTER else (head or tail,)
    if head and tail in _SUFFIXES:
        return (head, _SUFFIXES[tail])
    return (head + tail,)
