"""Abuse that stands in another reading of the same sound.

A recogniser's slips lead from rare words to everyday ones, and so from abuse to its sound-alikes ("you try any freak"),
hardly ever the other way. So a reading that is plain abuse weighs more than its share; but the line as it was written
is what everybody saw, and abuse that it does not hold never fouls at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from moderation.line import SCORES, Finding, Level, Line
from moderation.verdict import Category

MOST_READINGS = 10
AGREED = 0.6
"""The share of readings with the same abuse from which an unsure word still carries to a warning."""
WARNS = 0.05
"""The share of readings from which plain abuse in them warns, ..."""
MILDLY_WARNS = 0.5
"""... and what is milder or needs context."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Another reading as the rules read it."""

    line: Line
    findings: list[Finding]
    share: float


class Readings:
    """A line, what the rules found in it, and the other readings of its sound."""

    def __init__(self, line: Line, findings: list[Finding], others: list[Reading]) -> None:
        self.line = line
        self.others = others
        self._own = findings
        self._own_share = max(0.0, 1.0 - sum(other.share for other in others))

    @property
    def agreed(self) -> frozenset[Category]:
        """The categories that nearly all there is to read is abuse of, the line itself included."""
        return frozenset(
            category
            for category in {finding.category for finding in self._own}
            if self._share(category, Level.LIKELY, self._own_share) >= AGREED
        )

    def findings(self) -> list[Finding]:
        """What the other readings have, where in the line it would stand, as far as it carries."""
        found: dict[tuple[int, int, str], Finding] = {}
        for other in self.others:
            for finding in other.findings:
                level = self._level(finding)
                first, last = _place(other.line.words, self.line.words, finding.first, finding.last)
                words = " ".join(other.line.words[finding.first : finding.last])
                lowered = replace(
                    finding, first=first, last=last, evidence=(), level=level, score=SCORES[level], instead=words
                )
                found.setdefault((first, last, finding.rule), lowered)
        return list(found.values())

    def _level(self, finding: Finding) -> Level:
        least = WARNS if finding.level is Level.CLEAR else MILDLY_WARNS
        enough = self._share(finding.category, finding.level, 0.0) >= least
        return Level.LIKELY if enough and finding.level > Level.REVIEW else Level.REVIEW

    def _share(self, category: Category, level: Level, own_share: float) -> float:
        """The share of readings with a finding of that category at that level or above."""
        readings = [(self._own, own_share), *((other.findings, other.share) for other in self.others)]
        return sum(share for findings, share in readings if _has(findings, category, level))


def _has(findings: Sequence[Finding], category: Category, level: Level) -> bool:
    return any(finding.category == category and finding.level >= level for finding in findings)


def _place(said: Sequence[str], shown: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Where in `shown` the words `first` to `last` of `said` would stand; never empty where `shown` has words."""
    same = 0
    while same < min(len(said), len(shown)) and said[same] == shown[same]:
        same += 1
    if last <= same:
        return first, last
    tail = 0
    while tail < min(len(said), len(shown)) - same and said[-1 - tail] == shown[-1 - tail]:
        tail += 1
    longer = len(shown) - len(said)
    begin = first if first < same else first + longer if first >= len(said) - tail else same
    end = last + longer if last > len(said) - tail else len(shown) - tail
    if begin >= end:  # nothing stands there: the word before, or the first
        end = max(1, min(begin, len(shown)))
        begin = end - 1
    return begin, end
