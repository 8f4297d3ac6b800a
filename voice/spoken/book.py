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
_RU_CASE: Final = r"(?: (?:й|го|му|ый|ого|ому|я|ю|ую|ая|м|е|х))"  # what stands behind a figure: "5-го"


class PhraseError(ValueError):
    """A table of words that can't be read; says which phrase, and what was expected."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way to say a command. `at_end`: it counts only as the last thing that was said.

    `not_after`, `not_before`: words, some of them several in a row, beside which it is no wish.
    """

    do: str
    pattern: re.Pattern[str]
    at_end: bool
    not_after: frozenset[str]
    not_before: frozenset[str]


@dataclass(frozen=True, slots=True)
class Book:
    """All phrases of a language; the seat of each number as it is said, and the card of each name.

    `conditions`: words that make all that follows in their sentence depend on something. `own`: words before a wish
    that leave it the speaker's own ("as I said").
    """

    phrases: tuple[Phrase, ...]
    numbers: Mapping[str, int]
    cards: Mapping[str, str]
    conditions: frozenset[str]
    own: tuple[str, ...]

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
        self._counts: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._alike: dict[str, int] = {}
        for number, row in table["numbers"].items():
            stem = row.get("ordinal", "")
            names = [*row.get("named", ()), *(stem + ending for ending in endings if stem)]
            self._counts |= dict.fromkeys(row["said"], int(number))
            self._names |= dict.fromkeys(names, int(number))
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
        numbers = self._alike | self._counts | self._names
        own = tuple(sorted(self._table["own"], key=len, reverse=True))
        return Book(phrases, numbers, self._card_alike | self._cards, conditions, own)

    def _pattern(self, said: str) -> str:
        signs = said.split()
        last = max(at for at, sign in enumerate(signs) if not sign.startswith("!"))
        return "".join(self._element(sign, said, at == last) for at, sign in enumerate(signs)) + r"(?![^ ])"

    def _element(self, sign: str, said: str, last: bool) -> str:
        if sign == "^":
            return r"(?:^|(?<= [.?]))"
        if sign == "$":
            return r"(?: [.?])*$"
        found = _ELEMENT.fullmatch(sign)
        if found is None:
            raise PhraseError(f"{said!r}: expected words, <places>, ^ and $, got {sign!r}")
        if not found["place"]:
            one = f" {found['word']}"
        elif found["place"] in ("seat", "called"):
            one = self._seats(found["place"] == "called", last)
        else:
            one = self._place(found["place"], found["alike"] is not None, said)
        if found["not"]:
            return f"(?!{_unnamed(one)})"
        often = {"?": "?", "*": f"{{0,{MOST}}}"}.get(found["often"] or "", "")
        return f"(?:{one}){often}"

    def _place(self, place: str, alike: bool, said: str) -> str:
        if place == "end":
            return rf"(?:$|(?= [.?])|(?= {self._any('goes_on')}))"
        if place == "card":
            return f" (?P<card>{_any_of([*self._cards, *(self._card_alike if alike else ())])})"
        if place not in self._words:
            raise PhraseError(f"{said!r}: there is no word {place!r} in the table")
        return f" {self._any(place, alike=alike)}"

    def _any(self, place: str, *, alike: bool = False) -> str:
        row = self._words[place]
        return _any_of([*row["forms"], *(row.get("alike", ()) if alike else ())])

    def _seats(self, called: bool, last: bool) -> str:
        """A seat, and the one that corrects it; `last`: the phrase ends with it."""
        rather = rf"(?:(?: \.)?(?: {self._any('correction')}){{1,2}}{self._seat('rather', False, last)})?"
        return self._seat("seat", called, last) + rather

    def _seat(self, group: str, called: bool, last: bool) -> str:
        """A number, called a seat unless it can be nothing else; `called`: whatever it is.

        A bare "five" at the end of a phrase may count what follows ("five minutes"): nothing may, or other talk.
        """
        # Two figures in a row are a number that was not understood.
        figure = rf"\d{{1,2}}(?![^ ]){_RU_CASE}?(?!(?: \.)? \d)"
        sure = [*self._counts, *self._names]
        ways = [rf"(?: {self._any('seat')}){{1,2}} (?P<{group}>{figure}|{_any_of(sure)})(?![^ ])"]
        if not called:
            ways.append(rf" (?P<{group}_named>\d{{1,2}}{_RU_CASE}|{_any_of(self._names)})(?![^ ])")
            end = self._place("end", False, "") if last else ""
            ways.append(rf" (?P<{group}_bare>{figure}|{_any_of(self._counts)})(?![^ ]){end}")
        near = [*sure, *self._alike]
        ways.append(rf"(?: {self._any('seat', alike=True)}){{1,2}} (?P<{group}_alike>{figure}|{_any_of(near)})(?![^ ])")
        return rf"(?: {self._any('fill')}){{0,{MOST}}}(?:{'|'.join(ways)})"


def _any_of(words: Iterable[str]) -> str:
    """The longest first, and whole words only."""
    return "(?:" + "|".join(sorted(map(re.escape, set(words)), key=lambda word: (-len(word), word))) + ")(?![^ ])"


def _unnamed(pattern: str) -> str:
    """A pattern without names for what it finds."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)
