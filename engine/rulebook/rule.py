"""What a rulebook is made of: rules with a stable id, in two languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

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
