"""What people are told of the rules: those that this server can play, and those that a table plays by."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from engine import GameError
from engine.code import code_of
from engine.numbers import limits, listed, read
from engine.rulesets import names, ruleset

if TYPE_CHECKING:
    from collections.abc import Mapping

    from voice.table.records import Json


@dataclass(frozen=True, slots=True)
class TableRules:
    """One ruleset with its options.

    code: the short code. numbers: the table of numbers. deck: how many there are of each card, which every player
    may know. stoppable: the players may stop the game.
    """

    code: str = ""
    numbers: Json = field(default_factory=dict)
    deck: dict[str, int] = field(default_factory=dict)
    stoppable: bool = False


def rules_of(name: str, options: Mapping[str, object]) -> TableRules:
    """The rules of a table. Raises GameError for an unknown ruleset or bad options."""
    rules = ruleset(name)
    numbers = read(rules.numbers_type, options)
    return TableRules(code_of(name, numbers), listed(numbers), dict(Counter(rules.deck(numbers))), rules.stoppable)


def rules_or_none(name: str, options: Mapping[str, object]) -> TableRules:
    """The same for a stored table; without any where this version does not have its rules."""
    try:
        return rules_of(name, options)
    except GameError:
        return TableRules()


def offered() -> list[Json]:
    """What a new table can play, in the order to offer it: name, code, seats, and the options that are yes or no."""
    return [_offer(name) for name in names()]


def _offer(name: str) -> Json:
    table = ruleset(name).numbers_type
    rules = rules_of(name, {})
    seats = limits(table, "seats")
    assert seats is not None, "seats are a number"
    least, most = (int(edge) for edge in seats)
    flags = [entry.name for entry in fields(table) if limits(table, entry.name) is None]
    return {
        "name": name,
        "code": rules.code,
        "seats": {"least": least, "most": most, "default": rules.numbers["seats"]},
        "flags": flags,
        "stoppable": rules.stoppable,
    }
