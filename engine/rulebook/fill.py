"""Placeholders: how numbers come into a rule's text, in the forms that each language asks for.

`{speech_s}` is the number alone. `{speech_s|second|seconds}` is the number with the word's form for it: English has two
forms (one, other), Russian three (one, few, many) and may have a fourth for fractions, which else take the form of few.
`{points_removal:+}` has a sign, `{skip_fouls:th}` is the English ordinal, and `{skip_fouls:-го}` ends in what follows
the colon, for Russian ordinals.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.rulebook.rule import Lang, Values

_PLACEHOLDER = re.compile(r"\{(\w+)(?::([^|{}]+))?(?:\|([^{}]+))?\}")
MINUS = "\N{MINUS SIGN}"


def fill(text: str, values: Values, lang: Lang) -> str:
    """`text` with its placeholders filled.

    Raises:
        KeyError: a placeholder that `values` does not have.
        ValueError: a braced part that is no placeholder, or one with a wrong number of forms.
    """

    def filled(match: re.Match[str]) -> str:
        name, spec, forms = match.groups()
        value = values[name]
        said = _spelled(value, spec, lang)
        return f"{said} {_form(value, forms.split('|'), lang)}" if forms else said

    result = _PLACEHOLDER.sub(filled, text)
    if "{" in result or "}" in result:
        raise ValueError(f"expected placeholders such as {{speech_s}} or {{speech_s|second|seconds}} in {text!r}")
    return result


def placeholders(text: str) -> frozenset[str]:
    """The names that a text's placeholders ask for."""
    return frozenset(match[1] for match in _PLACEHOLDER.finditer(text))


def number(value: float, lang: Lang) -> str:
    """A number as it is written: never with an exponent; a Russian one with a decimal comma."""
    digits = format(Decimal(repr(value)).normalize() + 0, "f").replace("-", MINUS)
    return digits.replace(".", ",") if lang == "ru" else digits


def _spelled(value: float, spec: str | None, lang: Lang) -> str:
    said = number(value, lang)
    if spec is None:
        return said
    if spec == "+":
        return f"+{said}" if value > 0 else said
    if spec == "th":
        return said + _ordinal_ending(value)
    if spec.startswith("-"):
        return said + spec
    raise ValueError(f"expected :+, :th or :-ending in a placeholder, not {spec!r}")


def _ordinal_ending(value: float) -> str:
    if value % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(int(value % 10), "th")


def _form(value: float, forms: list[str], lang: Lang) -> str:
    """The word's form beside a number, by the plural rules of Unicode CLDR."""
    if lang == "en":
        one, other = forms
        return one if abs(value) == 1 else other
    one, few, many = forms[:3]
    if value != int(value):
        return forms[3] if len(forms) > 3 else few
    tens, ones = abs(int(value)) % 100, abs(int(value)) % 10
    if ones == 1 and tens != 11:
        return one
    return few if 2 <= ones <= 4 and not 12 <= tens <= 14 else many
