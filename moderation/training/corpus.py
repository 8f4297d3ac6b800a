"""The lines that the model learns from, each with the group that must stay on one side of a split."""

import json
import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from moderation import LANGUAGES, Language
from moderation.vocabulary import Entry, Rule, lexicon

HERE = Path(__file__).parent
TEMPLATE_LINES = 12  # of each template, however many it could make
WEIGHTS = {"own": 1.0, "template": 0.4, "public": 0.7, "lexicon": 0.7}
_SLOT = re.compile(r"\{(\w+?)(\d*)\}")
_MARKS = re.compile(r"[^\w\s'-]")

Origin = Literal["own", "template", "public", "lexicon"]


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled line. `label` is a category, `none`, or `any` for abuse without one."""

    text: str
    lang: Language
    label: str
    kind: str
    origin: Origin
    group: str


def own_lines() -> Iterator[Example]:
    """The lines written for this project."""
    for lang in LANGUAGES:
        for path in sorted((HERE / "lines" / lang).glob("*.jsonl")):
            for row in _rows(path):
                yield Example(row["text"], lang, row["label"], row["kind"], "own", f"{lang}.{row['group']}")


def template_lines(seed: int = 6) -> Iterator[Example]:
    """The same limited number of fillings of each template."""
    for lang in LANGUAGES:
        data = tomllib.loads((HERE / "templates" / f"{lang}.toml").read_text(encoding="utf-8"))
        chance = random.Random(f"{seed} {lang}")
        for template in data["template"]:
            made: set[str] = set()
            for _ in range(4 * TEMPLATE_LINES):
                if len(made) < TEMPLATE_LINES:
                    made.add(_fill(template["text"], data["slots"], chance))
            for text in sorted(made):
                heard = _MARKS.sub("", text.lower()) if chance.random() < 0.5 else text
                yield Example(heard, lang, template["label"], template["kind"], "template", template["id"])


def lexicon_lines() -> Iterator[Example]:
    """The examples of the lexicon's words and rules. They are of the rules' own making: see `encode`."""
    known = lexicon()
    entries = {entry.id: entry for entry in known.entries.values()}
    examples: list[Rule | Entry] = [*known.rules.values(), *entries.values()]
    for one in examples:
        lang: Language = "ru" if one.id.startswith("ru") else "en"
        for text in one.hits:
            yield Example(text, lang, one.category or "none", "lexicon", "lexicon", one.id)
        for text in one.misses:
            yield Example(text, lang, "none", "lexicon", "lexicon", one.id)


def table_lines(folder: Path) -> Iterator[Example]:
    """Lines that the lexicon was written with: `harmless.tsv` and `abusive.tsv`, where the folder has them."""
    for path in sorted(folder.glob("*.tsv")):
        for row in path.read_text(encoding="utf-8").splitlines():
            lang, *label, text = row.split("\t")
            spoken: Language = "ru" if lang == "ru" else "en"
            yield Example(text, spoken, label[0] if label else "none", "lexicon", "lexicon", text)


def public_lines(path: Path) -> Iterator[Example]:
    """Lines of a labelled public set, split by template where the set tells it."""
    for number, row in enumerate(_rows(path)):
        group = row.get("func") or row.get("tmpl") or str(number)
        kind = row.get("func") or row["source"]
        yield Example(row["text"], row["lang"], row["label"], kind, "public", f"{row['source']}.{group}")


def _fill(text: str, slots: dict[str, list[str]], chance: random.Random) -> str:
    """One filling: a slot named with a number is another draw from it, never the same."""
    drawn: dict[str, list[str]] = {}

    def draw(match: re.Match[str]) -> str:
        name = match[1] if match[1] in slots and match[0][1:-1] not in slots else match[0][1:-1]
        choices = [filler for filler in slots[name] if filler not in drawn.get(name, ())]
        drawn.setdefault(name, []).append(chance.choice(choices))
        return drawn[name][-1]

    return _SLOT.sub(draw, text)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
