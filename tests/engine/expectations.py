"""How a scenario's expectations are matched with the events of its game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]


def same(a: object, b: object) -> bool:
    """Equality of JSON values: numbers by value, true and false never numbers."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) < 1e-6
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and a == b


def fits(partial: Json, event: Json) -> bool:
    """Whether `event` has what `partial` says; a null there also stands for a field that is left out."""
    for key, value in partial.items():
        if key not in event:
            if value is not None or key in ("killed", "ends"):
                return False
        elif not same(value, event[key]):
            return False
    return True


def check_expectations(scenario: Json, events: Sequence[Json]) -> None:
    """`expect` comes in this order among the events, `never` not at all, `last` is the last one."""
    rest = iter(events)
    for number, partial in enumerate(scenario.get("expect", [])):
        assert any(fits(partial, event) for event in rest), f"expectation {number} not met: {partial}"
    for partial in scenario.get("never", []):
        wrong = [event for event in events if fits(partial, event)]
        assert not wrong, f"must not be: {wrong[0]} (never {partial})"
    if "last" in scenario:
        assert fits(scenario["last"], events[-1]), f"the last event is {events[-1]}"
