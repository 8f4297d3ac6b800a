"""What a rulebook is made of: rules with a stable id, in two languages, by section."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from engine.rulesets.base import Ruleset

Lang: TypeAlias = Literal["en", "ru"]
LANGS: tuple[Lang, ...] = ("en", "ru")

Values: TypeAlias = Mapping[str, float]
"""What placeholders are filled from: a ruleset's numbers and what follows from them, by name."""


class Words(NamedTuple):
    """The same thing said in both languages."""

    en: str
    ru: str

    def say(self, lang: Lang) -> str:
        """The words in `lang`."""
        return self.en if lang == "en" else self.ru


def always(_values: Values) -> bool:
    """A rule that holds whatever the options."""
    return True


def nothing(_ruleset: Ruleset, _numbers: Any) -> dict[str, float]:
    """A rulebook without values of its own."""
    return {}


@dataclass(frozen=True, slots=True)
class Rule:
    """One paragraph of a rulebook.

    id: stable, `<ruleset>.<topic>...`; stored reviews cite it. text: with placeholders, see `engine.rulebook.fill`;
    it holds no number itself. source: where the rule comes from, a seed and its section or the engine contract.
    when: whether the rule holds at a table with these values.
    """

    id: str
    heading: Words
    text: Words
    source: str
    when: Callable[[Values], bool] = always


@dataclass(frozen=True, slots=True)
class Section:
    """Rules that belong together. key: unique in its book, an anchor of the page."""

    key: str
    heading: Words
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """A ruleset's rulebook.

    labels: what each number of the table is called, where `engine.rulebook.labels` has no label; with placeholders.
    values: what placeholders may name beside the numbers and the deck, see `engine.rulebook.values`.
    """

    ruleset: str
    title: Words
    sections: tuple[Section, ...]
    labels: Mapping[str, Words] = field(default_factory=dict)
    values: Callable[[Ruleset, Any], dict[str, float]] = nothing

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules, whatever the options, in the order of the page."""
        return tuple(rule for section in self.sections for rule in section.rules)
