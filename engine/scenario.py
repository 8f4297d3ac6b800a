"""Scenario files: a game's start and what is done in it, as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from engine.commands import Malformed, is_whole, parse
from engine.errors import GameError, shown
from engine.game import Game

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.events import Event

UNTIL_LIMIT_S = 86_400.0
"""How much table time an `until` may let pass."""

EVENTS_LIMIT = 500_000
"""How many events a scenario may come to: a long wait at a table that nobody ends would fill the memory."""

_OF_CHECKERS = frozenset({"expect", "never", "last", "status", "says"})
_NEEDED = ("ruleset", "steps")
_OPTIONAL = ("options", "seed", "cards", "bots")


class ScenarioError(GameError):
    """A scenario that is not valid: one clear line that names what."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Lets `seconds` pass."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Until:
    """Lets time pass until a phase of that name, and of that seat where one is given, begins."""

    phase: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class Do:
    """Does a command; its form is known to be right."""

    command: Mapping[str, object]


Step: TypeAlias = Wait | Until | Do


@dataclass(frozen=True, slots=True)
class Scenario:
    """A checked scenario: the started game, what was said at its start, and the steps."""

    game: Game
    opening: list[Event]
    steps: list[Step]


def load(data: bytes) -> Scenario:
    """Reads a scenario file's bytes and starts its game.

    Raises:
        ScenarioError, GameError: whatever of it is not valid.
    """
    return check(_object(_decoded(data), "the scenario"))


def check(raw: Mapping[str, object]) -> Scenario:
    """The same for a scenario that is a JSON object already."""
    for key in raw:
        if key not in _NEEDED and key not in _OPTIONAL and key not in _OF_CHECKERS:
            raise ScenarioError(f"unknown key {shown(key)} in the scenario")
    for key in _NEEDED:
        if key not in raw:
            raise ScenarioError(f"the scenario needs {key!r}")
    ruleset, seed = raw["ruleset"], raw.get("seed", 0)
    if not isinstance(ruleset, str):
        raise ScenarioError(f"'ruleset' must be a name, not {shown(ruleset)}")
    if not is_whole(seed):
        raise ScenarioError(f"'seed' must be a whole number, not {shown(seed)}")
    cards = _names(raw["cards"]) if "cards" in raw else None
    bots = _seat_numbers(raw.get("bots", []))
    options = _object(raw.get("options", {}), "'options'")
    steps = _list(raw["steps"], "'steps'")
    game, opening = Game.start(ruleset, options, seed, cards, bots)
    seats = len(game.cards)
    return Scenario(game, opening, [_step(step, number, seats) for number, step in enumerate(steps, 1)])


def play(scenario: Scenario) -> list[Event]:
    """Plays a scenario to the time its last step reaches, and returns every event in order.

    Raises:
        ScenarioError: an `until` that does not come, times too large to add up, or more than `EVENTS_LIMIT` events.
    """
    game, events = scenario.game, list(scenario.opening)
    events += game.advance(game.now)
    for number, step in enumerate(scenario.steps, start=1):
        room = EVENTS_LIMIT - len(events)
        if isinstance(step, Do):
            events += game.command(step.command, game.now)
        elif isinstance(step, Until):
            events += _pass_until(game, step, number, room)
        elif math.isfinite(game.now + step.seconds):
            events += _pass(game, game.now + step.seconds, number, room)
        else:
            raise ScenarioError(f"step {number}: the waits add up to more than a number can hold")
    return events


def _pass(game: Game, to: float, number: int, room: int) -> list[Event]:
    """Lets time pass up to `to`, one due time after the other, so that it can be seen where there are too many."""
    events: list[Event] = []
    while (due := game.due) is not None and due <= to:
        events += game.advance(due)
        _check_room(events, number, room)
    return events + game.advance(to)


def _check_room(events: list[Event], number: int, room: int) -> None:
    if len(events) > room:
        raise ScenarioError(f"step {number}: the game comes to more than {EVENTS_LIMIT:,} events by then")


