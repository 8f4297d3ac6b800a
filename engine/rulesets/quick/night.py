"""The nights: recognition, then shots alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import dawn, night
from engine.rulesets.quick.state import quick

if TYPE_CHECKING:
    from engine.table import Table


def begin_recognition(table: Table) -> None:
    """Night 1: the mafia see each other, and nobody is shot."""
    night.call(table)
    table.begin("recognition")


def recognition_ended(table: Table) -> None:
    """The first day comes, without a word of the morning."""
    table.turn("day")


def begin_night(table: Table) -> None:
    """Every later night: the mafia shoots."""
    night.call(table)
    night.begin(table, "shot")


def shot_ended(table: Table) -> None:
    """The morning; the cycle of a day and this night is over."""
    night.settle_shot(table)
    own, killed = quick(table), table.state.target
    own.idle_cycles = 0 if own.left or killed is not None else own.idle_cycles + 1
    dawn.morning(table, killed)
    own.left = False
