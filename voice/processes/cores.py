"""How many cores this process may use."""

from __future__ import annotations

import os


def cores() -> int:
    """Those it is bound to, where the system says; else the machine's; 1 or more."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
