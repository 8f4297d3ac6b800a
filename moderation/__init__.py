"""Moderation: from the text of a line to a verdict with its reasons (policy: docs/moderation.md)."""

from moderation.pipeline import Pipeline, Stage, consider, judge
from moderation.verdict import (
    CATEGORIES,
    LANGUAGES,
    Category,
    Hit,
    Language,
    OtherReading,
    Severity,
    Verdict,
    WordEvidence,
)

__all__ = [
    "CATEGORIES",
    "LANGUAGES",
    "Category",
    "Hit",
    "Language",
    "OtherReading",
    "Pipeline",
    "Severity",
    "Stage",
    "Verdict",
    "WordEvidence",
    "consider",
    "judge",
]
