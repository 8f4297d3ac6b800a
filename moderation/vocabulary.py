"""The lexicon: reviewed words, word classes and patterns of every language, loaded once from `lexicon/*/*.toml`."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Literal, cast

from moderation import classes
from moderation.inflect import Endings, LexiconError, expand, read_endings
from moderation.lemmas import SecondKey
from moderation.patterns import Pattern, compile_pattern
from moderation.verdict import CATEGORIES, LANGUAGES, Category

Strength = Literal["strong", "mild", "slur", "touchy", "curse"]
Kind = Literal["noun", "stuff", "adjective"]
Outcome = Literal["clear", "likely", "review", "harmless"]

_STRENGTHS = ("strong", "mild", "slur", "touchy", "curse")
JOINABLE = ("strong", "slur", "curse")
_KINDS = ("noun", "stuff", "adjective")
_OUTCOMES = ("clear", "likely", "review", "harmless")


@dataclass(frozen=True, slots=True)
class Entry:
    """An abusive word in all its forms.

    `strength`: `strong` and `mild` insults, `slur` (abusive whoever is meant), `touchy` (abusive only when aimed),
    `curse` (abuse when aimed, else mere swearing).
    """

    id: str
    category: Category
    strength: Strength
    kind: Kind
    forms: tuple[str, ...]
    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """Patterns with one outcome. `hits` and `misses` are its own examples, checked by the tests."""

    id: str
    category: Category | None
    outcome: Outcome
    negatable: bool  # a negation before it denies it
    own_excused: bool  # no abuse where the speaker says it of himself
    patterns: tuple[str, ...]
    hits: tuple[str, ...]
    misses: tuple[str, ...]


@dataclass(slots=True)
class Lexicon:
    """Everything that the stages look words up in."""

    entries: dict[str, Entry] = field(default_factory=dict)
    bits: dict[str, int] = field(default_factory=dict)
    classes: dict[str, int] = field(default_factory=dict)  # the bit of each word class
    beginnings: frozenset[str] = frozenset()  # of words that a recogniser's cut may be undone for (repair)
    second_key: SecondKey = field(default_factory=lambda: SecondKey({}))
    rules: dict[str, Rule] = field(default_factory=dict)
    index: dict[str, tuple[tuple[Pattern, Rule], ...]] = field(default_factory=dict)


@cache
def lexicon() -> Lexicon:
    """The embedded lexicon of all languages. Raises LexiconError where a file is wrong."""
    return _Loader().load()


class _Loader:
    def __init__(self) -> None:
        self.lexicon = Lexicon()
        self.class_bits: dict[str, int] = dict(classes.NAMED)
        self.class_words: dict[str, set[str]] = {}
        self.index: dict[str, list[tuple[Pattern, Rule]]] = {}

    def load(self) -> Lexicon:
        sources = {lang: _read_language(lang) for lang in LANGUAGES}
        endings = {lang: read_endings(source["context"]["endings"]) for lang, source in sources.items()}
        for lang, source in sources.items():
            self._classes(source["context"], endings[lang])
            self._entries(lang, source["words"], endings[lang])
        for name in classes.UNIONS:
            for part in classes.UNIONS[name]:
                self._join(name, iter(self.class_words[part]))
        for lang, source in sources.items():
            self._rules(lang, source["rules"], endings[lang])
        self.lexicon.classes = self.class_bits
        self.lexicon.beginnings = frozenset(
            form[:length]
            for form, entry in self.lexicon.entries.items()
            if entry.strength in JOINABLE
            for length in range(1, len(form))
        )
        self.lexicon.second_key = SecondKey(self.lexicon.entries)
        self.lexicon.index = {word: tuple(found) for word, found in self.index.items()}
        return self.lexicon

    def _join(self, name: str, words: Iterator[str]) -> None:
        bit = self.class_bits.setdefault(name, 1 << len(self.class_bits))
        members = self.class_words.setdefault(name, set())
        for word in words:
            members.add(word)
            self.lexicon.bits[word] = self.lexicon.bits.get(word, 0) | bit

    def _classes(self, table: Mapping[str, Any], endings: Endings) -> None:
        for name, spec in table["class"].items():
            self._join(name, expand(spec, endings))

    def _entries(self, lang: str, table: Mapping[str, Any], endings: Endings) -> None:
        for category, strength, kind, name, value in _walk(table):
            fields = {"forms": value} if isinstance(value, str) else value
            entry = Entry(
                id=f"{lang}.{category}.{name}",
                category=cast("Category", category),
                strength=cast("Strength", strength),
                kind=cast("Kind", kind),
                forms=tuple(dict.fromkeys(expand(fields["forms"], endings))),
                hits=tuple(fields.get("hits", ())),
                misses=tuple(fields.get("misses", ())),
            )
            for form in entry.forms:
                other = self.lexicon.entries.setdefault(form, entry)
                if other is not entry:
                    raise LexiconError(f"{entry.id}: expected a form of one entry, got {form!r}, also in {other.id}")
            self._join("any_adjective" if kind == "adjective" else "any_noun", iter(entry.forms))
            if strength == "slur":
                self._join("slur", iter(entry.forms))

    def _rules(self, lang: str, table: Mapping[str, Any], endings: Endings) -> None:
        for raw in table["rule"]:
            rule = Rule(
                id=f"{lang}.{raw['id']}",
                category=raw.get("category"),
                outcome=raw["outcome"],
                negatable=raw.get("negatable", True),
                own_excused=raw.get("own_excused", raw["outcome"] == "likely" and raw["category"] == "insult"),
                patterns=tuple(raw["match"]),
                hits=tuple(raw.get("hits", ())),
                misses=tuple(raw.get("misses", ())),
            )
            _check_rule(rule, self.lexicon.rules)
            self.lexicon.rules[rule.id] = rule
            for source in rule.patterns:
                try:
                    pattern, anchors = compile_pattern(
                        source,
                        lambda item: tuple(expand(item, endings)),
                        self._bit,
                        self._words,
                        lambda word: bool(self.lexicon.bits.get(word, 0) & classes.EVERYDAY),
                    )
                except (ValueError, KeyError) as error:
                    raise LexiconError(f"{rule.id}: {error} in {source!r}") from error
                for word in anchors:
                    self.index.setdefault(word, []).append((pattern, rule))

    def _bit(self, name: str) -> int:
        return self.class_bits[name]

    def _words(self, name: str) -> frozenset[str]:
        return frozenset(self.class_words[name])


def _check_rule(rule: Rule, known: Mapping[str, Rule]) -> None:
    if rule.id in known:
        raise LexiconError(f"{rule.id}: expected an id of its own, got one that is taken")
    if rule.outcome not in _OUTCOMES:
        raise LexiconError(f"{rule.id}: expected outcome {' or '.join(_OUTCOMES)}, got {rule.outcome!r}")
    if (rule.category is None) != (rule.outcome == "harmless") or (
        rule.category is not None and rule.category not in CATEGORIES
    ):
        raise LexiconError(f"{rule.id}: expected a category (none for harmless), got {rule.category!r}")


def _walk(table: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str, Any]]:
    for category, strengths in table.items():
        for strength, kinds in strengths.items():
            for kind, entries in kinds.items():
                if category not in CATEGORIES or strength not in _STRENGTHS or kind not in _KINDS:
                    raise LexiconError(f"expected [category.strength.kind], got [{category}.{strength}.{kind}]")
                for name, value in entries.items():
                    yield category, strength, kind, name, value


def _read_language(lang: str) -> dict[str, dict[str, Any]]:
    folder = resources.files("moderation") / "lexicon" / lang
    return {
        part: tomllib.loads((folder / f"{part}.toml").read_text(encoding="utf-8"))
        for part in ("context", "words", "rules")
    }
