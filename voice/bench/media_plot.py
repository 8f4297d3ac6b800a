"""The picture of `voicetable bench media`: CPU, added latency and concealed samples by way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voice.bench import plot
from voice.bench.media_page import PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def write(path: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw the rows with one speaker as a PNG. Raises OSError."""
    from matplotlib.figure import Figure

    shown = [row for row in rows if row["live"] == 1]
    names = [f"{row['way']}\n{row['tables']} tables" for row in shown]
    heard = [row for row in shown if row["concealed"] is not None]
    figure = Figure(figsize=(15 if heard else 10, 4.2), layout="constrained")
    cost, late, *more = figure.subplots(1, 3 if heard else 2)
    bars = cost.bar(names, [row["cpu_s_per_table_s"] * 1000 for row in shown], color="#2f6f8f")
    cost.bar_label(bars, fmt="%.1f")
    cost.set_yscale("log")
    cost.set_ylabel("CPU, ms a table second")
    timed = [row for row in shown if row["added_ms"] and row["added_ms"]["n"]]
    for offset, (part, colour) in zip((-0.25, 0.0, 0.25), plot.PARTS.items(), strict=True):
        places = [at + offset for at in range(len(timed))]
        late.bar(places, [row["added_ms"][part] for row in timed], width=0.25, label=part, color=colour)
    late.set_xticks(range(len(timed)), [row["way"] for row in timed])
    late.set_yscale("log")
    late.set_ylabel("added one way, ms")
    late.legend()
    for concealed in more:
        for offset, part, colour in zip((-0.25, 0.0, 0.25), PARTS, plot.PARTS.values(), strict=True):
            having = [(at + offset, row["concealed"][part]) for at, row in enumerate(heard) if part in row["concealed"]]
            shares = [100 * each["concealed"] / max(1, each["samples"]) for _, each in having]
            concealed.bar([at for at, _ in having], shares, width=0.25, label=part.replace("_", " "), color=colour)
        concealed.set_xticks(range(len(heard)), [row["way"] for row in heard])
        concealed.set_ylim(0, max(1.0, concealed.get_ylim()[1]))
        concealed.set_ylabel("concealed in Chromium, % of the samples")
        concealed.legend()
    figure.savefig(path, format="png", dpi=120)
