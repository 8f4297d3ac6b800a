"""Look at a SQLite file before it is used: what is damaged or another program's is told, and left as it is."""

from __future__ import annotations

import sqlite3
import stat
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

MAGIC: Final = b"SQLite format 3\x00"
VERSIONS: Final = "alembic_version"  # the table that every database of ours has
DAMAGED: Final = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))


def damage(path: Path) -> str | None:
    """What is wrong with the database file at `path`, in a few words; None where it is sound, empty or absent.

    Opens read-only, so that a damaged file is never written to.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for
            return "is not a file"
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"can't be read: {error.strerror}"
    if not head:
        return None
    if head != MAGIC:
        return "is not a SQLite database"
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        finally:
            connection.close()
    except sqlite3.Error as error:
        damaged = error.sqlite_errorcode & 0xFF in DAMAGED  # the low byte is the kind, the rest says more of it
        return f"is damaged: {error}" if damaged else f"can't be read: {error}"
    if answer != "ok":
        return f"is damaged: {str(answer).splitlines()[-1]}"
    return "is another program's" if names and VERSIONS not in names else None
