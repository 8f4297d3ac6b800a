"""NVIDIA GPUs by nvidia-smi: their names, and what processes hold of their memory. None where it is not installed."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def gpu_mb(pids: Iterable[int | None]) -> float | None:
    """GPU memory that the processes hold, in MB as nvidia-smi counts them; None without nvidia-smi."""
    said = _nvidia_smi("--query-compute-apps=pid,used_memory")
    if said is None:
        return None
    wanted = {str(pid) for pid in pids}
    rows = [[part.strip() for part in line.split(",")] for line in said]
    return float(sum(int(row[1]) for row in rows if len(row) == 2 and row[0] in wanted and row[1].isdecimal()))


def gpus() -> list[str] | None:
    """The names of the machine's NVIDIA GPUs; None without nvidia-smi."""
    return _nvidia_smi("--query-gpu=name")


def _nvidia_smi(query: str) -> list[str] | None:
    if shutil.which("nvidia-smi") is None:
        return None
    try:
        done = subprocess.run(
            ["nvidia-smi", query, "--format=csv,noheader,nounits"],
            capture_output=True, text=True, check=True, timeout=20,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return [line.strip() for line in done.stdout.splitlines() if line.strip()]
