"""The picture of `bench asr`: the distributions of latency, and accuracy against cost. Needs the extra `plot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voice.bench.asr.setup import row_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def write(path: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw the rows as a PNG. Raises OSError."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 5.2), layout="constrained")
    late, cost = figure.subplots(1, 2)
    colours = colormaps["tab10"]
    for number, row in enumerate(rows):
        colour = colours(number % 10)
        values = sorted(row["end_to_text_each_ms"])
        shares = [100 * (at + 1) / len(values) for at in range(len(values))]
        late.step(values, shares, where="post", color=colour, label=f"{number + 1}  {row_name(row)}")
        if row["cpu_s_per_audio_s"] is not None and row["wer_all"] is not None:
            at = (row["cpu_s_per_audio_s"], 100 * row["wer_all"])
            cost.scatter(*at, color=colour, s=60, zorder=3)
            cost.annotate(str(number + 1), at, xytext=(7, 4), textcoords="offset points")
    late.set_xlabel("utterance end to text, ms")
    late.set_ylabel("of the utterances, %")
    late.set_ylim(0, 100)
    late.set_xlim(left=0)
    late.grid(alpha=0.3)
    if rows:
        late.legend(fontsize="small", loc="lower right")
    cost.set_xlabel("CPU seconds a second of speech")
    cost.set_ylabel("word error rate, %")
    cost.margins(0.15)
    cost.set_xlim(left=0)
    cost.set_ylim(bottom=0)
    cost.grid(alpha=0.3)
    figure.savefig(path, format="png", dpi=120)
