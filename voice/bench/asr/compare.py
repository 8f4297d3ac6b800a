"""Two documents of `bench asr` side by side: like rows of both, and what changed from the first to the second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from voice.bench.asr.setup import row_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

KEY = ("way", "model", "device", "compute_type", "threads", "window_s", "tables", "workers", "interim_s")
LOAD = "load when it began"
LIKE = ("way", "tables")
FIGURES = (
    "end to text p50, ms", "end to text p95, ms", "end to text p99, ms", "word to first text p50, ms",
    "word to stable text p50, ms", "real-time factor", "CPU s per audio s", "memory, MB",
    LOAD, "word error rate",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of both; `figures`: name, before, after, and their ratio (of word errors the points between them)."""

    name: str
    figures: tuple[tuple[str, float | None, float | None, float | None], ...]


def pairs(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Pair]:
    """The rows that both documents have; then, of the others, those of the same way and number of tables."""
    return [
        Pair(
            row_name(one) if row_name(one) == row_name(other) else f"{row_name(one)} against {row_name(other)}",
            tuple(_changed(one, other)),
        )
        for one, other in _matched(before["rows"], after["rows"])
    ]


def alone(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The names of the rows of the first and of the second document that are in no pair."""
    matched = _matched(before["rows"], after["rows"])
    mine, others = [id(one) for one, _ in matched], [id(other) for _, other in matched]
    return (
        [row_name(row) for row in before["rows"] if id(row) not in mine],
        [row_name(row) for row in after["rows"] if id(row) not in others],
    )


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What keeps the figures from being of the same thing: machine, clips, code, versions; a line each."""
    found = []
    for name in ("processor", "cores", "gpus", "system", "python"):
        one, other = before["machine"].get(name), after["machine"].get(name)
        if one != other:
            found.append(f"{name}: {one} against {other}")
    if before["clips"] != after["clips"]:
        found.append(f"clips: {_clips(before)} against {_clips(after)}")
    if before.get("code") != after.get("code"):
        found.append(f"recognising code: {before.get('code')} against {after.get('code')}")
    for name in sorted(before["versions"].keys() | after["versions"].keys()):
        one, other = before["versions"].get(name), after["versions"].get(name)
        if one != other:
            found.append(f"{name}: {one} against {other}")
    return found


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any, float | None]]:
    for name, one, other in zip(FIGURES, _figures(before), _figures(after), strict=True):
        if one is None or other is None or name == LOAD:
            change = None
        elif name == FIGURES[-1]:
            change = round(100 * (other - one), 2)
        else:
            change = round(other / one, 3) if one else None
        yield name, one, other, change


def _figures(row: Mapping[str, Any]) -> list[float | None]:
    return [
        *(row["end_to_text_ms"][part] for part in ("p50", "p95", "p99")),
        row["word_to_first_text_ms"]["p50"],
        row["word_to_stable_text_ms"]["p50"],
        row["real_time_factor"],
        row["cpu_s_per_audio_s"],
        row["rss_mb"],
        row.get("load_1_min"),
        row["wer_all"],
    ]


def _matched(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    matched = []
    ones, others = list(before), list(after)
    for fields in (KEY, LIKE):
        for other in list(others):
            one = next((each for each in ones if _values(each, fields) == _values(other, fields)), None)
            if one is not None:
                matched.append((one, other))
                ones.remove(one)
                others.remove(other)
    return matched


def _values(row: Mapping[str, Any], fields: Sequence[str]) -> list[Any]:
    return [row.get(name) for name in fields]


def _clips(document: Mapping[str, Any]) -> str:
    clips = document["clips"]
    return f"{clips.get('number')} of {clips.get('fingerprint')}"
