"""What stands in a table's log: the inputs of its game with the events that came of each, and the lines spoken.

The inputs are the truth: folding them again gives the same events, which is checked (`voice.table.play.refold`).
Times are seconds of table time.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias, TypeGuard

import msgspec

from voice.store import LogRow

Json: TypeAlias = dict[str, Any]


class Started(msgspec.Struct, frozen=True, tag_field="kind", tag="started"):
    """The deal. `seats` has the person of each seat that a person holds; the rest are bots. `cards`: by seat, where
    they were given; else they came of the seed. `code`: that of the ruleset with its options; "" in a log of before
    there were codes."""

    ruleset: str
    options: Json
    seed: int
    seats: dict[int, str]
    bots: list[int]
    events: list[Json]
    cards: list[str] | None = None
    code: str = ""


class Passed(msgspec.Struct, frozen=True, tag_field="kind", tag="passed"):
    """Time went by, up to the entry's `t`, and something happened by itself."""

    events: list[Json]


class Commanded(msgspec.Struct, frozen=True, tag_field="kind", tag="command"):
    """A command that was accepted, in the engine's form (with `seat`)."""

    command: Json
    events: list[Json]


class Spoken(msgspec.Struct, frozen=True, tag_field="kind", tag="line"):
    """A final caption. `words`: text, start, end (table time), confidence 0..1. `by`: `voice` or `bot`."""

    line: str
    seat: int
    text: str
    start: float
    end: float
    by: str
    lang: str
    words: list[tuple[str, float, float, float]]


Body: TypeAlias = Started | Passed | Commanded | Spoken


class Entry(msgspec.Struct, frozen=True):
    """One numbered entry of the log."""

    number: int
    t: float
    body: Body


class LogCorruptError(Exception):
    """A stored log can't be read, or does not fold to what it says; the message has the entry's number."""


_decoder: msgspec.json.Decoder[Body] = msgspec.json.Decoder(Body)


def to_row(entry: Entry) -> LogRow:
    """As it is stored."""
    body = entry.body
    kind = str(body.__struct_config__.tag)
    return LogRow(entry.number, entry.t, kind, msgspec.json.encode(body).decode())


def from_row(row: LogRow, expected: int) -> Entry:
    """Read one stored entry. Raises LogCorruptError where its number is not `expected` or its body is no entry."""
    if row.number != expected:
        raise LogCorruptError(f"entry {expected} is missing (the next one is {row.number})")
    try:
        body = _decoder.decode(row.body)
    except msgspec.MsgspecError as error:
        raise LogCorruptError(f"entry {row.number} can't be read: {error}") from error
    if not is_time(row.t):
        raise LogCorruptError(f"entry {row.number} has no time")
    if body.__struct_config__.tag != row.kind:
        raise LogCorruptError(f"entry {row.number} says {row.kind!r} and holds another kind")
    return Entry(row.number, row.t, body)


def without_words(body: bytes) -> str:
    """A stored line as it is kept when its words are deleted; one that can't be read keeps nothing of what it held."""
    try:
        line = msgspec.json.decode(body, type=Spoken)
    except msgspec.MsgspecError:
        return "{}"
    return msgspec.json.encode(msgspec.structs.replace(line, text="", words=[])).decode()


def spoken_by(body: bytes) -> int | None:
    """The seat of a stored line; None for one that can't be read."""
    try:
        return msgspec.json.decode(body, type=Spoken).seat
    except msgspec.MsgspecError:
        return None


def is_time(value: object) -> TypeGuard[float]:
    """Whether what a database gave is a time: SQLite keeps anything in any column."""
    return isinstance(value, float) and math.isfinite(value)


def plain(value: Any) -> Any:
    """`value` as it comes back from JSON: what is stored and what is folded again compare equal."""
    return msgspec.json.decode(msgspec.json.encode(value))
