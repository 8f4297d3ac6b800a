"""The picture of `bench asr`: the distributions of latency, and accuracy against cost. Needs the extra `plot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voice.bench.asr.setup import row_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


LINES = ("-", "--", ":", "-.")
"""Ten rows of one kind have ten colours; the next ten have the same, in lines of another kind."""


def write(path: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw the rows as a PNG. Raises OSError."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 5.2 + 0.2 * len(rows)), layout="constrained")
    late, cost = figure.subplots(1, 2)
    for number, row in enumerate(rows):
        colour = colormaps["tab10"](number % 10)
        line = LINES[number // 10 % len(LINES)]
        values = sorted(row["end_to_text_each_ms"])
        shares = [100 * at / len(values) for at in range(len(values) + 1)] if values else []
        late.step([*values[:1], *values], shares, where="post", color=colour, linestyle=line,
                  label=f"{number + 1}  {row_name(row)}")  # fmt: skip
        if row["cpu_s_per_audio_s"] is not None and row["wer_all"] is not None:
            at = (row["cpu_s_per_audio_s"], 100 * row["wer_all"])
            cost.scatter(*at, color=colour, s=60, zorder=3, clip_on=False)
            cost.annotate(str(number + 1), at, xytext=(7, 4), textcoords="offset points")
    late.set_xlabel("utterance end to text, ms")
    late.set_ylabel("of the utterances, %")
    late.set_ylim(0, 100)
    cost.set_xlabel("CPU seconds a second of speech")
    cost.set_ylabel("word error rate, %")
    for axes in (late, cost):
        axes.set_xlim(0, 1.08 * max(axes.get_xlim()[1], 0.01))
        axes.grid(alpha=0.3)
    cost.set_ylim(0, 1.08 * max(cost.get_ylim()[1], 1.0))
    if rows:
        figure.legend(loc="outside lower left", fontsize="small", ncols=2)
    figure.savefig(path, format="png", dpi=120)
