"""The nights: agreement, shot, checks, and the morning after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import night
from engine.errors import Refusal
from engine.rulesets.sport import owed, removal
from engine.rulesets.sport.state import numbers, sport

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table


def begin_agreement(table: Table) -> None:
    """Night 1: nobody is shot, nobody checked."""
    night.call(table)
    table.begin("agreement")


def begin_night(table: Table) -> None:
    """A shooting night."""
    night.call(table)
    night.begin(table, "shot")


def order(table: Table, command: Command) -> None:
    """The don names the order of the shots; the last one given stands."""
    seats = list(command.seats)
    if table.card(command.seat) != "don":
        raise Refusal("the don gives the order")
    if not seats or len(set(seats)) < len(seats) or not all(table.is_living(seat) for seat in seats):
        raise Refusal("an order names different living seats")
    _give_order(table, seats, "don")


def _give_order(table: Table, seats: list[int], by: str) -> None:
    sport(table).order = seats
    table.emit("order", table.state.mafia, {"seats": list(seats), "by": by})


def ok(table: Table, command: Command) -> None:
    """ "Understood": ends the agreement where every other black seat is a bot."""
    if not table.is_mafia(command.seat):
        raise Refusal("only the black seats agree")
    if all(seat in table.state.bots for seat in table.state.mafia if seat != command.seat):
        table.end_phase()


def agreement_ended(table: Table) -> None:
    """Where the don gave no order, one is drawn by lot from all living seats."""
    if not sport(table).order:
        _give_order(table, table.state.stream.shuffled(table.state.living), "lot")
    _morning(table)


def shoot(table: Table, command: Command) -> None:
    """A living black seat shoots at any living seat, its own and its team's included."""
    night.by_mafia(table, command)
    night.pick_alone(table, command)


def shot_ended(table: Table) -> None:
    """One seat picked by all living black seats is killed, but nobody knows before the morning."""
    night.settle_shot(table)
    night.begin(table, "don_check")


def don_check(table: Table, command: Command) -> None:
    """The don looks for the sheriff: not in the own team, not where he has looked before."""
    night.by_card(table, command, "don")
    if table.is_mafia(command.target):
        raise Refusal("the don does not check the own team")
    if command.target in sport(table).checked:
        raise Refusal("this seat was checked already")
    night.pick_alone(table, command)


def sheriff_check(table: Table, command: Command) -> None:
    """The sheriff asks for a seat's colour, also again."""
    night.by_card(table, command, "sheriff")
    if command.target == command.seat:
        raise Refusal("the sheriff does not check himself")
    night.pick_alone(table, command)


def don_check_ended(table: Table) -> None:
    """The don learns whether the seat is the sheriff."""
    for seat, target in table.state.picks.items():
        sport(table).checked.add(target)
        night.answer(table, seat, target, "sheriff" if table.card(target) == "sheriff" else "not_sheriff")
    night.begin(table, "sheriff_check")


def sheriff_check_ended(table: Table) -> None:
    """The sheriff learns the seat's colour, and the night is over."""
    for seat, target in table.state.picks.items():
        night.answer(table, seat, target, "black" if table.is_mafia(target) else "red")
    _morning(table)


def _morning(table: Table) -> None:
    """Removals first, then the shot, the result, and what the killed seat is owed."""
    state, own = table.state, sport(table)
    shooting = state.night > 1
    if shooting:
        own.idle_nights += 1
    if removal.remove_waiting(table) and table.decide():
        table.finish()
        return
    if not shooting:
        table.turn("day")
        return
    killed = state.target if state.target is not None and table.is_living(state.target) else None
    table.emit("morning", "all", {"killed": killed})
    if killed is not None:
        table.leave(killed, "shot")
        if state.night == 2 and own.day_1_leavers < numbers(table).best_move_barred_leavers:
            own.owed.append(("best_move", killed))
        own.owed.append(("last_word", killed))
    table.decide()
    owed.pay(table, then="day")
