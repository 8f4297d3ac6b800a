"""The night of games with a detective and a doctor: shot, check and protection, each called, whoever lives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import dawn, detective, doctor, night

if TYPE_CHECKING:
    from engine.table import Table


def begin(table: Table) -> None:
    """The night falls, and the mafia is called."""
    night.call(table)
    night.begin(table, "shot")


def shot_ended(table: Table) -> None:
    """The detective is called."""
    night.settle_shot(table)
    night.begin(table, "check")


def check_ended(table: Table) -> None:
    """The detective is answered, and the doctor called."""
    detective.tell(table)
    night.begin(table, "protect")


def protect_ended(table: Table) -> None:
    """All moves are settled together; the morning tells their outcome alone."""
    saved = doctor.settle(table)
    dawn.morning(table, None if saved else table.state.target)
