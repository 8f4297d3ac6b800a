"""A game in a server's database, read without writing to it: the server may be at work on it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from engine.review import SpokenLine
from engine.review.log import event_of
from voice.review.source import Source, SourceError
from voice.store import StoreError
from voice.store.file import damage
from voice.store.store import BUSY_MS, LogRow, sqlite_path
from voice.table.names import bot_name
from voice.table.play import refold
from voice.table.records import Entry, LogCorruptError, Spoken, Started, from_row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def find_stored(game: str, database: str) -> Source:
    """The game of the table with the id `game`, in the database at the address `sqlite:///PATH`.

    Its log is folded again, so that what is exported is what its inputs give.

    Raises:
        SourceError: no database, no such table, a game that has not begun, or a log that is damaged.
    """
    try:
        path = sqlite_path(database)
    except StoreError as why:
        raise SourceError(str(why)) from None
    if not path.exists():
        raise SourceError(f"there is no such file, and no database {path} in which it could be a game's id")
    wrong = damage(path)
    if wrong is not None:
        raise SourceError(f"the database {path} {wrong}")
    try:
        table, people, rows = _read(path, game)
    except sqlite3.Error as why:
        raise SourceError(f"the database {path} can't be read: {str(why).splitlines()[0]}") from None
    if table is None:
        raise SourceError(f"there is no such file, and no game of that id in the database {path}")
    if not rows:
        raise SourceError("this game has not begun: its cards are not dealt")
    try:
        entries = [from_row(row, number) for number, row in enumerate(rows, start=1)]
        refold(entries, lambda _play, _items: None)
    except LogCorruptError as why:
        raise SourceError(f"its log is damaged: {why}") from None
    return _source(table, people, entries)


def _read(path: Path, game: str) -> tuple[dict[str, Any] | None, dict[str, str], list[LogRow]]:
    """The table's row, the names of its people, and its log, as they are at one moment."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        connection.execute("BEGIN")
        found = connection.execute("SELECT id, name, lang FROM tables WHERE id = ?", (game,)).fetchone()
        if found is None:
            return None, {}, []
        people = connection.execute('SELECT id, name FROM people WHERE "table" = ?', (game,)).fetchall()
        log = connection.execute(
            'SELECT number, t, kind, body FROM log WHERE "table" = ? ORDER BY number', (game,)
        ).fetchall()
    table = dict(zip(("id", "name", "lang"), found, strict=True))
    return table, {str(person): str(name) for person, name in people}, [LogRow(*row) for row in log]


def _source(table: Mapping[str, Any], people: Mapping[str, str], entries: Sequence[Entry]) -> Source:
    started = entries[0].body
    assert isinstance(started, Started)  # `refold` has seen to it
    lang = str(table["lang"])
    seats = range(1, len(started.seats) + len(started.bots) + 1)
    return Source(
        events=[event_of(event) for entry in entries for event in getattr(entry.body, "events", ())],
        ruleset=started.ruleset,
        options=started.options,
        # A line without words has lost them to its age.
        lines=[_line(entry.body) for entry in entries if isinstance(entry.body, Spoken) and entry.body.text],
        names={seat: people.get(started.seats.get(seat, ""), bot_name(seat, lang)) for seat in seats},
        table=table,
    )


def _line(line: Spoken) -> SpokenLine:
    return SpokenLine(line.line, line.seat, line.text, line.start, line.end, line.by)
