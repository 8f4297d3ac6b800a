"""What processes use, by Linux's /proc: CPU seconds and the highest resident size. None on other systems."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_PROC = Path("/proc")


def cpu_s(pids: Iterable[int | None]) -> float | None:
    """CPU seconds of the processes since each began, in the user's code and in the system's."""
    total = 0.0
    for pid in pids:
        try:
            fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError, ValueError):
            return None
    return total


def peak_rss_mb(pids: Iterable[int | None]) -> float | None:
    """The sum of the processes' highest resident sizes, in MB (10^6 bytes)."""
    total = 0.0
    for pid in pids:
        try:
            lines = (_PROC / str(pid) / "status").read_text().splitlines()
            total += next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")) / 1e6
        except (OSError, StopIteration, IndexError, ValueError):
            return None
    return round(total, 1)
