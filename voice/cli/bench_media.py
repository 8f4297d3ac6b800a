"""`voicetable bench media`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from voice.cli.json_file import seems_writable, write_json, write_with
from voice.cli.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DONE, FAILED, BAD_INPUT = 0, 1, 2


def run(
    *,
    tables: int,
    listeners: int,
    seconds: float,
    only: str | None,
    json_file: str | None,
    plot_file: str | None,
    browser: bool | None = None,
) -> int:
    """Measure, print the tables, write the JSON document and the plot; the exit status."""
    from voice.bench import media_page, media_plot, plot, report
    from voice.bench.media import MORE_WAYS, WAYS, Load, measure
    from voice.bench.media_process import BenchError

    ways = WAYS if only is None else tuple(part.strip() for part in only.split(",") if part.strip())
    if not ways or (unknown := [way for way in ways if way not in (*WAYS, *MORE_WAYS)]):
        named = ", ".join(unknown) if ways else "nothing"
        print(f"bench media: --only takes {', '.join((*WAYS, *MORE_WAYS))}, not {named}", file=sys.stderr)
        return BAD_INPUT
    if not seems_writable("bench media", json_file) or not seems_writable("bench media", plot_file, "--plot"):
        return BAD_INPUT
    if (refusal := plot.refusal(plot_file)) is not None:
        print(f"bench media: --plot: {refusal}", file=sys.stderr)
        return BAD_INPUT
    no_page = media_page.missing()
    if browser and no_page is not None:
        print(f"bench media: --browser: {no_page}", file=sys.stderr)
        return BAD_INPUT
    if not sys.platform.startswith("linux"):
        print("bench media: it reads Linux's clocks of arrival, and this is another system", file=sys.stderr)
        return FAILED
    if browser is None and no_page is not None:
        print(f"bench media: concealed samples are not measured: {no_page}", file=sys.stderr)
    page = no_page is None and browser is not False
    progress = Progress()
    try:
        rows, result = measure(Load(tables, listeners, seconds, ways, page), progress.say)
    except BenchError as why:
        print(f"bench media: {why}", file=sys.stderr)
        return FAILED
    finally:
        progress.end()
    _show(rows)
    report.show(f"bench media: {tables} tables, {listeners} listeners", result)
    written = write_json("bench media", json_file, report.document("media", rows, result))
    drawn = write_with(lambda path: media_plot.write(path, rows), "bench media", plot_file, "--plot")
    return DONE if written and drawn and not result["leaked_packets"] else FAILED


def _show(rows: Sequence[Mapping[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    from voice.bench import media_page

    table = Table("way", "tables", "live", "CPU ms/s a table", "added ms p50", "p95", "p99", "MB a table", "leaked")
    for row in rows:
        added = row["added_ms"] or {}
        table.add_row(
            row["way"],
            str(row["tables"]),
            str(row["live"]),
            f"{row['cpu_s_per_table_s'] * 1000:.2f}",
            *(_figure(added.get(part)) for part in ("p50", "p95", "p99")),
            _figure(row["rss_mb_per_table"]),
            _figure(row["leaked_packets"]),
        )
    Console().print(table)
    heard = [row for row in rows if row["concealed"] is not None]
    if heard:
        table = Table("concealed in Chromium", "one speaker", "speakers that change", "nobody speaks")
        for row in heard:
            table.add_row(row["way"], *(_share(row["concealed"].get(part)) for part in media_page.PARTS))
        Console().print(table)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _share(heard: Mapping[str, int] | None) -> str:
    return "-" if heard is None else f"{100 * heard['concealed'] / max(1, heard['samples']):.2f} %"
