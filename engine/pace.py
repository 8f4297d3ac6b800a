"""Time must pass: a game that would turn over its nights and days without it is never begun.

With every length at nought, a ruleset whose idle nights and days go on for ever would never come back from `advance`.
"""

from __future__ import annotations

import copy
from dataclasses import fields
from typing import TYPE_CHECKING

from engine.errors import GameError
from engine.table import Table

if TYPE_CHECKING:
    from engine.numbers import Numbers
    from engine.rulesets.base import Ruleset
    from engine.state import State

IDLE_PHASES = 100
"""More than one idle night and day have, at any table."""

LEAST_S = 5.0
"""How much time so many phases take at least, where nobody does anything."""


def check(state: State, rules: Ruleset) -> None:
    """Looks at a game in which nobody does anything, on a copy of the dealt one.

    Raises:
        GameError: it neither ends nor lets at least `LEAST_S` pass in `IDLE_PHASES` phases.
    """
    if all(length >= LEAST_S / IDLE_PHASES for length in _lengths(state.numbers)):
        return
    idle = copy.deepcopy(state)
    table = Table(idle, rules)
    for _ in range(IDLE_PHASES):
        if idle.phase.ends is None:
            return
        idle.now = idle.phase.ends
        table.end_phase()
    if idle.now < LEAST_S:
        raise GameError(
            f"options that hardly let time pass: expected {IDLE_PHASES} idle phases to take {LEAST_S:g} s or more, "
            f"not {idle.now:g} s"
        )


def _lengths(numbers: Numbers) -> list[float]:
    return [getattr(numbers, entry.name) for entry in fields(numbers) if entry.name.endswith("_s")]
