"""The short code of a ruleset with its options: stored with a game, so that it says exactly which rules it ran.

`sport1` is sport as it is; `quick1:seats=8,runoff` has eight seats and the runoff.

Codes are canonical: numbers stand in the order of the ruleset's table, and only those that differ from its defaults, so
that equal rules have equal codes, and a game started with what a code says has an equal code.

After the name stands the version of the rules, which is raised whenever a default, a rule or the deck changes: with it
every code of the ruleset changes, and an old one never comes to mean the new rules. An engine has one version of each
ruleset, and refuses a code of another in one clear line; it does not guess. What happened in a game of an old version
stands in its stored events, which are the truth of it and need no rules to be read; only folding its inputs again needs
an engine of that version.
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING

from engine.errors import GameError, shown
from engine.numbers import read
from engine.rulesets import ruleset

if TYPE_CHECKING:
    from engine.numbers import Numbers

_FORM = re.compile(r"([a-z][a-z_]*)([1-9][0-9]{0,5})(?::(.+))?", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?(e[+-]?[0-9]{1,3})?", re.ASCII)
_NO = "no"


def code_of(name: str, numbers: Numbers) -> str:
    """The code of a ruleset with these numbers: one for equal numbers, whatever options they came from.

    Raises:
        GameError: there is no such ruleset.
    """
    rules = ruleset(name)
    changed = [
        f"{entry.name}{_value(value)}"
        for entry in fields(numbers)
        if (value := getattr(numbers, entry.name)) != entry.default
    ]
    code = f"{name}{rules.version}"
    return f"{code}:{','.join(changed)}" if changed else code


def read_code(code: str) -> tuple[str, dict[str, object]]:
    """The ruleset's name and the options that a code stands for.

    Starting with them gives an equal code where `code_of` made it. One written by hand may name a default, or have its
    numbers in another order; it is read, and gives the canonical one.

    Raises:
        GameError: it is no code, or one of a ruleset, a version or options that this engine does not have.
    """
    form = _FORM.fullmatch(code)
    if form is None:
        raise GameError(f"expected a ruleset's code such as 'sport1' or 'quick1:runoff', not {shown(code)}")
    name, version, changed = form.groups()
    rules = ruleset(name)
    if int(version) != rules.version:
        raise GameError(
            f"code {shown(code)} is of version {version} of {name!r}, and this engine has version {rules.version}: "
            "what happened in that game stands in its stored events"
        )
    options: dict[str, object] = {}
    for part in changed.split(",") if changed else ():
        option, equals, value = part.partition("=")
        if option in options:
            raise GameError(f"code {shown(code)}: {option!r} stands twice")
        options[option] = _read(code, value) if equals else True
    read(rules.numbers_type, options)
    return name, options


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "" if value else f"={_NO}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return f"={int(value)}"
    return f"={value!r}"


def _read(code: str, value: str) -> object:
    if value == _NO:
        return False
    if not _NUMBER.fullmatch(value):
        raise GameError(f"code {shown(code)}: expected a number, not {shown(value)}")
    number = float(value)
    return int(number) if number.is_integer() else number
