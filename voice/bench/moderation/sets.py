"""Sets of labelled lines: one JSON object a line with `text`, `lang` and `label`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from moderation import CATEGORIES, LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LABELS: Final = (*CATEGORIES, "none", "any")
"""`any`: abuse without a category; it counts for flagged or not alone."""

LONGEST_BYTES: Final = 1 << 20

KINDS: Final = ("kind", "func", "source")
"""The first of these fields that a line has tells its kind."""


class SetError(ValueError):
    """A set can't be read, or holds a line that is not a labelled one; the message names it."""


def read_set(path: Path) -> list[dict[str, Any]]:
    """The labelled lines of one file, in order; empty lines are passed over. Raises SetError."""
    rows = []
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST_BYTES + 1), b""), start=1):
                if len(line) > LONGEST_BYTES:
                    raise SetError(f"{path}, line {number}: expected a line of at most {LONGEST_BYTES} bytes")
                if line.strip():
                    rows.append(_row(line, f"{path}, line {number}"))
    except OSError as error:
        raise SetError(f"{path}: {error.strerror or type(error).__name__}") from error
    if not rows:
        raise SetError(f"{path}: expected labelled lines, got none")
    return rows


def _row(line: bytes, where: str) -> dict[str, Any]:
    try:
        row: dict[str, Any] = json.loads(line)
        known = row["lang"] in LANGUAGES and row["label"] in LABELS and isinstance(row["text"], str)
    except (ValueError, KeyError, TypeError, RecursionError):
        row, known = {}, False
    if not known:
        raise SetError(
            f"{where}: expected a JSON object with text, lang ({', '.join(LANGUAGES)}) and label ({', '.join(LABELS)})"
        )
    return row


def kind_of(row: Mapping[str, Any]) -> str:
    """What kind of line it is, as its set says; "" where it does not."""
    for name in KINDS:
        if isinstance(row.get(name), str) and row[name]:
            return str(row[name]).encode("utf-8", "backslashreplace").decode()
    return ""
