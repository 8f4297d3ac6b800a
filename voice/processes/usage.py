"""What another process uses, read from /proc: cheap, and None where the system has no such thing."""

from __future__ import annotations

import os

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def resident_bytes(pid: int | None) -> int | None:
    """How much of it is in memory; None where that can't be read, or it is gone."""
    fields = _read(pid, "statm").split()
    return int(fields[1]) * _PAGE_BYTES if len(fields) > 1 else None


def processor_s(pid: int | None) -> float | None:
    """The processor's seconds that it has had, to a hundredth or so; None where that can't be read, or it is gone."""
    _, _, after_name = _read(pid, "stat").rpartition(")")
    fields = after_name.split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S if len(fields) > 12 else None


def _read(pid: int | None, name: str) -> str:
    if pid is None:
        return ""
    try:
        with open(f"/proc/{pid}/{name}", encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
