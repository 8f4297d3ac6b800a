"""`voicetable bench path`."""

from __future__ import annotations

import asyncio
import sys

from voice.cli.json_file import seems_writable, write_json, write_with
from voice.cli.progress import Progress

DONE, FAILED, BAD_INPUT = 0, 1, 2


def run(
    *, listeners: int, tables: int, loss: float, lang: str, json_file: str | None, plot_file: str | None = None
) -> int:
    """Measure, print the table, write the JSON document and the plot; the exit status."""
    from voice.bench import path_plot, plot, report
    from voice.bench.path import BenchError, Load, measure
    from voice.player.door import DoorError
    from voice.player.session import SessionError

    if lang not in ("en", "ru"):
        print(f"bench path: --lang must be en or ru, not {lang!r}", file=sys.stderr)
        return BAD_INPUT
    if not seems_writable("bench path", json_file) or not seems_writable("bench path", plot_file, "--plot"):
        return BAD_INPUT
    if (refusal := plot.refusal(plot_file)) is not None:
        print(f"bench path: --plot: {refusal}", file=sys.stderr)
        return BAD_INPUT
    progress = Progress()
    try:
        rows, result = asyncio.run(measure(Load(tables, listeners, loss, lang), progress.say))
    except (BenchError, DoorError, SessionError) as why:
        print(f"bench path: {why}", file=sys.stderr)
        return FAILED
    finally:
        progress.end()
    title = f"bench path: {tables} tables, {listeners} listeners, {loss:g} % loss, {lang}"
    report.show(title, result)
    written = write_json("bench path", json_file, report.document("path", rows, result))
    drawn = write_with(lambda path: path_plot.write(path, title, result), "bench path", plot_file, "--plot")
    if not written or not drawn:
        return FAILED
    return DONE if not result["leaked_packets"] and not result["leaked_samples"] else FAILED
