"""The phrases of one language, read from its table of words (`words/LANG.toml`), as regular expressions.

A phrase is matched against the flat text of `voice.spoken.tokens`. All repetitions are bounded, so a line costs time
linear in its length.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LANGUAGES: Final = ("en", "ru")
MOST: Final = 4  # of a word that may be repeated
_ELEMENT: Final = re.compile(r"(?P<not>!)?(?:<(?P<place>\w+)(?P<alike>~)?>|(?P<word>\w+))(?P<often>[?*])?")
_RU_CASE: Final = r"(?: (?:й|го|му|ый|ого|ому|я|ю|ую|ая|м|е|х))?"  # what stands behind a figure: "5-го"


class PhraseError(ValueError):
    """A table of words that can't be read; says which phrase, and what was expected."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way to say a command. `at_end`: it counts only as the last thing that was said."""

    do: str
    pattern: re.Pattern[str]
    at_end: bool
    not_after: frozenset[str]
    not_before: frozenset[str]


@dataclass(frozen=True, slots=True)
class Book:
    """All phrases of a language; the seat of each number as it is said, and the card of each name.

    `conditions`: words that make all that follows in their sentence depend on something.
    """

    phrases: tuple[Phrase, ...]
    numbers: Mapping[str, int]
    cards: Mapping[str, str]
    conditions: frozenset[str]

    def seat(self, said: str) -> int:
        """The seat that a match's number means."""
        return int(said.split()[0]) if said[0].isdigit() else self.numbers[said]


@cache
def book_of(lang: str) -> Book:
    """The phrases of `lang`; English for a language that has none.

    Raises:
        PhraseError: a phrase names a word that the table does not have, or is none.
    """
    name = lang if lang in LANGUAGES else LANGUAGES[0]
    return _Reader(tomllib.loads((files("voice.spoken") / "words" / f"{name}.toml").read_text(encoding="utf-8"))).book()


class _Reader:
    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table
        self._words: Mapping[str, Mapping[str, list[str]]] = table["words"]
        endings: list[str] = table.get("endings", {}).get("ordinal", [])
        self._sure: dict[str, int] = {}
        self._alike: dict[str, int] = {}
        for number, row in table["numbers"].items():
            stem = row.get("ordinal", "")
            said = [*row["said"], *(stem + ending for ending in endings if stem)]
            self._sure |= dict.fromkeys(said, int(number))
            self._alike |= dict.fromkeys(row.get("alike", ()), int(number))
        self._cards = {said: card for card, row in table["cards"].items() for said in row["said"]}
        self._card_alike = {said: card for card, row in table["cards"].items() for said in row.get("alike", ())}

    def book(self) -> Book:
        phrases = tuple(
            Phrase(
                command["do"],
                re.compile(self._pattern(said)),
                said.endswith("$"),
                frozenset(command.get("not_after", ())),
                frozenset(command.get("not_before", ())),
            )
            for command in self._table["command"]
            for said in command["said"]
        )
        conditions = frozenset(self._table["conditions"])
        return Book(phrases, self._alike | self._sure, self._card_alike | self._cards, conditions)

    def _pattern(self, said: str) -> str:
        return "".join(self._element(sign, said) for sign in said.split()) + r"(?![^ ])"

    def _element(self, sign: str, said: str) -> str:
        if sign == "^":
            return r"(?:^|(?<= [.?]))"
        if sign == "$":
            return r"(?: [.?])*$"
        found = _ELEMENT.fullmatch(sign)
        if found is None:
            raise PhraseError(f"{said!r}: expected words, <places>, ^ and $, got {sign!r}")
        one = self._place(found["place"], found["alike"] is not None, said) if found["place"] else f" {found['word']}"
        if found["not"]:
            return f"(?!{_unnamed(one)})"
        often = {"?": "?", "*": f"{{0,{MOST}}}"}.get(found["often"] or "", "")
        return f"(?:{one}){often}"

    def _place(self, place: str, alike: bool, said: str) -> str:
        if place == "seat":
            once = self._seat("seat")
            return rf"{once}(?:(?: \.)?(?: {self._any('correction')}){{1,2}}{self._seat('rather')})?"
        if place == "card":
            return f" (?P<card>{_any_of([*self._cards, *(self._card_alike if alike else ())])})"
        if place not in self._words:
            raise PhraseError(f"{said!r}: there is no word {place!r} in the table")
        return f" {self._any(place, alike=alike)}"

    def _any(self, place: str, *, alike: bool = False) -> str:
        row = self._words[place]
        return _any_of([*row["forms"], *(row.get("alike", ()) if alike else ())])

    def _seat(self, group: str) -> str:
        """A number, or what sounds like one where it is called a seat."""
        # Two figures in a row are a number that was not understood.
        figure = rf"\d{{1,2}}(?![^ ]){_RU_CASE}(?!(?: \.)? \d)"
        sure = rf"(?: {self._any('seat')}){{0,2}} (?P<{group}>{figure}|{_any_of(self._sure)})"
        called = self._any("seat", alike=True)
        near = rf"(?: {called}){{1,2}} (?P<{group}_alike>{figure}|{_any_of([*self._sure, *self._alike])})"
        return rf"(?: {self._any('fill')}){{0,{MOST}}}(?:{sure}(?![^ ])|{near}(?![^ ]))"


def _any_of(words: Iterable[str]) -> str:
    """The longest first, and whole words only."""
    return "(?:" + "|".join(sorted(map(re.escape, set(words)), key=lambda word: (-len(word), word))) + ")(?![^ ])"


def _unnamed(pattern: str) -> str:
    """A pattern without names for what it finds."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)
