"""`voicetable bench moderation`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voice.bench import report
from voice.cli.json_file import seems_writable, write_json, write_with
from voice.cli.progress import Bytes, Progress
from voice.cli.speech_options import DATA_DIR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from voice.bench.moderation.figures import Counts
    from voice.bench.moderation.measure import Judged

COMMAND = "bench moderation"
DONE, FAILED, BAD_INPUT = 0, 1, 2
PIPED_COLUMNS = 100
MEASURED_WITH = ("torch", "transformers", "detoxify")


def run(
    *,
    sets: Sequence[str],
    model: str | None,
    device: str,
    data: str | None,
    wrong: int,
    json_file: str | None,
    plot_file: str | None,
) -> int:
    """Judge the sets, print the tables, write the JSON document and the plot; the exit status."""
    from voice.bench.moderation import plot
    from voice.bench.moderation.measure import judge_all, result_of, rows_of
    from voice.bench.moderation.sets import SetError, read_set
    from voice.bench.plot import refusal
    from voice.judging import DEFAULT, ModelOptionError, open_judging

    if not seems_writable(COMMAND, json_file) or not seems_writable(COMMAND, plot_file, "--plot"):
        return BAD_INPUT
    if (why_not := refusal(plot_file)) is not None:
        return _complain(f"--plot: {why_not}", BAD_INPUT)
    progress = Progress()
    try:
        read = {path: read_set(Path(path)) for path in dict.fromkeys(sets)}
        judging = open_judging(model, Path(data) if data is not None else DATA_DIR, device, Bytes(progress, "fetched"))
    except SetError as bad:
        return _complain(f"--set: {bad}", BAD_INPUT)
    except ModelOptionError as bad:
        progress.end()
        return _complain(str(bad), FAILED if bad.ours else BAD_INPUT)
    progress.end()
    progress = Progress()
    number = sum(map(len, read.values()))
    judged = judge_all(read, judging, lambda done: progress.done(done, number, "lines"))
    progress.end()
    rows, result = rows_of(judged), result_of(judged)
    made = report.document("moderation", rows, result)
    made["versions"] |= report.versions(MEASURED_WITH)
    made["model"] = {"name": model or DEFAULT, "precision": judging.model and judging.model.precision}
    written = write_json(COMMAND, json_file, made)
    _show(result, judged, made["model"]["precision"])
    _show_wrong(judged, wrong)
    times_ms = [each.took_ms for each in judged]
    drawn = write_with(lambda path: plot.write(path, result, times_ms), COMMAND, plot_file, "--plot")
    return DONE if written and drawn else FAILED


def _show(result: Mapping[str, Any], judged: Sequence[Judged], precision: str | None) -> None:
    from rich.console import Console

    from voice.bench.moderation.measure import grouped

    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPED_COLUMNS)
    for title, counts in grouped(judged).items():
        if len(counts) > 1 or title == "kind":
            console.print(_table(f"by {title}", counts))
    console.print(_categories(result))
    print(f"on a line's path, {_times(result['line_ms'])}; {result['lines_per_s']:,} lines a second")
    late = {"sentence model": result["second_ms"], f"toxicity model ({precision})": result["toxicity_ms"]}
    for what, taken in late.items():
        if taken is not None:
            print(f"late, {what}: {_times(taken)}")


def _times(ms: Mapping[str, Any]) -> str:
    return f"ms a line: p50 {ms['p50']:g}, p95 {ms['p95']:g}, p99 {ms['p99']:g}"


def _table(title: str, counts: Mapping[str, Counts]) -> Any:
    """Lines, and what per cent of them were flagged, called clear, sent to a person, and named rightly."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=f"{title}: lines, and % of them", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", overflow="fold")
    for heading in ("harmless", "flagged", "clear", "person", "abuse", "flagged", "person", "named"):
        table.add_column(heading, justify="right")
    for name, each in counts.items():
        row = each.row()
        table.add_row(
            name, str(each.harmless or "-"), _percent(row["false_flag"]), _percent(row["false_clear"]),
            _part(row["harmless_to_a_person"], each.harmless), str(each.abusive or "-"), _percent(row["recall"]),
            _part(row["abusive_to_a_person"], each.abusive), _percent(row["category_right"]),
        )  # fmt: skip
    return table


def _categories(result: Mapping[str, Any]) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(
        title="flagged, by category and language: precision / recall / F1, %",
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    langs = list(result["precision"]["any"])
    for heading in ("", *langs):
        table.add_column(heading)
    names = ("precision", "recall", "f1")
    for category in result["precision"]:
        cells = (" / ".join(_percent(result[name][category][lang]) for name in names) for lang in langs)
        table.add_row(category, *cells)
    cells = (" / ".join(_percent(result["found"][name]["any"][lang]) for name in names) for lang in langs)
    table.add_row("any, or for a person", *cells)
    return table


def _show_wrong(judged: Sequence[Judged], most: int) -> None:
    """Up to `most` lines whose verdict is not their label's, each with its reasons."""
    wrong = [each for each in judged if (each.row["label"] != "none") != (each.verdict.category is not None)]
    for each in wrong[:most]:
        verdict = each.verdict
        said = "review" if verdict.review else f"{verdict.category} {verdict.severity}" if verdict.category else "none"
        rules = ",".join(hit.rule for hit in verdict.why)
        text = str(each.row["text"]).encode("utf-8", "backslashreplace").decode()  # JSON may hold half a pair
        print(each.row["label"], said, rules, text, sep="\t")


def _part(part: int, whole: int) -> str:
    return _percent(part / whole if whole else None)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _complain(why: str, status: int) -> int:
    print(f"{COMMAND}: {why}", file=sys.stderr)
    return status
