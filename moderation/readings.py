"""Abuse that stands in another reading of the same sound.

A recogniser's slips lead from rare words to everyday ones, and so from abuse to its sound-alikes ("you try any freak").
But the line as it was written is what everybody saw: abuse that it does not hold is for a person to hear and judge.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from moderation.line import SCORES, Finding, Level, Line

MOST_READINGS = 10


@dataclass(frozen=True, slots=True)
class Reading:
    """Another reading as the rules read it."""

    line: Line
    findings: list[Finding]


def found_in(readings: Iterable[Reading], line: Line) -> list[Finding]:
    """What other readings of a line have, where in the line it would stand; each for a person alone.

    What is excused in the line as it was written ("you are not an idiot") stays so, whatever a reading without the
    small word says: abuse whose telling words the line holds too is not counted.
    """
    found: dict[tuple[int, int, str], Finding] = {}
    shown = Counter(line.words)
    for reading in readings:
        said = reading.line.words
        for finding in reading.findings:
            telling = Counter(said[at] for at in finding.evidence)
            if finding.level <= Level.REVIEW or (telling and telling <= shown):
                continue
            first, last = _place(said, line.words, finding.first, finding.last)
            lowered = replace(
                finding,
                first=first,
                last=last,
                evidence=(),
                level=Level.REVIEW,
                score=SCORES[Level.REVIEW],
                instead=" ".join(said[finding.first : finding.last]),
            )
            found.setdefault((first, last, finding.rule), lowered)
    return list(found.values())


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
