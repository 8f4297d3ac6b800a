"""How many media workers a server has."""

from __future__ import annotations

from voice.processes.cores import cores

MOST = 32
MOST_BY_DEFAULT = 4
"""One core carries some 50 tables, and a server has at most 200."""


def workers_by_default() -> int:
    """One a core beside the server's own, four at most; on a single core none, for there they would only cost."""
    return min(MOST_BY_DEFAULT, cores() - 1)
