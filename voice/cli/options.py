"""`--option NAME=VALUE`: numbers of a ruleset as the command line gives them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from engine.errors import GameError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable


def parse_options(given: Iterable[str]) -> dict[str, object]:
    """The options by name; values are JSON (numbers, true, false). Whether a ruleset has them is the engine's to say.

    Raises:
        GameError: one that is not NAME=VALUE, a value that is no JSON, or a name given twice.
    """
    options: dict[str, object] = {}
    for each in given:
        name, equals, text = each.partition("=")
        name = name.strip()
        if not name or not equals:
            raise GameError(f"--option: expected NAME=VALUE, not {shown(each)}")
        if name in options:
            raise GameError(f"--option: {shown(name)} is given twice")
        try:
            options[name] = json.loads(text)
        except (ValueError, RecursionError):
            raise GameError(f"--option {shown(name)}: expected a number, true or false, not {shown(text)}") from None
    return options
