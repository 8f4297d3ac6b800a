"""A log of events as `voicetable replay` prints it, read back: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeAlias

from engine.commands import is_whole
from engine.errors import GameError, shown
from engine.events import Event

Fits: TypeAlias = Callable[[object], bool]


LARGEST = 1e12
"""Beyond every time and every number of points."""


class LogError(GameError):
    """A log that is none, or that contradicts itself: one clear line that says where."""


def read_log(data: bytes) -> list[Event]:
    """The events of a log, one JSON object a line; empty lines are passed over.

    Raises:
        LogError: a line that is no event of the engine contract; the message has the line's number.
    """
    events: list[Event] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            try:
                events.append(event_of(_decoded(line)))
            except LogError as why:
                raise LogError(f"line {number}: {why}") from None
    if not events:
        raise LogError("no events: expected one JSON object a line")
    return events


def event_of(raw: object) -> Event:
    """One event from its stored form (`Event.to_json`).

    Raises:
        LogError: it is not of the form that the engine contract gives it.
    """
    if not isinstance(raw, dict):
        raise LogError(f"expected an event, not {shown(raw)}")
    t, name, to = raw.get("t"), raw.get("event"), raw.get("to")
    form = FORMS.get(name) if isinstance(name, str) else None
    if form is None:
        raise LogError(f"unknown event {shown(name)}" if "event" in raw else "an event without 'event'")
    if not (_number(t) and isinstance(t, int | float) and t >= 0):
        raise LogError(f"{name!r}: 't' must be a table time in seconds, not {shown(t)}")
    if to != "all" and not _seats(to):
        raise LogError(f"{name!r}: 'to' must be \"all\" or a list of seats, not {shown(to)}")
    fields = {key: value for key, value in raw.items() if key not in ("t", "event", "to")}
    for key, (fits, needed) in form.items():
        if key not in fields:
            if needed:
                raise LogError(f"{name!r} needs {key!r}")
        elif not fits(fields[key]):
            raise LogError(f"{name!r}: {key!r} can't be {shown(fields[key])}")
    return Event(float(t), str(name), "all" if to == "all" else tuple(_listed(to)), fields)


def _decoded(line: bytes) -> object:
    try:
        value: object = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError as why:
        raise LogError(f"not UTF-8: byte {why.start} is 0x{line[why.start]:02x}") from None
    except RecursionError:
        raise LogError("not an event: nested too deeply") from None
    except LogError:
        raise
    except ValueError as why:
        raise LogError(f"not JSON: {why}".replace("\n", " ")) from None
    return value


def _no_constant(name: str) -> NoReturn:
    raise LogError(f"not JSON: {name} is no number")


def _listed(value: Any) -> list[int]:
    return list(value)


def _seat(value: object) -> bool:
    return is_whole(value) and 1 <= value <= 99


_SEAT_NAMES = frozenset(map(str, range(1, 100)))


def _count(value: object) -> bool:
    return is_whole(value) and 0 <= value <= 1_000_000


def _number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= LARGEST  # not so for NaN; a huge whole number is compared exactly


def _text(value: object) -> bool:
    return isinstance(value, str)


def _truth(value: object) -> bool:
    return isinstance(value, bool)


def _line(value: object) -> bool:
    return is_whole(value) or isinstance(value, str)


def _seats(value: object) -> bool:
    return isinstance(value, list | tuple) and all(_seat(each) for each in value)


def _sentence(value: object) -> bool:
    return isinstance(value, list | tuple) and all(_line(each) for each in value)


def _or_null(fits: Fits) -> Fits:
    return lambda value: value is None or fits(value)


def _map_to(fits: Fits) -> Fits:
    def is_map(value: object) -> bool:
        if not isinstance(value, Mapping):
            return False
        return all(key in _SEAT_NAMES and fits(each) for key, each in value.items())

    return is_map


def _one_of(*words: str) -> Fits:
    return lambda value: isinstance(value, str) and value in words


Form: TypeAlias = Mapping[str, tuple[Fits, bool]]


def _form(optional: Mapping[str, Fits] | None = None, **needed: Fits) -> Form:
    return {**{key: (fits, True) for key, fits in needed.items()},
            **{key: (fits, False) for key, fits in (optional or {}).items()}}  # fmt: skip


FORMS: Mapping[str, Form] = {
    "dealt": _form({"team": _seats}, seat=_seat, card=_text),
    "night": _form(number=_count),
    "day": _form(number=_count),
    "phase": _form({"seat": _seat, "round": _count}, name=_text, ends=_or_null(_number)),
    "mic": _form(seats=_seats),
    "order": _form(seats=_seats, by=_text),
    "pick": _form(seat=_seat, target=_seat),
    "answer": _form(
        seat=_seat, target=_seat, answer=_one_of("red", "black", "sheriff", "not_sheriff", "mafia", "not_mafia")
    ),
    "morning": _form(killed=_or_null(_seat)),
    "nominated": _form(seat=_seat, by=_seat),
    "floor": _form(seat=_seat, until=_number),
    "votes": _form(round=_count, votes=_map_to(_or_null(_seat))),
    "tie": _form(seats=_seats),
    "lifted": _form(votes=_map_to(_truth), leave=_truth),
    "left": _form({"card": _text}, seat=_seat, how=_one_of("shot", "vote", "lift", "removal")),
    "best_move": _form(seat=_seat, seats=_seats),
    "signed": _form(seat=_seat, sentence=_sentence),
    "said": _form({"target": _or_null(_seat), "card": _or_null(_text)}, seat=_seat, kind=_text),
    "warned": _form(seat=_seat, category=_or_null(_text), line=_line),
    "fouled": _form({"category": _or_null(_text)}, seat=_seat, fouls=_count, why=_text),
    "held": _form(seat=_seat, line=_line, category=_or_null(_text)),
    "kept": _form(seat=_seat, line=_line, category=_or_null(_text)),
    "reported": _form(seat=_seat, target=_seat, line=_line),
    "cleared": _form(seat=_seat, line=_line, fouls=_count),
    "vote_cancelled": _form(day=_count),
    "away": _form(seat=_seat, until=_number),
    "back": _form(seat=_seat),
    "bot": _form(seat=_seat),
    "decided": _form(winner=_one_of("town", "mafia", "draw")),
    "over": _form({"points": _map_to(_number)}, winner=_one_of("town", "mafia", "draw"), cards=_map_to(_text)),
    "abandoned": _form(by=_or_null(_seat)),
    "refused": _form({"seat": _seat, "do": _text}, why=_text),
}
"""The fields of every event, after the contract: what each may hold, and whether it must be there."""


def events_of(log: Iterable[Event | Mapping[str, object]]) -> list[Event]:
    """Events as they are, or in their stored form.

    Raises:
        LogError: one that is no event; the message has its place, counted from 1.
    """
    events: list[Event] = []
    for number, each in enumerate(log, start=1):
        try:
            events.append(event_of(each.to_json() if isinstance(each, Event) else dict(each)))
        except LogError as why:
            raise LogError(f"event {number}: {why}") from None
    return events
