"""`voicetable bench engine`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voice.bench import report
from voice.bench.engine import measure
from voice.cli.json_file import seems_writable, write_json
from voice.cli.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DONE, FAILED, BAD_INPUT = 0, 1, 2


def run(*, games: int, thinking: int, json_file: str | None) -> int:
    """Measure, print the tables, write the JSON document; the exit status."""
    if not seems_writable("bench engine", json_file):
        return BAD_INPUT
    progress = Progress()
    rows, result = measure(games, thinking, progress.say)
    progress.end()
    written = write_json("bench engine", json_file, report.document("engine", rows, result))
    _show(rows, result)
    return DONE if written else FAILED


def _show(rows: Sequence[Mapping[str, Any]], result: Mapping[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    played = Table("games of", "ruleset", "games", "a second", "inputs", "events", title="bench engine: one core")
    times = Table("", "p50 us", "p95 us", "p99 us", "n", "ratio", title="the time of one command")
    for row in rows:
        name, ratio = row["what"], _figure(row["ratio"]) if "ratio" in row else ""
        if "us" in row:
            name = f"{name} {row['do']}" if "do" in row else name
            times.add_row(name, *(_figure(row["us"][part]) for part in ("p50", "p95", "p99", "n")), ratio)
        else:
            figures = ("games", "games_per_s", "inputs_per_game", "events_per_game")
            played.add_row(name, row["ruleset"], *(_figure(row[figure]) for figure in figures))
    console = Console()
    console.print(played, times)
    console.print(
        f"sport: {_figure(result['games_per_s'])} games a second without thinking bots, "
        f"{_figure(result['thinking_games_per_s'])} with them"
    )


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:,.1f}".removesuffix(".0")
