"""Nights: called by number, picks kept until their phase ends, and what is told of them when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import Refusal

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table


def call(table: Table) -> None:
    """The next night falls."""
    table.state.night += 1
    table.emit("night", "all", {"number": table.state.night})


def begin(table: Table, name: str) -> None:
    """Begins a night phase in which nothing is picked yet."""
    table.state.picks.clear()
    table.begin(name)


def by_card(table: Table, command: Command, card: str) -> None:
    """Refuses whoever is not the living holder of `card`, and any target that is no living seat."""
    if table.card(command.seat) != card or not table.is_living(command.seat):
        raise Refusal("this is not your night move")
    living_target(table, command)


def by_mafia(table: Table, command: Command) -> None:
    """Refuses whoever is not a living seat of the mafia's team, and any target that is no living seat."""
    if not (table.is_mafia(command.seat) and table.is_living(command.seat)):
        raise Refusal("you do not shoot")
    living_target(table, command)


def living_target(table: Table, command: Command) -> None:
    """Refuses a target that is no living seat."""
    if not table.is_living(command.target):
        raise Refusal("this is no living seat")


def pick(table: Table, command: Command, to: tuple[int, ...]) -> None:
    """Notes an allowed pick, in place of the seat's earlier one, and tells it to `to`."""
    table.state.picks[command.seat] = command.target
    table.emit("pick", to, {"seat": command.seat, "target": command.target})


def pick_alone(table: Table, command: Command) -> None:
    """An allowed pick that its own seat alone is told of."""
    pick(table, command, (command.seat,))


def pick_as_team(table: Table, command: Command) -> None:
    """An allowed pick that every living seat of the mafia is told of, so that they can agree."""
    pick(table, command, tuple(table.living_mafia()))


def shoot_outside(table: Table, command: Command) -> None:
    """A living mafia seat picks a living seat outside its team, which is told."""
    by_mafia(table, command)
    if table.is_mafia(command.target):
        raise Refusal("the mafia does not shoot at its own")
    pick_as_team(table, command)


def settle_shot(table: Table) -> None:
    """The one seat that all living mafia seats have picked is tonight's target; where they differ, nobody is.

    Nobody knows before the morning.
    """
    targets = {table.state.picks.get(seat) for seat in table.living_mafia()}
    table.state.target = targets.pop() if len(targets) == 1 else None


def answer(table: Table, seat: int, target: int, told: str) -> None:
    """What a check has found, told to who checked alone."""
    table.emit("answer", (seat,), {"seat": seat, "target": target, "answer": told})
