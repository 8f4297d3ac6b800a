"""`voicetable rules [RULESET]`: the rules page of a ruleset, or of all of them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from engine.errors import GameError, shown
from engine.rulebook import LANGS, Lang, Page, rulebook
from engine.rulesets import names
from voice.cli.options import parse_options
from voice.rules.html import html
from voice.rules.text import text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

DONE, BAD_INPUT = 0, 2


def _page(ruleset: str, options: Mapping[str, object], lang: Lang) -> Page:
    try:
        return rulebook(ruleset, options, lang)
    except GameError as why:
        raise GameError(f"{why} ({shown(ruleset)})" if options else str(why)) from None


def _texts(pages: Sequence[Page]) -> str:
    return "\n\n".join(text(page) for page in pages)


def _json(pages: Sequence[Page]) -> str:
    """One page as an object; without a ruleset, all of them as a list."""
    made: object = [page.to_json() for page in pages] if len(pages) > 1 else pages[0].to_json()
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


FORMATS: dict[str, Callable[[Sequence[Page]], str]] = {"text": _texts, "html": html, "json": _json}


def run(*, ruleset: str | None, lang: str, format: str, option: Sequence[str]) -> int:  # noqa: A002 - the option's name
    """Writes the page to standard output in UTF-8; the exit status. All rulesets' pages where `ruleset` is None."""
    try:
        write = FORMATS.get(format)
        if write is None:
            raise GameError(f"--format: expected one of {', '.join(FORMATS)}, not {shown(format)}")
        chosen = next((each for each in LANGS if each == lang), None)
        if chosen is None:
            raise GameError(f"--lang: expected one of {', '.join(LANGS)}, not {shown(lang)}")
        options = parse_options(option)
        wanted = names() if ruleset is None else (ruleset,)
        pages = [_page(name, options, chosen) for name in wanted]
    except GameError as why:
        print(f"rules: {why}", file=sys.stderr)
        return BAD_INPUT
    # A page is UTF-8 whatever the terminal's locale says: it is often sent to a file.
    sys.stdout.buffer.write(write(pages).encode())
    sys.stdout.buffer.flush()
    return DONE
