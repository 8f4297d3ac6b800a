"""`voicetable export GAME`: a game's review as JSON, CSV, or a protocol sheet in PDF."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import GameError
from engine.rulebook import LANGS

if TYPE_CHECKING:
    from engine.rulebook.rule import Lang
    from voice.review.head import Head
    from voice.review.source import Source

DONE, BAD_INPUT = 0, 2
FORMATS = ("json", "csv", "pdf")


def run(
    game: str,
    format: str,  # noqa: A002 - the option's name
    db: str | None = None,
    data: str | None = None,
    out: str | None = None,
    lang: str = "en",
    tournament: str = "",
    stage: str = "",
    date: str = "",
    table_no: str = "",
    game_no: str = "",
    judge: str = "",
) -> int:
    """Writes the game's protocol to `out`, or to standard output.

    game: a file with a log of events or a scenario, `-` for standard input, or the id of a game in the database.
    Returns the exit status: 2, and one line on standard error, for what can't be found, read, or put on a sheet; then
    nothing was written.
    """
    chosen = next((each for each in LANGS if each == lang), None)
    if chosen is None:
        return _bad(f"--lang: expected one of {', '.join(LANGS)}, got {lang!a}")
    if format not in FORMATS:
        return _bad(f"--format: expected one of {', '.join(FORMATS)}, got {format!a}")
    if format == "pdf" and out is None and sys.stdout.isatty():
        return _bad("a PDF is not for a terminal: expected --out FILE, or standard output led to a file or a program")
    from voice.review.head import Head
    from voice.review.source import SourceError, find

    head = Head(tournament, stage, date, table_no, game_no, judge)
    try:
        source = find(game, _database(db, data))
        content = _written(source, format, head, chosen)
    except (SourceError, GameError) as why:
        return _bad(f"{_name(game)}: {why}")
    return _put(content, out)


def _written(source: Source, format: str, head: Head, lang: Lang) -> bytes:  # noqa: A002 - as in `run`
    from engine.review import document, review

    own = review(source.events, ruleset=source.ruleset, options=source.options, lines=source.lines)
    if format == "json":
        whole = document(own, lang, source.names) | {"sheet": _as_json(head), "table": source.table}
        text = json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
        return text.encode(errors="backslashreplace")  # half a surrogate pair becomes what JSON calls it
    if format == "csv":
        from voice.review.table_csv import csv_table

        return csv_table(own, source.names, lang).encode()
    from voice.review.sheet_pdf import pdf_sheet

    return pdf_sheet(own, source.names, head, lang)


def _as_json(head: Head) -> dict[str, str | None]:
    from dataclasses import asdict

    return {name: text or None for name, text in asdict(head).items()}


def _database(db: str | None, data: str | None) -> str:
    """Where `voicetable serve` with the same options and environment keeps its games."""
    if db is not None:
        return db
    if told := os.environ.get("VOICETABLE_DB"):
        return told
    folder = Path(data or os.environ.get("VOICETABLE_DATA") or "data")
    return f"sqlite:///{folder / 'voicetable.sqlite3'}"


def _put(content: bytes, out: str | None) -> int:
    if out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return DONE
    try:
        _replace(Path(out), content)
    except (OSError, ValueError) as why:
        text = why.strerror if isinstance(why, OSError) and why.strerror else type(why).__name__
        return _bad(f"--out {_name(out)}: {text}")
    return DONE


def _replace(path: Path, content: bytes) -> None:
    """Writes a file whole or not at all: an older protocol is not lost to a full disk."""
    if path.exists() and not path.is_file():  # a device or a pipe is written to as it is
        path.write_bytes(content)
        return
    handle, name = tempfile.mkstemp(dir=path.resolve().parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path.resolve())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _name(text: str) -> str:
    return text if text and text.isprintable() else ascii(text)


def _bad(why: str) -> int:
    line = " ".join(why.split())
    sys.stderr.write(f"{line if line.isprintable() else ascii(line)}\n")
    return BAD_INPUT
