"""`voicetable bench path`."""

from __future__ import annotations

import asyncio
import sys

from voice.cli.json_file import seems_writable, write_json
from voice.cli.progress import Progress

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
    if not seems_writable("bench path", json_file):
        return BAD_INPUT
    progress = Progress()
    try:
        rows, result = asyncio.run(measure(Load(tables, listeners, loss, lang), progress.say))
    except (BenchError, DoorError, SessionError) as why:
        print(f"bench path: {why}", file=sys.stderr)
        return FAILED
    finally:
        progress.end()
    report.show(f"bench path: {tables} tables, {listeners} listeners, {loss:g} % loss, {lang}", result)
    if not write_json("bench path", json_file, report.document("path", rows, result)):
        return FAILED
    return DONE if not result["leaked_packets"] and not result["leaked_samples"] else FAILED
