"""The picture of `voicetable bench path`: how long each part of the way takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from voice.bench.plot import PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN: Final = {
    "mouth_to_ear_ms": "mouth to ear",
    "gate_open_ms": "gate open",
    "gate_close_ms": "gate close",
    "end_to_text_ms": "end to text",
    "end_to_verdict_ms": "end to verdict",
    "text_to_verdict_ms": "text to verdict",
    "end_to_case_ms": "end to case",
}


def write(path: str, title: str, result: Mapping[str, Any]) -> None:
    """Draw the result's distributions as a PNG. Raises OSError."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.2), layout="constrained")
    axes = figure.subplots()
    for offset, (part, colour) in zip((-0.25, 0.0, 0.25), PARTS.items(), strict=True):
        having = [(at + offset, result[name][part]) for at, name in enumerate(SHOWN) if result[name]["n"]]
        bars = axes.bar([at for at, _ in having], [ms for _, ms in having], width=0.25, label=part, color=colour)
        axes.bar_label(bars, fmt="%.3g", fontsize=7)
    axes.set_xticks(range(len(SHOWN)), list(SHOWN.values()))
    axes.set_yscale("log")
    axes.set_ylabel("ms")
    axes.set_title(f"{title}: {result['leaked_packets']} packets and {result['leaked_samples']} samples leaked")
    axes.legend()
    figure.savefig(path, format="png", dpi=120)
