"""A second opinion: what a toxicity model's scores of a line come to.

It comes late and may only ask a person (docs/moderation.md): no score of a model warns or fouls anybody. The labels are
Detoxify's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from moderation.neutral import neutral
from moderation.tokens import tokenise
from moderation.verdict import CATEGORIES, Category, Hit, Verdict

REVIEW_AT: Final = 0.60
"""From this score on a person is asked. A choice: it was not fitted to any model's scores."""

SHORT_WORDS: Final = 30
WINDOW_WORDS: Final = 24
STEP_WORDS: Final = 12
"""A longer line is read in windows that overlap: in a long speech one bad word drowns."""

RULE: Final = "model.detoxify"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line, `text[start:end]`, as a model is to read it."""

    start: int
    end: int
    text: str


def pieces(text: str) -> list[Piece]:
    """What a model is to read of a line: all of it, or windows over it; the game's words replaced (`neutral`)."""
    spans = sorted({(token.start, token.end) for token in tokenise(text)})
    if not spans:
        return []
    if len(spans) <= SHORT_WORDS:
        return [Piece(spans[0][0], spans[-1][1], neutral(text))]
    found = []
    for first in range(0, len(spans), STEP_WORDS):
        window = spans[first : first + WINDOW_WORDS]
        start, end = window[0][0], window[-1][1]
        found.append(Piece(start, end, neutral(text[start:end])))
        if first + WINDOW_WORDS >= len(spans):
            break
    return found


def categories(scores: Mapping[str, float]) -> dict[Category, float]:
    """A model's scores by label as ours by category. A label that it has not scores nothing.

    `threat` and `severe_toxicity` say nothing here: threats are the game's, and what is severe has another label too.
    `toxicity` is no category, and counts as an insult where the line is obscene or insulting as well.
    """
    insult = scores.get("insult", 0.0)
    if max(insult, scores.get("obscene", 0.0)) > 0.5:
        insult = max(insult, scores.get("toxicity", 0.0))
    return {"insult": insult, "hate": scores.get("identity_attack", 0.0), "sexual": scores.get("sexual_explicit", 0.0)}


def second_opinion(read: Sequence[Piece], scores: Sequence[Mapping[str, float]]) -> Verdict:
    """The verdict of a model's scores of a line's pieces: for a person where one is high, else nothing."""
    best: dict[Category, float] = dict.fromkeys(CATEGORIES, 0.0)
    where: dict[Category, Piece] = {}
    for piece, each in zip(read, scores, strict=True):
        for category, score in categories(each).items():
            if score > best[category]:
                best[category], where[category] = score, piece
    why = tuple(
        Hit(where[category].start, where[category].end, RULE, category)
        for category in CATEGORIES
        if best[category] >= REVIEW_AT
    )
    return Verdict(scores=best, why=why, review=bool(why))


def together(first: Verdict, second: Verdict) -> Verdict:
    """What the rules said of a line, and a second opinion on it: it adds its scores and reasons, and changes nothing.

    Where the rules said nothing, it may ask a person.
    """
    scores = {category: max(first.scores[category], second.scores[category]) for category in CATEGORIES}
    said = first.severity is not None or first.review
    return replace(first, scores=scores, why=(*first.why, *second.why), review=first.review if said else second.review)
