"""How well and how fast the embedded moderation rules judge a labelled set of lines.

    python -m benchmarks.moderation --set FILE.jsonl [--set ...] [--json FILE] [--wrong N]

A set has one JSON object a line: `text`, `lang` and `label` (`insult`, `hate`, `sexual`, `none`, or `any` for abuse
without a category). A line counts as flagged where the verdict has a severity: a line for a person alone is not.
"""

import argparse
import json
import platform
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from moderation import CATEGORIES, LANGUAGES, Verdict, judge

LABELS = (*CATEGORIES, "none", "any")


def distribution(values: Sequence[float]) -> dict[str, float]:
    """p50, p95, p99 (nearest rank) and the count."""
    ordered = sorted(values)
    ranks = {name: ordered[min(len(ordered) - 1, int(len(ordered) * p))] for name, p in _POINTS.items()}
    return {**ranks, "n": len(ordered)}


_POINTS = {"p50": 0.50, "p95": 0.95, "p99": 0.99}


class SetError(ValueError):
    """A set holds a line that is not a labelled one; the message names it."""


def read_set(path: Path) -> list[dict[str, Any]]:
    """The labelled lines of one file. Raises SetError for a line that is not one, OSError for the file."""
    rows = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            known = row["lang"] in LANGUAGES and row["label"] in LABELS and isinstance(row["text"], str)
        except (ValueError, KeyError, TypeError):
            row, known = {}, False
        if not known:
            raise SetError(
                f"{path}, line {number}: expected a JSON object with text, lang ({', '.join(LANGUAGES)}) "
                f"and label ({', '.join(LABELS)})"
            )
        rows.append(row)
    return rows


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _scores(hit: int, flagged: int, wanted: int) -> dict[str, float | None]:
    precision, recall = _ratio(hit, flagged), _ratio(hit, wanted)
    both = (precision or 0) + (recall or 0)
    f1 = round(2 * (precision or 0) * (recall or 0) / both, 4) if both else None
    return {"precision": precision, "recall": recall, "f1": f1}


def score(rows: Iterable[tuple[dict[str, Any], Verdict]]) -> dict[str, Any]:
    """Precision and recall by category and for flagged or not; the share of harmless lines flagged and called clear."""
    count: Counter[str] = Counter()
    for row, verdict in rows:
        label, category = row["label"], verdict.category
        harmless = label == "none"
        count["harmless" if harmless else "abusive"] += 1
        if category:
            count["false" if harmless else "true"] += 1
            count[f"flagged:{category}"] += 1
            count[f"match:{category}"] += label == category
            count["false_clear"] += harmless and verdict.severity == "clear"
        count["review_harmless"] += harmless and verdict.review
        count["review_abusive"] += not harmless and verdict.review
        count[f"wanted:{label}"] += 1
    result: dict[str, Any] = {
        "n": count["harmless"] + count["abusive"],
        "any": _scores(count["true"], count["true"] + count["false"], count["abusive"]),
        "false_flag": _ratio(count["false"], count["harmless"]),
        "false_clear": _ratio(count["false_clear"], count["harmless"]),
        "for_a_person": {"harmless": count["review_harmless"], "abusive": count["review_abusive"]},
    }
    for category in CATEGORIES:
        if count[f"wanted:{category}"]:
            result[category] = _scores(
                count[f"match:{category}"], count[f"flagged:{category}"], count[f"wanted:{category}"]
            )
    return result


def measure(paths: Sequence[Path]) -> dict[str, Any]:
    """Judge every line of the sets; the document a bench writes."""
    judge("warm up", "en")
    times_ms: list[float] = []
    judged: list[tuple[dict[str, Any], Verdict]] = []
    by_file: dict[str, list[tuple[dict[str, Any], Verdict]]] = defaultdict(list)
    started = time.perf_counter()
    for path in paths:
        for row in read_set(path):
            before = time.perf_counter()
            verdict = judge(row["text"], row["lang"])
            times_ms.append((time.perf_counter() - before) * 1000)
            judged.append((row, verdict))
            by_file[path.name].append((row, verdict))
    wall_s = time.perf_counter() - started
    languages = {lang: score(pair for pair in judged if pair[0]["lang"] == lang) for lang in LANGUAGES}
    overall = score(judged)
    return {
        "bench": "moderation",
        "command": sys.argv,
        "machine": {"platform": platform.platform(), "python": platform.python_version()},
        "versions": {},
        "rows": [{"set": name, **score(pairs)} for name, pairs in by_file.items()],
        "result": {
            "line_ms": {name: round(value, 4) for name, value in distribution(times_ms).items()},
            "lines_per_s": round(len(judged) / wall_s),
            "by_language": languages,
            **overall,
        },
        "judged": judged,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures as JSON; with `--wrong N` also up to N wrongly judged lines of each set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--set", action="append", required=True, type=Path, dest="sets", metavar="FILE.jsonl")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--wrong", type=int, default=0, metavar="N")
    options = parser.parse_args(arguments)
    try:
        document = measure(options.sets)
    except SetError as bad:
        sys.stderr.write(f"{bad}\n")
        return 2
    except OSError as bad:
        sys.stderr.write(f"{bad.filename}: {bad.strerror}\n")
        return 2
    judged = document.pop("judged")
    if options.json:
        options.json.write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
    sys.stdout.write(json.dumps(document["result"], ensure_ascii=False, indent=1) + "\n")
    wrong = [(row, v) for row, v in judged if (row["label"] != "none") != (v.category is not None)]
    for row, verdict in wrong[: options.wrong]:
        rules = ",".join(hit.rule for hit in verdict.why)
        sys.stdout.write(f"{row['label']} -> {verdict.category} {verdict.severity} [{rules}] {row['text']}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
