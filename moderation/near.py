"""Words that merely sound like a strong word, said of a person: a recogniser's slip. They only ask a person."""

import re
from collections.abc import Iterator
from functools import cache

from moderation.context import Aim, read
from moderation.line import Finding, Level, Line
from moderation.vocabulary import Entry, lexicon

MIN_LETTERS = 6
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


@cache
def _sounds() -> dict[str, Entry]:
    heard: dict[str, Entry] = {}
    for form, entry in lexicon().entries.items():
        if entry.strength in ("strong", "slur") and entry.kind == "noun" and len(form) >= MIN_LETTERS:
            heard.setdefault(sound(form), entry)
    return heard


def find_sounds(line: Line) -> Iterator[Finding]:
    """Findings for unknown words that sound like a strong noun and are said of a person."""
    sounds = _sounds()
    for index, word in enumerate(line.words):
        if line.bits[index] or len(word) < MIN_LETTERS or len(word) > 32 or not word.isalpha():
            continue
        entry = sounds.get(sound(word))
        if entry is None:
            continue
        context = read(line, index, index + 1, noun=True)
        if context.aim is Aim.PERSON and not context.negated and not context.quoted:
            yield Finding(index, index + 1, (index,), f"{entry.id}.sound", entry.category, Level.REVIEW, SCORE)
