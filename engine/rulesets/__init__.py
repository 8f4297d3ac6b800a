"""The rulesets, loaded by name when first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from engine.errors import GameError, shown

if TYPE_CHECKING:
    from engine.rulesets.base import Ruleset

MODULES = {name: f"engine.rulesets.{name}.rules" for name in ("sport", "quick", "teaching", "party")}
"""Where each ruleset has its `RULESET`."""


def ruleset(name: object) -> Ruleset:
    """The ruleset called `name`.

    Raises:
        GameError: there is no such ruleset.
    """
    module = MODULES.get(name) if isinstance(name, str) else None
    if module is not None:
        rules: Ruleset = import_module(module).RULESET
        return rules
    raise GameError(f"unknown ruleset {shown(name)}: expected one of {', '.join(MODULES)}")
