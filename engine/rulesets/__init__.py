"""The rulesets, loaded by name when first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from engine.errors import GameError, shown

if TYPE_CHECKING:
    from engine.rulesets.base import Ruleset

MODULES = {"sport": "engine.rulesets.sport.rules"}
"""Where each ruleset that can be played has its `RULESET`."""

KNOWN = ("sport", "quick", "teaching", "party")


def ruleset(name: object) -> Ruleset:
    """The ruleset called `name`.

    Raises:
        GameError: there is no such ruleset, or this version does not have it.
    """
    module = MODULES.get(name) if isinstance(name, str) else None
    if module is not None:
        rules: Ruleset = import_module(module).RULESET
        return rules
    if name in KNOWN:
        raise GameError(f"ruleset {name!r} is not in this version; it has {', '.join(MODULES)}")
    raise GameError(f"unknown ruleset {shown(name)}: expected one of {', '.join(KNOWN)}")
