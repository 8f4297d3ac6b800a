"""Where a game to be exported comes from: a log of events, a scenario, or a server's database."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.review import SpokenLine, read_log
from engine.scenario import load, play

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.events import Event

LARGEST_BYTES = 64 << 20
STANDARD_INPUT = "-"


class SourceError(Exception):
    """There is no such game, or it can't be read: one clear line."""


@dataclass(frozen=True, slots=True)
class Source:
    """A game's log with what is known beside it.

    ruleset, options: what it was started with; None where only the events are known. lines: what was said, and names:
    of the seats, where a server has kept them. table: the server's own words on the table, such as its id and name.
    """

    events: Sequence[Event]
    ruleset: str | None = None
    options: Mapping[str, object] | None = None
    lines: Sequence[SpokenLine] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    table: Mapping[str, Any] | None = None


def find(game: str, database: str | None) -> Source:
    """The game called `game`: `-` for standard input, else a file, else the id of a table in the database.

    database: its address; None for none to look in.

    Raises:
        SourceError, LogError: there is no such game, or it can't be read.
        GameError: a scenario that is not valid.
    """
    if game == STANDARD_INPUT:
        return _read(sys.stdin.buffer.read(LARGEST_BYTES + 1))
    path = Path(game)
    try:
        there = path.exists()
    except (OSError, ValueError):  # a name too long, or with a nought in it, is no file's
        there = False
    if there:
        try:
            with path.open("rb") as file:
                data = file.read(LARGEST_BYTES + 1)
        except OSError as why:
            raise SourceError(why.strerror or type(why).__name__) from None
        return _read(data)
    if database is None or not _is_id(game):
        raise SourceError("there is no such file, and it is no id of a game")
    from voice.review.stored import find_stored

    return find_stored(game, database)


def _is_id(game: str) -> bool:
    return 0 < len(game) <= 32 and game.isascii() and game.replace("-", "").replace("_", "").isalnum()


def _read(data: bytes) -> Source:
    """A scenario where it is one JSON object over all, else a log with one event a line."""
    if len(data) > LARGEST_BYTES:
        raise SourceError(f"expected a log of at most {LARGEST_BYTES} bytes")
    if not data.strip():
        raise SourceError("expected a log, one JSON object a line, or a scenario; it is empty")
    options = _scenario_options(data)
    if options is None:
        return Source(read_log(data))
    scenario = load(data)
    ruleset = scenario.game.state.ruleset
    return Source(play(scenario), ruleset, options)


def _scenario_options(data: bytes) -> Mapping[str, object] | None:
    """The options of a scenario; None where `data` is none: not one JSON object over all, or an event."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(whole, dict) or "event" in whole:
        return None
    options = whole.get("options", {})
    return options if isinstance(options, dict) else {}
