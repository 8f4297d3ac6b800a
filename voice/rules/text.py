"""A rules page in a terminal, 80 columns wide."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from voice.rules import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.rulebook import Page

COLUMNS = 80
INDENT = "  "


def text(page: Page) -> str:
    """The page, each line ended and at most 80 columns wide."""
    return "\n".join(line.rstrip() for line in _lines(page)) + "\n"


def _lines(page: Page) -> Iterator[str]:
    yield from (page.title.upper(), "=" * len(page.title), "")
    yield from _wrapped(f"{words.CODE.say(page.lang)} {page.code}")
    for section in page.sections:
        yield from _heading(section.heading)
        for paragraph in section.paragraphs:
            yield ""
            yield from _named(paragraph.heading, paragraph.id)
            yield from _wrapped(paragraph.text, INDENT)
    if page.decks:
        yield from _heading(words.DECKS.say(page.lang))
        yield ""
        yield from _deck_lines(page)
    yield from _heading(words.NUMBERS.say(page.lang))
    yield ""
    yield from _number_lines(page)


def _heading(heading: str) -> Sequence[str]:
    return "", "", heading.upper(), "-" * len(heading)


def _named(heading: str, rule_id: str) -> Sequence[str]:
    """The heading to the left and the rule's id to the right, on a line of its own where there is no room."""
    if len(heading) + len(rule_id) + 2 <= COLUMNS:
        return (heading + rule_id.rjust(COLUMNS - len(heading)),)
    return *_wrapped(heading), rule_id.rjust(COLUMNS)


def _wrapped(said: str, indent: str = "") -> list[str]:
    return wrap(said, COLUMNS, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _number_lines(page: Page) -> Iterator[str]:
    value_width = max(len(entry.text) for entry in page.entries)
    option_width = max(len(entry.name) for entry in page.entries)
    label_width = COLUMNS - value_width - option_width - 4
    for entry in page.entries:
        *before, label = wrap(entry.label, label_width)
        yield from before
        yield f"{label.ljust(label_width)}  {entry.text.rjust(value_width)}  {entry.name}"


def _deck_lines(page: Page) -> Iterator[str]:
    heads = (words.SEATS.say(page.lang), *page.cards)
    yield INDENT.join(heads)
    for row in page.decks:
        cells = (row.seats, *row.counts)
        yield INDENT.join(str(cell).rjust(len(head)) for head, cell in zip(heads, cells, strict=True))
