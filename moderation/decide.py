"""From findings to the verdict: the furthest-reaching finding decides the category and the severity."""

from moderation.line import Finding, Level, Line
from moderation.verdict import CATEGORIES, Category, Hit, Severity, Verdict

_SEVERITIES: dict[Level, Severity | None] = {Level.REVIEW: None, Level.LIKELY: "likely", Level.CLEAR: "clear"}
# Where two categories reach equally far, the graver names the verdict.
_GRAVITY: dict[Category, int] = {"insult": 0, "sexual": 1, "hate": 2}


def decide(line: Line, findings: list[Finding]) -> Verdict:
    """The verdict of `findings`; `why` has the spans that reach as far as the verdict does."""
    if not findings:
        return Verdict()
    scores: dict[Category, float] = dict.fromkeys(CATEGORIES, 0.0)
    for finding in findings:
        scores[finding.category] = max(scores[finding.category], finding.score)
    decisive = max(findings, key=lambda finding: (finding.level, _GRAVITY[finding.category]))
    severity = _SEVERITIES[decisive.level]
    why = dict.fromkeys(
        Hit(line.tokens[f.first].start, line.tokens[f.last - 1].end, f.rule, f.category, f.instead)
        for f in sorted(findings, key=lambda finding: (finding.first, finding.last))
        if f.level is decisive.level
    )
    return Verdict(
        category=decisive.category if severity else None,
        severity=severity,
        scores=scores,
        why=tuple(why),
        review=severity is None,
    )
