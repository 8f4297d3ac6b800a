"""Does anything grow? The soak's verdict over its samples."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WARM_PART = 0.25
"""The first part of the time is warming up: allocators fill, and every seat has been taken some times."""
MEMORY_PART = 0.02
MEMORY_MB = 2.0
"""Memory is flat if the regression line rises over the judged time by at most this part of its mean, or so many MB.

What is between it and none is the allocators', which find places for new connections among old ones. A connection is
some 170 KB: at 30 tables for 20 minutes, this is what three of a thousand connections hold.
"""
COUNT_PART = 0.05
COUNT = 10.0
"""The same of tasks and of open descriptors, at the mean number of connections: on a machine that is busy with other
work fewer people are connected, since all take longer to come, and more again when it is not."""
FAILED_PART = 0.02
"""Joins that were not connected within their time, and had to be tried again."""
LATE = "event loop was late"
"""A line of the machine's load and not of a fault: reported by itself."""
_LEVEL = re.compile(r"\blevel='(warning|error|critical|exception)'|^(WARNING|ERROR|CRITICAL) |Traceback")


@dataclass(frozen=True, slots=True)
class Line:
    """Least squares: the slope a second, the half width of its 95 % interval, and the mean of the values."""

    slope: float
    within: float
    mean: float


def regression(times: Sequence[float], values: Sequence[float]) -> Line:
    """The line through the values. Samples of a process hang together: the interval is narrower than it should be.

    Raises ValueError for fewer than three values.
    """
    count = len(values)
    if count < 3 or len(times) != count:
        raise ValueError(f"expected three samples or more with their times, got {count}")
    at, mean = sum(times) / count, sum(values) / count
    spread = sum((time - at) ** 2 for time in times)
    slope = sum((time - at) * (value - mean) for time, value in zip(times, values, strict=True)) / spread
    rest = sum((value - mean - slope * (time - at)) ** 2 for time, value in zip(times, values, strict=True))
    return Line(slope, 1.96 * math.sqrt(rest / (count - 2) / spread), mean)


def unclean(lines: Iterable[str]) -> list[str]:
    """The lines of a server's log that are warnings or worse, but for those that say that the machine was late."""
    return [line.rstrip() for line in lines if _LEVEL.search(line) and LATE not in line]


def judge(
    samples: Sequence[Mapping[str, Any]],
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    joins: Mapping[str, int],
    log: Sequence[str],
    memory_mb: float = MEMORY_MB,
) -> dict[str, Any]:
    """The figures, and under `failures` a sentence for each thing that is not as it must be.

    `before` and `after`: samples without a single client, before the first came and after the last left. `joins`:
    counts of `done`, `failed` and `left`. `log`: lines as `unclean` gives them. `memory_mb`: in place of
    MEMORY_MB. Raises ValueError for too few samples.
    """
    begin, end = samples[0]["at"], samples[-1]["at"]
    judged = [sample for sample in samples if sample["at"] >= begin + WARM_PART * (end - begin)]
    times = [sample["at"] for sample in judged]
    lasted_s = times[-1] - times[0] if times else 0.0
    connections = sum(sample["peers"] for sample in judged) / max(1, len(judged))
    values = {
        "rss_mb": [sample["rss_mb"] for sample in judged],
        **{
            name: [sample[name] * connections / max(1, sample["peers"]) for sample in judged]
            for name in ("tasks", "descriptors")
        },
    }
    failures = []
    grown: dict[str, Any] = {}
    for name, part, least in (
        ("rss_mb", MEMORY_PART, memory_mb),
        ("tasks", COUNT_PART, COUNT),
        ("descriptors", COUNT_PART, COUNT),
    ):
        line = regression(times, values[name])
        bound = max(part * line.mean, least)
        rise = line.slope * lasted_s
        grown[name] = {
            "mean": round(line.mean, 2),
            "slope_per_min": round(line.slope * 60, 4),
            "slope_within_per_min": round(line.within * 60, 4),
            "rise": round(rise, 2),
            "bound": round(bound, 2),
        }
        if rise > bound:
            failures.append(f"{name} rose by {rise:.1f} in {lasted_s:.0f} s: expected at most {bound:.1f}")
    third = max(1, len(judged) // 3)
    first, last = (max(sample["threads"] for sample in part) for part in (judged[:third], judged[-third:]))
    grown["threads"] = {"first": first, "last": last}
    if last > first:
        failures.append(f"threads went from {first:g} to {last:g}")
    failures += [
        f"{name} when all had left: {after[name]:g}, and {before[name]:g} before the first came"
        for name in ("tasks", "descriptors")
        if after[name] > before[name]
    ]
    if joins["failed"] > FAILED_PART * max(1, joins["done"]):
        failures.append(f"{joins['failed']} of {joins['done'] + joins['failed']} joins failed")
    if log:
        failures.append(f"{len(log)} lines of the log are warnings or worse, the first: {log[0][:200]}")
    return {
        "judged_s": round(lasted_s, 1),
        "grown": grown,
        "before": dict(before),
        "after": dict(after),
        "joins": dict(joins),
        "log_lines": len(log),
        "lag_p99_ms": max(sample["lag_p99_ms"] for sample in judged),
        "lag_max_ms": max(sample["lag_max_ms"] for sample in judged),
        "failures": failures,
    }
