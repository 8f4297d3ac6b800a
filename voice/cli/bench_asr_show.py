"""What `voicetable bench asr` shows: a progress bar while it measures, tables when it has."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from voice.bench.asr.compare import FIGURES, alone, differences, pairs
from voice.bench.asr.row import beside, ratios
from voice.bench.asr.setup import FIXED, OURS, row_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType


class Bar:
    """The progress bar; shows nothing where standard error is no terminal."""

    def __init__(self, seconds: float) -> None:
        """seconds: how long all rows play."""
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(),
            console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty(),
        )  # fmt: skip
        self._task = self._progress.add_task("", total=seconds)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def row(self, number: int, of: int, name: str) -> None:
        """See Teller."""
        self._progress.update(self._task, description=f"row {number} of {of}: {name}")

    def played(self, seconds: float) -> None:
        """See Teller."""
        self._progress.advance(self._task, seconds)


def show(rows: Sequence[Mapping[str, Any]], machine: Mapping[str, Any]) -> None:
    """Print the machine, the rows, and ours beside faster-whisper's."""
    langs = list(dict.fromkeys(lang for row in rows for lang in row["langs"]))
    late = Table(title="bench asr: ms, p50 / p95 / p99", title_justify="left")
    cost = Table(title="cost and accuracy", title_justify="left")
    for heading in ("", "end to text", "word to first text", "to stable text"):
        late.add_column(heading)
    cost.add_column("")
    for heading in ("RTF", "CPU s/s", *(f"WER {lang}" for lang in langs), "MB", "load"):
        cost.add_column(heading, justify="right")
    for number, row in enumerate(rows, 1):
        name = f"{number}  {row_name(row)}" if len(rows) > 1 else row_name(row)
        times = ("end_to_text_ms", "word_to_first_text_ms", "word_to_stable_text_ms")
        late.add_row(name, *(_three(row[time]) for time in times))
        words = (_percent(row["wer"].get(lang)) for lang in langs)
        used = (_figure(row["rss_mb"]), _figure(row["load_1_min"]))
        cost.add_row(name, _figure(row["real_time_factor"]), _figure(row["cpu_s_per_audio_s"]), *words, *used)
    console = Console()
    gpus = "no NVIDIA GPU" if not machine["gpus"] else ", ".join(machine["gpus"])
    console.print(f"{machine['processor']}, {machine['cores']} cores, {gpus}, {machine['system']}", markup=False)
    console.print(late, cost, _done(rows))
    compared = [
        (row, other) for row in rows if row["way"] in (OURS, FIXED) and (other := beside(rows, row)) is not None
    ]
    if compared:
        table = Table("ours over faster-whisper's defaults", "end to text p50", "p95", "CPU", "WER, points")
        for row, other in compared:
            found = ratios(row, other)
            names = ("end_to_text_p50_ratio", "end_to_text_p95_ratio", "cpu_ratio", "wer_points")
            table.add_row(row_name(row), *(_figure(found[name]) for name in names))
        console.print(table)
    for row in rows:
        for lang, why in row["skipped"].items():
            console.print(f"{row_name(row)}: no {lang} clips: {why}", markup=False)


def _done(rows: Sequence[Mapping[str, Any]]) -> Table:
    """What the processes did and left out, and how the utterances ended."""
    table = Table(title="decodes, drafts left out, lines lost; ends that were whole or hang", title_justify="left")
    table.add_column("")
    for heading in ("finals", "likely", "drafts", "out", "lost", "whole", "hang", "wait, ms"):
        table.add_column(heading, justify="right")
    names = ("finals", "likely", "drafts", "drafts_skipped", "dropped_overload", "ends_whole", "ends_hanging")
    for number, row in enumerate(rows, 1):
        name = f"{number}  {row_name(row)}" if len(rows) > 1 else row_name(row)
        counts = (_figure(row["counts"].get(count)) for count in names)
        table.add_row(name, *counts, _figure(row["endpoint_ms"]["p50"]))
    return table


def show_comparison(name: str, other_name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Print two documents' common rows side by side."""
    console = Console()
    for line in differences(before, after):
        console.print(f"not the same: {line}", markup=False)
    found = pairs(before, after)
    for pair in found:
        table = Table("", name, other_name, "change", title=pair.name, title_justify="left")
        for figure, one, other, change in pair.figures:
            points = figure == FIGURES[-1]
            shown = "-" if change is None else f"{change:+g} points" if points else f"x {change:g}"
            values = (_percent(one), _percent(other)) if points else (_figure(one), _figure(other))
            table.add_row(figure, *values, shown)
        console.print(table)
    if not found:
        console.print("the two have no like rows")
    for file, names in zip((name, other_name), alone(before, after), strict=True):
        for row in names:
            console.print(f"only in {file}: {row}", markup=False)


def _three(found: Mapping[str, float | None]) -> str:
    return " / ".join("-" if found[part] is None else f"{found[part]:.0f}" for part in ("p50", "p95", "p99"))


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"
