"""What the check says of a line, in the form it is kept in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from voice.table.faults import place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from moderation import Hit, Verdict
    from voice.table.parts import Judge
    from voice.table.records import Json, Spoken

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Opinion:
    """A verdict. `severity` None and `review` true: for a person alone; then `category` is the likeliest one."""

    category: str | None = None
    severity: str | None = None
    review: bool = False
    scores: dict[str, float] = field(default_factory=dict)
    why: list[Json] = field(default_factory=list)


def opinion(judge: Judge, line: Spoken, others: Sequence[tuple[str, float]] | None = None) -> Opinion:
    """Judge a line; `others`: what else it may have been. A judge that fails asks for a person instead."""
    try:
        verdict = judge(line.text, line.lang, line.words, others)
    except Exception as error:  # a fault in one rule must not end a game; it is told, and a person looks
        logger.error("the check failed", line=line.line, error=type(error).__name__, place=place(error))
        return Opinion(review=True)
    scores: dict[str, float] = {name: round(float(score), 4) for name, score in verdict.scores.items()}
    category: str | None = verdict.category
    if category is None and verdict.review and scores:
        category = max(scores, key=lambda each: scores[each])
    why = [_reason(hit) for hit in verdict.why]
    return Opinion(category, verdict.severity, bool(verdict.review), scores, why)


def with_second(first: Opinion, verdict: Verdict) -> Opinion:
    """An opinion with a model's late one added: its scores and its reasons, never a category or a severity.

    `review`: as it was; where nothing was said, whether the model asks for a person.
    """
    scores: dict[str, float] = dict(first.scores)
    for name, score in verdict.scores.items():
        scores[name] = max(scores.get(name, 0.0), round(float(score), 4))
    why = [*first.why, *(reason for reason in map(_reason, verdict.why) if reason not in first.why)]
    category, review = first.category, first.review
    if first.severity is None and not first.review:
        review = bool(verdict.review)
        if review:
            category = max(verdict.scores, key=lambda each: verdict.scores[each])
    return Opinion(category, first.severity, review, scores, why)


def _reason(hit: Hit) -> Json:
    reason: Json = {"start": hit.start, "end": hit.end, "rule": hit.rule, "category": hit.category}
    return {**reason, "instead": hit.instead} if hit.instead else reason
