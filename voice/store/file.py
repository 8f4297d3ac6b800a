"""Look at a SQLite file before it is used: what is damaged is told, and left as it is."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAGIC = b"SQLite format 3\x00"


def damage(path: Path) -> str | None:
    """What is wrong with the database file at `path`, in a few words; None where it is sound, empty or absent.

    Opens read-only, so that a damaged file is never written to.
    """
    try:
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
        finally:
            connection.close()
    except sqlite3.Error as error:
        return f"is damaged: {error}"
    return None if answer == "ok" else f"is damaged: {str(answer).splitlines()[-1]}"