def _pass_until(game: Game, step: Until, number: int, room: int) -> Iterable[Event]:
    if game.phase.name == step.phase and step.seat in (None, game.phase.seat):
        return []
    events: list[Event] = []
    limit = game.now + UNTIL_LIMIT_S
    while (due := game.due) is not None and due <= limit:
        happened = game.advance(due)
        events += happened
        begun = [event.fields for event in happened if event.name == "phase"]
        if any(it["name"] == step.phase and step.seat in (None, it.get("seat")) for it in begun):
            return events
        _check_room(events, number, room)
    wanted = step.phase if step.seat is None else f"{step.phase} of seat {step.seat}"
    raise ScenarioError(f"step {number}: no phase {shown(wanted)} came within {UNTIL_LIMIT_S:g} s")


def _step(raw: object, number: int, seats: int) -> Step:
    step = _object(raw, f"step {number}")
    kinds = [kind for kind in ("do", "wait", "until") if kind in step]
    if len(kinds) != 1:
        raise ScenarioError(f"step {number}: needs one of 'do', 'wait' and 'until': {shown(step)}")
    if kinds == ["do"]:
        try:
            parse(step, seats)
        except Malformed as why:
            raise ScenarioError(f"step {number}: {why}") from None
        return Do(step)
    allowed = ("wait",) if kinds == ["wait"] else ("until", "seat")
    for key in step:
        if key not in allowed:
            raise ScenarioError(f"step {number}: unknown key {shown(key)}")
    return _wait(step["wait"], number) if kinds == ["wait"] else _until(step, number, seats)


def _wait(seconds: object, number: int) -> Wait:
    if isinstance(seconds, int | float) and not isinstance(seconds, bool):
        try:
            length = float(seconds)
        except OverflowError:
            length = math.inf
        if 0 <= length < math.inf:
            return Wait(length)
    raise ScenarioError(f"step {number}: 'wait' must be seconds, nought or more, not {shown(seconds)}")


def _until(step: Mapping[str, object], number: int, seats: int) -> Until:
    phase, seat = step["until"], step.get("seat")
    if not isinstance(phase, str):
        raise ScenarioError(f"step {number}: 'until' must be a phase's name, not {shown(phase)}")
    if "seat" not in step:
        return Until(phase, None)
    if not is_whole(seat):
        raise ScenarioError(f"step {number}: 'seat' must be a seat number, not {shown(seat)}")
    if not 1 <= seat <= seats:
        raise ScenarioError(f"step {number}: there is no seat {shown(seat)} at this table of {seats}")
    return Until(phase, seat)


def _names(value: object) -> list[str]:
    names: list[str] = []
    for card in _list(value, "'cards'"):
        if not isinstance(card, str):
            raise ScenarioError(f"'cards' must be names of cards, not {shown(card)}")
        names.append(card)
    return names


def _seat_numbers(value: object) -> list[int]:
    numbers: list[int] = []
    for seat in _list(value, "'bots'"):
        if not is_whole(seat):
            raise ScenarioError(f"'bots' must be seat numbers, not {shown(seat)}")
        numbers.append(seat)
    return numbers


def _object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ScenarioError(f"{what} must be a JSON object, not {shown(value)}")
    return value


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise ScenarioError(f"{what} must be a list, not {shown(value)}")
    return value


def _decoded(data: bytes) -> object:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as why:
        raise ScenarioError(f"not UTF-8: byte {why.start} is 0x{data[why.start]:02x}") from None
    if text.startswith("\ufeff"):
        raise ScenarioError("not JSON: a byte order mark stands before it; save the file without one")
    try:
        value: object = json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_constant)
    except ScenarioError:
        raise
    except RecursionError:
        raise ScenarioError("not a scenario: nested too deeply") from None
    except json.JSONDecodeError as why:
        raise ScenarioError(f"not JSON: {why}".replace("\n", " ")) from None
    except ValueError:  # the one thing else that Python's reader refuses
        raise ScenarioError("not JSON: a whole number of thousands of digits") from None
    return value


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ScenarioError(f"key {shown(twice)} stands twice in one object")
    return made


def _no_constant(name: str) -> NoReturn:
    raise ScenarioError(f"not JSON: {name} is no number")
