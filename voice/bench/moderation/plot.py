"""The picture of `voicetable bench moderation`: figures by category and language, and how long a line takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from voice.bench.moderation.figures import NAMES
from voice.bench.plot import PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FIGURES: Final = {"precision": "#2f6f8f", "recall": "#c98b2b", "f1": "#5b7f3b"}


def write(path: str, result: Mapping[str, Any], times_ms: Sequence[float]) -> None:
    """Draw the result as a PNG. Raises OSError."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4.6), layout="constrained")
    quality, late = figure.subplots(1, 2, width_ratios=(2, 1))
    groups = [(name, lang) for name in NAMES for lang in ("en", "ru")]
    for offset, (measure, colour) in zip((-0.27, 0.0, 0.27), FIGURES.items(), strict=True):
        shown = [(at + offset, result[measure][name][lang]) for at, (name, lang) in enumerate(groups)]
        having = [(at, value) for at, value in shown if value is not None]
        bars = quality.bar([at for at, _ in having], [value for _, value in having], 0.27, label=measure, color=colour)
        quality.bar_label(bars, fmt="%.2f", fontsize=6)
    quality.set_xticks(range(len(groups)), [f"{name}\n{lang}" for name, lang in groups])
    quality.set_ylim(0, 1.2)
    quality.legend(loc="upper left", ncols=3, fontsize="small")
    quality.set_title(f"flagged: {_percent(result['false_flag'])} of harmless lines, "
                      f"{_percent(result['false_clear'])} as clear")  # fmt: skip
    values = sorted(times_ms)
    late.step([*values[:1], *values], [100 * at / len(values) for at in range(len(values) + 1)], where="post")
    for part, colour in PARTS.items():
        late.axvline(result["line_ms"][part], color=colour, linestyle="--", label=f"{part} {result['line_ms'][part]:g}")
    late.set_xscale("log")
    late.set_xlabel("ms a line, rules")
    late.set_ylabel("of the lines, %")
    late.legend(fontsize="small")
    late.grid(alpha=0.3)
    figure.savefig(path, format="png", dpi=120)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f} %"
