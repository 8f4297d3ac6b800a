"""A rules page: a ruleset's rulebook with the numbers of one table filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.code import code_of
from engine.numbers import Numbers, listed
from engine.rulebook.fill import fill, number
from engine.rulebook.labels import CARDS, NUMBERS
from engine.rulebook.rule import Words
from engine.rulebook.values import decks, values_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.rulebook.rule import Book, Lang
    from engine.rulesets.base import Ruleset

YES, NO = Words("yes", "да"), Words("no", "нет")
SECOND = Words("s", "с")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One rule as it is read. id: the rule's."""

    id: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class PageSection:
    """Paragraphs under one heading."""

    key: str
    heading: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of the ruleset's table. name: its field and option. text: its value as it is read, with its unit."""

    name: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class DeckRow:
    """How many of each card there are at a table of so many seats, in the order of the page's `cards`."""

    seats: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The rules of one table. code: the short code of the ruleset with these numbers.

    cards, decks: for a ruleset that can be played with more or fewer seats, else empty.
    """

    ruleset: str
    code: str
    lang: Lang
    title: str
    numbers: dict[str, object]
    sections: tuple[PageSection, ...]
    entries: tuple[Entry, ...]
    cards: tuple[str, ...]
    decks: tuple[DeckRow, ...]

    def to_json(self) -> dict[str, object]:
        """The page as a JSON object: `ruleset`, `code`, `lang`, `title`, `numbers` and `paragraphs`, in order."""
        paragraphs = [
            {"id": each.id, "section": section.heading, "heading": each.heading, "text": each.text}
            for section in self.sections
            for each in section.paragraphs
        ]
        return {
            "ruleset": self.ruleset,
            "code": self.code,
            "lang": self.lang,
            "title": self.title,
            "numbers": self.numbers,
            "paragraphs": paragraphs,
        }


def make_page(book: Book, rules: Ruleset, numbers: Numbers, lang: Lang) -> Page:
    """The page of a table with these numbers; rules that do not hold there are left out."""
    values = values_of(book, rules, numbers)
    sections = [
        PageSection(
            section.key,
            section.heading.say(lang),
            tuple(
                Paragraph(rule.id, rule.heading.say(lang), fill(rule.text.say(lang), values, lang))
                for rule in section.rules
                if rule.when(values)
            ),
        )
        for section in book.sections
    ]
    cards, rows = _decks(rules, numbers, lang)
    return Page(
        ruleset=book.ruleset,
        code=code_of(book.ruleset, numbers),
        lang=lang,
        title=book.title.say(lang),
        numbers=listed(numbers),
        sections=tuple(section for section in sections if section.paragraphs),
        entries=tuple(
            Entry(name, fill(_label(book.labels, name, lang), values, lang), _value(name, numbers, lang))
            for name in listed(numbers)
        ),
        cards=cards,
        decks=rows,
    )


def _label(own: Mapping[str, Words], name: str, lang: Lang) -> str:
    words = own.get(name) or NUMBERS.get(name)
    return words.say(lang) if words else name


def _value(name: str, numbers: Numbers, lang: Lang) -> str:
    value = getattr(numbers, name)
    if isinstance(value, bool):
        return (YES if value else NO).say(lang)
    said = number(value, lang)
    return f"{said} {SECOND.say(lang)}" if name.endswith("_s") else said


def _decks(rules: Ruleset, numbers: Numbers, lang: Lang) -> tuple[tuple[str, ...], tuple[DeckRow, ...]]:
    by_seats = decks(rules, numbers)
    if len(by_seats) < 2:
        return (), ()
    names = list(dict.fromkeys(card for counts in by_seats.values() for card in counts))
    heads = tuple(CARDS[name].say(lang) if name in CARDS else name for name in names)
    return heads, tuple(DeckRow(seats, tuple(counts[name] for name in names)) for seats, counts in by_seats.items())
