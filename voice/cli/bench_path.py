"""`voicetable bench path`."""

from __future__ import annotations

import asyncio
import sys

DONE, FAILED, BAD_INPUT = 0, 1, 2


def run(*, listeners: int, tables: int, loss: float, lang: str, json_file: str | None) -> int:
    """Measure, print the table, write the JSON document; the exit status."""
    from voice.bench import report
    from voice.bench.path import BenchError, Load, measure
    from voice.player.door import DoorError
    from voice.player.session import SessionError

    if lang not in ("en", "ru"):
        print(f"bench path: --lang must be en or ru, not {lang!r}", file=sys.stderr)
        return BAD_INPUT
    if json_file is not None and (why_not := report.unwritable(json_file)) is not None:
        print(f"bench path: --json: cannot write {json_file!r}: {why_not}", file=sys.stderr)
        return BAD_INPUT
    try:
        rows, result = asyncio.run(measure(Load(tables, listeners, loss, lang), _progress))
    except (BenchError, DoorError, SessionError) as why:
        print(f"bench path: {why}", file=sys.stderr)
        return FAILED
    document = report.document("path", rows, result)
    report.show(f"bench path: {tables} tables, {listeners} listeners, {loss:g} % loss, {lang}", result)
    if json_file is not None:
        try:
            report.write(json_file, document)
        except OSError as why:
            print(f"bench path: --json: cannot write {json_file!r}: {why.strerror}", file=sys.stderr)
            return BAD_INPUT
    return DONE if not result["leaked_packets"] and not result["leaked_samples"] else FAILED


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
