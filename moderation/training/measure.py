"""How well the pipeline judges labelled lines: figures by language, category, kind and source, never a line by itself.

    python -m moderation.training.measure FILE.jsonl... [--by kind] [--rules] [--wrong N]

A set has one JSON object a line: `text`, `label` (`insult`, `hate`, `sexual`, `none`, or `any` for abuse without a
category), and maybe `lang` (else the file's name tells it), `kind`, `source`, `func`. `flagged` is a verdict with a
severity; `found` is that or a line for a person. `--wrong` prints lines, so it is refused for a held-out set.
"""

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from moderation import LANGUAGES, Verdict
from moderation.pipeline import embedded, rules_alone, second

GROUPS = ("lang", "label", "kind", "source", "func")
HEADER = ("abuse", "flagged", "found", "harmless", "flagged", "clear", "found", "P", "R", "F1", "F1found", "category")


@dataclass(slots=True)
class Figures:
    """Counts over a group of lines, and the ratios of them."""

    abusive: int = 0
    abusive_flagged: int = 0
    abusive_found: int = 0
    harmless: int = 0
    harmless_flagged: int = 0
    harmless_clear: int = 0
    harmless_found: int = 0
    named: int = 0  # flagged lines whose label is a category
    named_right: int = 0

    def add(self, label: str, verdict: Verdict) -> None:
        """Count one line."""
        flagged = verdict.severity is not None
        found = flagged or verdict.review
        if label == "none":
            self.harmless += 1
            self.harmless_flagged += flagged
            self.harmless_found += found
            self.harmless_clear += verdict.severity == "clear"
            return
        self.abusive += 1
        self.abusive_flagged += flagged
        self.abusive_found += found
        if flagged and label != "any":
            self.named += 1
            self.named_right += verdict.category == label

    def cells(self) -> list[str]:
        """The table's row, as HEADER names it."""
        precision = _ratio(self.abusive_flagged, self.abusive_flagged + self.harmless_flagged)
        recall = _ratio(self.abusive_flagged, self.abusive)
        found = _f1(
            _ratio(self.abusive_found, self.abusive_found + self.harmless_found),
            _ratio(self.abusive_found, self.abusive),
        )
        counts = (
            *(self.abusive, self.abusive_flagged, self.abusive_found),
            *(self.harmless, self.harmless_flagged, self.harmless_clear, self.harmless_found),
        )
        right = _ratio(self.named_right, self.named)
        ratios = (precision, recall, _f1(precision, recall), found, right)
        return [*map(str, counts), *("-" if ratio is None else f"{ratio:.3f}" for ratio in ratios)]


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _f1(precision: float | None, recall: float | None) -> float | None:
    both = (precision or 0.0) + (recall or 0.0)
    return 2 * (precision or 0.0) * (recall or 0.0) / both if both else None


def read_set(path: Path) -> list[dict[str, Any]]:
    """The lines of one file. Raises ValueError for a line that is not a labelled one."""
    named = next((name for name in (path.stem, path.parent.name) if name in LANGUAGES), None)
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        row = json.loads(line)
        lang = row.get("lang", named)
        if not isinstance(row.get("text"), str) or "label" not in row or lang not in LANGUAGES:
            raise ValueError(f"{path}, line {number}: expected text, label and lang, got {sorted(row)}")
        rows.append({**row, "lang": lang})
    return rows


def table(judged: Iterable[tuple[dict[str, Any], Verdict]], groups: Sequence[str]) -> list[list[str]]:
    """Rows of figures: the whole set, then each value of each of `groups`, by language."""
    counted: dict[tuple[str, ...], Figures] = defaultdict(Figures)
    for row, verdict in judged:
        keys: list[tuple[str, ...]] = [("all",)]
        for group in groups:
            value = row.get(group)
            if value is not None:
                keys.append((group, row["lang"], str(value)) if group != "lang" else (group, row["lang"]))
        for key in keys:
            counted[key].add(row["label"], verdict)
    return [[" ".join(key), *counted[key].cells()] for key in sorted(counted)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each set, and the time a line takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("sets", nargs="+", type=Path, metavar="FILE.jsonl")
    parser.add_argument("--by", action="append", choices=GROUPS, default=None)
    parser.add_argument("--rules", action="store_true", help="the rules alone, without the model")
    parser.add_argument("--second", action="store_true", help="the second stage in place of the fast model")
    parser.add_argument("--wrong", type=int, default=0, metavar="N", help="also N wrongly judged lines of each set")
    options = parser.parse_args(arguments)
    pipeline = rules_alone() if options.rules else second() if options.second else embedded()
    pipeline.judge("warm up", "en")
    if options.wrong and any(path.stem.startswith("heldout") for path in options.sets):
        parser.error("a held-out set is for figures alone: --wrong is for lines that may be read")
    times_ms: list[float] = []
    for path in options.sets:
        judged = []
        for row in read_set(path):
            before = time.perf_counter()
            verdict = pipeline.judge(row["text"], row["lang"])
            times_ms.append((time.perf_counter() - before) * 1000)
            judged.append((row, verdict))
        lines = [[str(path.name), *HEADER], *table(judged, options.by or GROUPS)]
        width = max(len(cells[0]) for cells in lines)
        for cells in lines:
            sys.stdout.write(cells[0].ljust(width) + "".join(cell.rjust(9) for cell in cells[1:]) + "\n")
        _print_wrong(judged, options.wrong)
    times_ms.sort()
    points = {p: times_ms[min(len(times_ms) - 1, int(len(times_ms) * p / 100))] for p in (50, 95, 99)}
    sys.stdout.write("ms a line: " + ", ".join(f"p{p} {value:.3f}" for p, value in points.items()) + "\n")
    return 0


def _print_wrong(judged: Iterable[tuple[dict[str, Any], Verdict]], most: int) -> None:
    wrong = [(row, verdict) for row, verdict in judged if (row["label"] != "none") != (verdict.severity is not None)]
    for row, verdict in wrong[:most]:
        rules = ",".join(f"{hit.rule}={row['text'][hit.start : hit.end]}" for hit in verdict.why)
        said = verdict.severity or ("review" if verdict.review else "-")
        wanted = f"{row['label']}/{row.get('severity')}/{row.get('kind') or row.get('func') or row.get('source')}"
        sys.stdout.write(f"  {wanted} -> {verdict.category} {said} [{rules}] {row['text']}\n")


if __name__ == "__main__":
    raise SystemExit(main())
