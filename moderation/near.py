"""Words that merely sound like a strong word, said of a person: a recogniser's slip. They only ask a person."""

import re
from collections.abc import Iterator

from moderation.context import Aim, read
from moderation.line import Finding, Level, Line
from moderation.vocabulary import Entry, Lexicon

# Short words meet too many everyday ones; English vowels more so than Russian ones.
MIN_LETTERS = 5
MIN_LETTERS_ENGLISH = 7
MAX_LETTERS = 32
SCORE = 0.3
_DOUBLED = re.compile(r"(.)\1+")
_RUSSIAN = str.maketrans({"о": "а", "е": "и", "э": "и", "я": "и", "ы": "и", "ъ": None, "ь": None, "й": "и"})
_VOICELESS = str.maketrans("бвгджз", "пфктшс")
_ENGLISH = (
    ("ce", "se"),
    ("ci", "si"),
    ("ph", "f"),
    ("ck", "k"),
    ("c", "k"),
    ("q", "k"),
    ("z", "s"),
    ("x", "ks"),
    ("wh", "w"),
    ("y", "i"),
)


def sound(word: str) -> str:
    """A key under which words that are easily misheard for one another meet."""
    if word.isascii():
        for spelt, heard in _ENGLISH:
            word = word.replace(spelt, heard)
        return _DOUBLED.sub(r"\1", word[0] + word[1:].replace("e", "i").replace("u", "o").replace("a", "o"))
    word = word.translate(_RUSSIAN)
    return _DOUBLED.sub(r"\1", word[:-1] + word[-1:].translate(_VOICELESS))


class SoundAlikes:
    """Finds unknown words that sound like a strong noun of the lexicon and are said of a person."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._heard: dict[str, Entry] = {}
        for form, entry in lexicon.entries.items():
            if entry.strength in ("strong", "slur") and entry.kind == "noun" and len(form) >= least(form):
                self._heard.setdefault(sound(form), entry)

    def __call__(self, line: Line) -> Iterator[Finding]:
        for index, word in enumerate(line.words):
            if line.bits[index] or not least(word) <= len(word) <= MAX_LETTERS or not word.isalpha():
                continue
            entry = self._heard.get(sound(word))
            if entry is None:
                continue
            context = read(line, index, index + 1, noun=True)
            if context.aim is Aim.PERSON and not context.negated and not context.quoted:
                rule = f"{entry.id}.sound"
                yield Finding(index, index + 1, (index,), rule, entry.category, Level.REVIEW, SCORE)


def least(word: str) -> int:
    """How many letters a word needs before what sounds like it is taken for it."""
    return MIN_LETTERS_ENGLISH if word.isascii() else MIN_LETTERS
