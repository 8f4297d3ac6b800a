"""Rules pages as one HTML document."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from voice.rules import words
from voice.rules.style import CSS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.rulebook import Page
    from engine.rulebook.page import Paragraph


def html(pages: Sequence[Page], stylesheet: str | None = None, icon: str | None = None) -> str:
    """One document with all `pages`, which share their language; each rule's id is its anchor.

    stylesheet: the address of `style.CSS`, for a server that allows no style within a page; it is within it where None.
    icon: the address of the page's icon; none where None.
    """
    lang, first = pages[0].lang, pages[0]
    title = first.title if len(pages) == 1 else words.TITLE.say(lang)
    style = f"<style>{CSS}</style>" if stylesheet is None else f'<link rel="stylesheet" href="{escape(stylesheet)}">'
    head = style if icon is None else f'{style}\n<link rel="icon" href="{escape(icon)}">'
    return "".join(f"{line}\n" for line in _document(pages, title, head))


def _document(pages: Sequence[Page], title: str, head: str) -> Iterator[str]:
    lang, several = pages[0].lang, len(pages) > 1
    yield "<!doctype html>"
    yield f'<html lang="{lang}">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title>"
    yield head
    yield "</head>"
    yield '<body class="all">' if several else "<body>"
    yield "<header>"
    yield f"<h1>{escape(title)}</h1>"
    if not several:
        yield _code(pages[0])
    yield "</header>"
    yield from _contents(pages)
    yield "<main>"
    for page in pages:
        if several:
            yield f'<article id="{escape(page.ruleset)}">'
            yield f"<h2>{escape(page.title)}</h2>"
            yield _code(page)
        yield from _page(page, level=3 if several else 2)
        if several:
            yield "</article>"
    yield "</main>"
    yield "</body>"
    yield "</html>"


def _code(page: Page) -> str:
    return f'<p class="code">{escape(words.CODE.say(page.lang))} <code>{escape(page.code)}</code></p>'


def _contents(pages: Sequence[Page]) -> Iterator[str]:
    lang, several = pages[0].lang, len(pages) > 1
    heading = escape(words.CONTENTS.say(lang))
    yield '<nav aria-labelledby="contents">'
    yield f'<p id="contents">{heading}</p>'
    yield "<ul>"
    for page in pages:
        if several:
            yield f'<li><a href="#{escape(page.ruleset)}">{escape(page.title)}</a></li>'
            continue
        for key, heading in _section_headings(page):
            yield f'<li><a href="#{_anchor(page, key)}">{escape(heading)}</a></li>'
    yield "</ul>"
    yield "</nav>"


def _section_headings(page: Page) -> Iterator[tuple[str, str]]:
    for section in page.sections:
        yield section.key, section.heading
    if page.decks:
        yield "decks", words.DECKS.say(page.lang)
    yield "numbers", words.NUMBERS.say(page.lang)


def _anchor(page: Page, key: str) -> str:
    """A section's anchor; rules' ids have a full stop, so the two never meet."""
    return escape(f"{page.ruleset}-{key}")


def _page(page: Page, level: int) -> Iterator[str]:
    for section in page.sections:
        yield from _section_start(page, section.key, section.heading, level)
        for paragraph in section.paragraphs:
            yield from _rule(page, paragraph, level + 1)
        yield "</section>"
    if page.decks:
        yield from _section_start(page, "decks", words.DECKS.say(page.lang), level)
        yield from _decks(page)
        yield "</section>"
    yield from _section_start(page, "numbers", words.NUMBERS.say(page.lang), level)
    yield from _numbers(page)
    yield "</section>"


def _section_start(page: Page, key: str, heading: str, level: int) -> Iterator[str]:
    anchor = _anchor(page, key)
    yield f'<section id="{anchor}" aria-labelledby="{anchor}-heading">'
    yield f'<h{level} id="{anchor}-heading">{escape(heading)}</h{level}>'


def _rule(page: Page, paragraph: Paragraph, level: int) -> Iterator[str]:
    rule_id = escape(paragraph.id)
    # The id is what is seen of the link: whoever says it aloud must find it in the link's name.
    link = f"{words.LINK.say(page.lang)}: {paragraph.heading} ({paragraph.id})"
    yield f'<div class="rule" id="{rule_id}">'
    yield f"<h{level}>{escape(paragraph.heading)}</h{level}>"
    yield f"<p>{escape(paragraph.text)}</p>"
    yield f'<a class="id" href="#{rule_id}" aria-label="{escape(link)}"><code>{rule_id}</code></a>'
    yield "</div>"


def _numbers(page: Page) -> Iterator[str]:
    heads = (words.NUMBER, ""), (words.VALUE, ' class="n"'), (words.OPTION, "")
    yield '<div class="wide">'
    yield f'<table aria-labelledby="{_anchor(page, "numbers")}-heading">'
    cells = "".join(f'<th scope="col"{kind}>{escape(head.say(page.lang))}</th>' for head, kind in heads)
    yield f"<thead><tr>{cells}</tr></thead>"
    yield "<tbody>"
    for entry in page.entries:
        yield (
            f'<tr><th scope="row">{escape(entry.label)}</th><td class="n">{escape(entry.text)}</td>'
            f"<td><code>{_breakable(entry.name)}</code></td></tr>"
        )
    yield "</tbody>"
    yield "</table>"
    yield "</div>"


def _breakable(name: str) -> str:
    """A field's name that may be broken after its underscores, but for a last letter alone."""
    return re.sub(r"_(?=\w\w)", "_<wbr>", escape(name))


def _decks(page: Page) -> Iterator[str]:
    heads = (words.SEATS.say(page.lang), *page.cards)
    yield '<div class="wide">'
    yield f'<table aria-labelledby="{_anchor(page, "decks")}-heading">'
    cells = "".join(f'<th scope="col" class="n">{escape(head)}</th>' for head in heads)
    yield f"<thead><tr>{cells}</tr></thead>"
    yield "<tbody>"
    for row in page.decks:
        cells = "".join(f'<td class="n">{count}</td>' for count in row.counts)
        yield f'<tr><th scope="row" class="n">{row.seats}</th>{cells}</tr>'
    yield "</tbody>"
    yield "</table>"
    yield "</div>"
