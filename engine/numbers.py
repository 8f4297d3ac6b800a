"""A ruleset's table of numbers: what a field may hold, and how options replace its defaults."""

from __future__ import annotations

import math
from dataclasses import Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Self, TypeVar

from engine.errors import GameError, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_S = 1_000_000.0
MOST_POINTS = 1_000_000.0


@dataclass(frozen=True, slots=True)
class _Range:
    low: float
    high: float
    whole: bool


def whole(default: int, low: int, high: int) -> Any:
    """A field that holds a whole number from `low` to `high`."""
    return field(default=default, metadata={"range": _Range(low, high, whole=True)})


def seconds(default: float) -> Any:
    """A field that holds a length of time, in seconds."""
    return field(default=float(default), metadata={"range": _Range(0.0, LONGEST_S, whole=False)})


def points(default: float) -> Any:
    """A field that holds points, which may be below nought."""
    return field(default=float(default), metadata={"range": _Range(-MOST_POINTS, MOST_POINTS, whole=False)})


def flag(default: bool) -> Any:
    """A field that is true or false."""
    return field(default=default, metadata={"range": None})


@dataclass(frozen=True, slots=True)
class Numbers:
    """What every ruleset's table of numbers has. A ruleset's own table adds to it."""

    seats: int
    away_s: float = seconds(120)

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        """The table itself: it never changes, so copies of a game share it."""
        return self


@dataclass(frozen=True, slots=True)
class SigningNumbers(Numbers):
    """The numbers of a ruleset with hand signs."""

    signs_per_speech: int = whole(3, 0, 1000)
    signs_per_sentence: int = whole(5, 1, 100)


@dataclass(frozen=True, slots=True)
class FloorNumbers(Numbers):
    """The numbers of a ruleset in which the floor can be held."""

    floor_s: float = seconds(30)


N = TypeVar("N", bound=Numbers)


def read(table: type[N], options: Mapping[str, object]) -> N:
    """The table of numbers with `options` in place of its defaults.

    Raises:
        GameError: an option that the table does not have, or a value its field may not hold.
    """
    known = {entry.name: entry for entry in fields(table)}
    values: dict[str, Any] = {}
    for name, value in options.items():
        if name not in known:
            raise GameError(f"unknown option {shown(name)}: expected one of {', '.join(known)}")
        values[name] = _value(known[name], value)
    return table(**values)


def _value(entry: Field[Any], value: object) -> object:
    allowed: _Range | None = entry.metadata["range"]
    if allowed is None:
        if isinstance(value, bool):
            return value
        raise GameError(f"option {entry.name!r}: expected true or false, not {shown(value)}")
    if isinstance(value, int if allowed.whole else int | float) and not isinstance(value, bool):
        assert isinstance(value, int | float)
        # Infinity and NaN fail the comparison; a huge whole number is compared exactly.
        if allowed.low <= value <= allowed.high:
            return value if allowed.whole else float(value) + 0.0
    kind = "a whole number" if allowed.whole else "a number"
    low, high = (format(edge, "g") for edge in (allowed.low, allowed.high))
    only = f"{kind} from {low} to {high}" if allowed.low < allowed.high else low
    raise GameError(f"option {entry.name!r}: expected {only}, not {shown(value)}")


def limits(table: type[Numbers], name: str) -> tuple[float, float] | None:
    """The lowest and the highest value that the field `name` may hold; None for one that is true or false.

    Raises:
        KeyError: the table has no such field.
    """
    entry = {entry.name: entry for entry in fields(table)}[name]
    allowed: _Range | None = entry.metadata["range"]
    return None if allowed is None else (allowed.low, allowed.high)


def listed(numbers: Numbers) -> dict[str, object]:
    """The table as a JSON object, for a rules page or a client."""
    table: dict[str, object] = {entry.name: getattr(numbers, entry.name) for entry in fields(numbers)}
    assert all(math.isfinite(value) for value in table.values() if isinstance(value, float))
    return table
