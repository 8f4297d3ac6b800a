"""How often captions are made while somebody speaks: by how busy the recogniser processes are. No clock of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass

WINDOW_S = 5.0
BEHIND_S = 2.0


class Busy:
    """The share of its time that a process works, of late: an exponential mean over some WINDOW_S."""

    def __init__(self) -> None:
        self._share = 0.0
        self._at_s = 0.0
        self._working = False

    def turn(self, now_s: float, *, working: bool) -> None:
        """From now on it works, or does not."""
        self._share = self.share(now_s)
        self._at_s = now_s
        self._working = working

    def share(self, now_s: float) -> float:
        """0..1."""
        kept = math.exp(-max(0.0, now_s - self._at_s) / WINDOW_S)
        return self._share * kept + (1.0 - kept) * self._working


@dataclass(frozen=True, slots=True)
class CadenceRules:
    """Seconds of speech between two drafts, and the load (0..1) from which on there are fewer, or none.

    Each step up is taken back only at a load that is lower by `slack`, so that a load between them changes nothing.
    """

    often_s: float = 0.5
    seldom_s: float = 1.0
    seldom_from: float = 0.5
    none_from: float = 0.85
    slack: float = 0.1
    behind_s: float = BEHIND_S
    """No drafts while a whole utterance waits for longer."""


class Cadence:
    """`every_s`: seconds between drafts; 0 for none."""

    def __init__(self, rules: CadenceRules) -> None:
        self._rules = rules
        self.every_s = rules.often_s

    def look(self, load: float, behind_s: float) -> bool:
        """Decide by the processes' load and the age of the oldest utterance that waits; whether it changed."""
        rules, before = self._rules, self.every_s
        none_from = rules.none_from - (rules.slack if before == 0.0 else 0.0)
        seldom_from = rules.seldom_from - (rules.slack if before != rules.often_s else 0.0)
        if load >= none_from or behind_s > rules.behind_s:
            self.every_s = 0.0
        elif load >= seldom_from:
            self.every_s = rules.seldom_s
        else:
            self.every_s = rules.often_s
        return self.every_s != before
