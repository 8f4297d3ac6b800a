"""A line as somebody would say it who has never heard of the game: for a model that hasn't.

"Number five is black, let's shoot him" is harmless at this table alone. What the words are is data:
`lexicon/*/neutral.toml`.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from moderation.inflect import Endings, LexiconError, expand, read_endings
from moderation.tokens import Token, tokenise
from moderation.verdict import LANGUAGES
from moderation.vocabulary import lexicon


@dataclass(frozen=True, slots=True)
class Group:
    """Words of one sense, each with what stands in its place, and where they are left alone."""

    swap: dict[str, str]
    not_before: frozenset[str]
    not_beside_abuse: bool


def neutral(text: str) -> str:
    """`text` with the game's words replaced, both languages'; the rest of it letter by letter as it was."""
    parts: list[str] = []
    done = 0
    for start, end, word in _swaps(tokenise(text)):
        parts += (text[done:start], word)
        done = end
    return "".join((*parts, text[done:]))


def _swaps(tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Spans to replace, in order."""
    words = [token.text for token in tokens]
    entries = lexicon().entries
    abusive = any(word in entries for word in words)
    for at, token in enumerate(tokens):
        after = words[at + 1] if at + 1 < len(words) else ""
        for group in _groups().get(token.text, ()):
            alone = (at == 0 or tokens[at - 1].start != token.start) and (
                at + 1 == len(tokens) or tokens[at + 1].start != token.start
            )
            # A word of two tokens ("who's") has one span.
            if alone and after not in group.not_before and not (abusive and group.not_beside_abuse):
                yield token.start, token.end, group.swap[token.text]
                break


@cache
def _groups() -> dict[str, tuple[Group, ...]]:
    """The groups that each word is of. Raises LexiconError where a file is wrong."""
    found: dict[str, tuple[Group, ...]] = {}
    for lang in LANGUAGES:
        folder = resources.files("moderation") / "lexicon" / lang
        read = {name: tomllib.loads((folder / f"{name}.toml").read_text("utf-8")) for name in ("context", "neutral")}
        endings = read_endings(read["context"]["endings"])
        for raw in read["neutral"]["group"]:
            group = _group(raw, endings)
            for word in group.swap:
                found[word] = (*found.get(word, ()), group)
    return found


def _group(raw: dict[str, Any], endings: Endings) -> Group:
    swap: dict[str, str] = {}
    for instead, words in raw["swap"]:
        forms = list(expand(words, endings))
        places = list(expand(instead, endings)) if "~" in instead else [instead] * len(forms)
        if len(places) != len(forms):
            raise LexiconError(f"neutral: expected as many forms of {instead!r} as of {words!r}")
        for form, place in zip(forms, places, strict=True):
            swap.setdefault(form, place)
    return Group(swap, frozenset(expand(raw.get("not_before", ""), endings)), bool(raw.get("not_beside_abuse", False)))
