"""What was said as one flat text that phrases are looked for in: normalised words and the ends of sentences.

Each word has one blank before it. The end of a sentence is " ." and that of a question " ?", where the recogniser wrote
one; its commas are invented as often as not, and are nothing.
"""

from __future__ import annotations

import re
from typing import Final

from moderation.tokens import tokenise

ENDS: Final = (".", "?")
_SENTENCE_ENDS: Final = re.compile(r"[.!?…;]")
_ABBREVIATED: Final = re.compile(r"\bno\.\s*(?=\d)", re.IGNORECASE)
_LETTERS_AND_DIGITS: Final = re.compile(r"([^\W\d]+)(\d+)")
_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)")


def flat(text: str) -> str:
    """`text` in that form; "" where it has no words."""
    text = _ABBREVIATED.sub("number ", text)
    words: list[str] = []
    last = 0
    for token in tokenise(text):
        if words and token.start > last:
            _end(words, text[last : token.start])
        last = max(last, token.end)
        words += _split(token.text)
    if words:
        _end(words, text[last:])
    return "".join(f" {word}" for word in words)


def words_of(text: str) -> list[tuple[str, int]]:
    """The words of `text`, each with where it ends in it: what two hypotheses are compared by."""
    return [(token.text, token.end) for token in tokenise(text)]


def _end(words: list[str], between: str) -> None:
    if words[-1] not in ENDS and _SENTENCE_ENDS.search(between):
        words.append("?" if "?" in between else ".")


def _split(word: str) -> tuple[str, ...]:
    """ "c5" is how "seat five" comes out; "5th" is five."""
    if found := _ORDINAL.fullmatch(word):
        return (found[1],)
    if found := _LETTERS_AND_DIGITS.fullmatch(word):
        return (found[1], found[2])
    return (word,)
