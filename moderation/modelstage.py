"""The model's part in a verdict: it doubts findings of the rules, bears out cues, and asks a person.

The model alone never warns and never fouls. It warns only together with a reviewed cue of the same category in the same
stretch of the line, and what the rules find it can only lower: a foul to a warning, a warning to a person.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from moderation.classes import FUNCTION
from moderation.cues import cue_bits, cues
from moderation.line import SCORES, Finding, Level, Line
from moderation.model import Model, sentence_of, windows
from moderation.verdict import CATEGORIES, Category

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

MODEL_RULE: Final = "model"
SHORT_WORDS: Final = 4  # a line of so few has no more context than the rules have read: they are not doubted there


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Probabilities of abuse at which the model acts, set on lines that its training did not see."""

    ask: float  # a person is asked
    warn: float  # a cue of the same category is borne out
    doubt_foul: float  # below it a foul of the rules is a warning
    doubt_warning: float  # below it a warning of the rules goes to a person


@dataclass(frozen=True, slots=True)
class _Scored:
    """A stretch of a line: words `first` to `last` (half-open), how likely it is abuse, and which."""

    first: int
    last: int
    abuse: float
    category: Category


class ModelStage:
    """Weighs the findings of the rules with a model; `encode` makes the sentence vectors where the model wants them."""

    def __init__(self, model: Model, thresholds: Thresholds, encode: "Encode | None" = None) -> None:
        self._model, self._thresholds, self._encode = model, thresholds, encode

    def __call__(self, line: Line, findings: Sequence[Finding]) -> list[Finding]:
        """The findings as the model leaves them, and its own; costs time linear in the line's length.

        On the path of a line (without `encode`) a line of which the rules find nothing, and that has no word that any
        cue or sign speaks for, is not read by the model: it could only ask a person, on little.
        """
        if self._encode is None and not findings and not any(map(cue_bits, line.words)):
            return []
        scored = self._score(line, findings)
        doubted = len(line.words) > SHORT_WORDS
        weighed = [self._doubt(finding, scored) for finding in findings] if doubted else list(findings)
        if not weighed:
            own = self._own(line, max(scored, key=lambda stretch: stretch.abuse))
            if own is not None:
                weighed.append(own)
        return weighed

    def _score(self, line: Line, findings: Sequence[Finding]) -> list[_Scored]:
        stretches = windows(len(line.words))
        vectors = None
        if self._encode is not None:
            vectors = self._encode([sentence_of(line, first, last) for first, last in stretches])
        scored = []
        for at, (first, last) in enumerate(stretches):
            inside = findings if len(stretches) == 1 else [f for f in findings if first <= f.first < last]
            vector = None if vectors is None else vectors[at]
            harmless, *each = self._model.probabilities(line, inside, first, last, vector)
            scored.append(_Scored(first, last, 1 - harmless, CATEGORIES[each.index(max(each))]))
        return scored

    def _doubt(self, finding: Finding, scored: Sequence[_Scored]) -> Finding:
        abuse = max(stretch.abuse for stretch in scored if stretch.first <= finding.first < stretch.last)
        level = finding.level
        if level is Level.CLEAR and abuse < self._thresholds.doubt_foul:
            level = Level.LIKELY
        if level is Level.LIKELY and abuse < self._thresholds.doubt_warning:
            level = Level.REVIEW
        return finding if level is finding.level else replace(finding, level=level, score=SCORES[level])

    def _own(self, line: Line, stretch: _Scored) -> Finding | None:
        if stretch.abuse >= self._thresholds.warn:
            found = _cues(line, stretch)
            if found:
                at, topic = found[0]
                rule = f"{topic}+{MODEL_RULE}"
                return Finding(at, at + 1, _told_by(line, stretch), rule, stretch.category, Level.LIKELY, stretch.abuse)
        if stretch.abuse >= self._thresholds.ask:
            return Finding(stretch.first, stretch.last, (), MODEL_RULE, stretch.category, Level.REVIEW, stretch.abuse)
        return None


def _told_by(line: Line, stretch: _Scored) -> tuple[int, ...]:
    """The words that the model's score may hang on: one that was misheard takes the warning to a person."""
    return tuple(at for at in range(stretch.first, stretch.last) if not line.bits[at] & FUNCTION)


def _cues(line: Line, stretch: _Scored) -> list[tuple[int, str]]:
    """The cues of the stretch's category in it: which word, and the topic that it speaks for.

    A word of the lexicon is none: the rules have read it in its context, and excused it ("you are not an idiot").
    """
    topics = cues().topics
    mask = sum(1 << number for number, topic in enumerate(topics) if topic.category == stretch.category)
    found = []
    for at in range(stretch.first, stretch.last):
        bits = cue_bits(line.words[at]) & mask
        if bits and at not in line.masked and line.entries[at] is None:
            found.append((at, topics[(bits & -bits).bit_length() - 1].id))
    return found
