"""The rulesets, loaded by name when first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from engine.errors import GameError, shown

if TYPE_CHECKING:
    from engine.rulesets.base import Ruleset

MODULES: dict[str, str] = {name: f"engine.rulesets.{name}.rules" for name in ("sport", "quick", "teaching", "party")}
"""Where each ruleset has its `RULESET`. Another one is made known by `register`."""


def names() -> tuple[str, ...]:
    """The rulesets that can be played."""
    return tuple(MODULES)


def register(name: str, module: str) -> None:
    """Makes a ruleset known: `module`, imported when first asked for, has it as `RULESET`.

    Raises:
        GameError: the name is taken, or is none that a ruleset's code can have: small letters and `_`.
    """
    if MODULES.get(name, module) != module:
        raise GameError(f"ruleset {shown(name)} is there already, in {MODULES[name]}")
    if not (name.isascii() and name.replace("_", "").isalpha() and name.islower() and name[0] != "_"):
        raise GameError(f"a ruleset's name has small letters and '_', and begins with a letter, not {shown(name)}")
    MODULES[name] = module


def ruleset(name: object) -> Ruleset:
    """The ruleset called `name`.

    Raises:
        GameError: there is no such ruleset.
    """
    module = MODULES.get(name) if isinstance(name, str) else None
    if module is None:
        raise GameError(f"unknown ruleset {shown(name)}: expected one of {', '.join(MODULES)}")
    rules: Ruleset = import_module(module).RULESET
    return rules
