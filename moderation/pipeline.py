"""The stages in order, from a line's text to its verdict.

Lexicon and patterns come first and may foul. The embedded model weighs what they find (`modelstage`). A further stage
takes the same line and gives findings of its own: it is any callable of the `Stage` protocol, added to the pipeline.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Final, Protocol, TypeAlias

from moderation.alike import misheard
from moderation.confidence import UNSURE, align, lower_unsure
from moderation.decide import decide
from moderation.lemmas import warm_up
from moderation.line import Finding, Level, Line
from moderation.model import fast_model, second_model
from moderation.modelstage import ModelStage, Thresholds
from moderation.near import SoundAlikes
from moderation.readings import MOST_READINGS, Reading, found_in
from moderation.repair import recut
from moderation.resound import Resound
from moderation.rulestage import find_phrases, mask_harmless, match_rules
from moderation.verdict import Language, OtherReading, Verdict, WordEvidence
from moderation.vocabulary import Lexicon, lexicon
from moderation.wordstage import find_words

# Set on lines that the training did not see; docs/moderation.md has the figures.
FAST_THRESHOLDS: Final = Thresholds(ask=0.7, warn=0.7, doubt_foul=0.45, doubt_warning=0.3)
SECOND_THRESHOLDS: Final = Thresholds(ask=0.55, warn=0.65, doubt_foul=0.6, doubt_warning=0.5)


Weigh: TypeAlias = Callable[[Line, Sequence[Finding]], list[Finding]]
"""A model's part: what becomes of the rules' findings in a line, and its own (`ModelStage`)."""


class Stage(Protocol):
    """Anything that finds abuse in a line: a model, a second opinion, a rule in shadow."""

    def __call__(self, line: Line, lang: Language) -> Iterable[Finding]: ...


class Pipeline:
    """The embedded rules, then the `model` over what they find, then `extra` stages over every line."""

    def __init__(self, words: Lexicon, model: Weigh | None = None, extra: Sequence[Stage] = ()) -> None:
        self._lexicon = words
        self._model = model
        self._extra = tuple(extra)
        self._sounds = SoundAlikes(words)
        self._resound = Resound(words)

    def judge(
        self,
        text: str,
        lang: Language,
        words: Sequence[WordEvidence] | None = None,
        others: Sequence[OtherReading] | None = None,
    ) -> Verdict:
        """The verdict on one line. Never raises for any text; costs time linear in its length.

        Both languages' lexicons are applied whatever `lang` is: players mix them in one line. `lang` is for the
        stages that need it. Without `words` every word counts as surely recognised. `others`: what else the recogniser
        may have heard, at most MOST_READINGS of them; None where it does not tell.
        """
        line, findings = self.rules(text)
        if not line.tokens:
            return Verdict()
        if self._model is not None:
            findings = self._model(line, findings)
        for stage in self._extra:
            findings.extend(stage(line, lang))
        if findings and words is not None:
            findings = lower_unsure(line, findings, words)
        if _furthest(findings) < Level.LIKELY:
            findings.extend(found_in(self._readings(text, words, others or ()), line))
        return decide(line, findings)

    def rules(self, text: str) -> tuple[Line, list[Finding]]:
        """A line as the rules read it, and what they find in it."""
        line = Line(text, self._lexicon)
        if not line.tokens:
            return line, []
        line, findings = self._read(line)
        return line, findings or list(self._sounds(line))

    def _readings(
        self, text: str, words: Sequence[WordEvidence] | None, others: Sequence[OtherReading]
    ) -> Iterator[Reading]:
        """What else a line may have been: as the recogniser tells, and what everyday and unsure words sound like."""
        for other in others[:MOST_READINGS]:
            yield Reading(*self._read(Line(other.text, self._lexicon)))
        if words is None:
            return
        if (meant := misheard(text)) is not None:
            line, findings = self._read(Line(meant, self._lexicon))
            yield Reading(line, [finding for finding in findings if finding.level is Level.CLEAR])
        if all(word.confidence >= UNSURE for word in words):
            return
        shown = Line(text, self._lexicon)
        if (resounded := self._resound(shown, align(shown, words))) is not None:
            yield Reading(resounded, self._rules(resounded))

    def _read(self, line: Line) -> tuple[Line, list[Finding]]:
        """What the rules find in a line, its words cut anew where that finds more."""
        findings = self._rules(line)
        if _furthest(findings) < Level.CLEAR:
            other = recut(line, self._lexicon)
            if other is not None:
                again = self._rules(other)
                if _furthest(again) > _furthest(findings):
                    return other, again
        return line, findings

    def _rules(self, line: Line) -> list[Finding]:
        matches = match_rules(line, self._lexicon)
        mask_harmless(line, matches)
        return [*find_words(line), *find_phrases(line, matches)]


def _furthest(findings: list[Finding]) -> int:
    return max((finding.level for finding in findings), default=0)


@cache
def rules_alone() -> Pipeline:
    """The rules without a model."""
    warm_up()
    return Pipeline(lexicon())


def fast_stage() -> ModelStage:
    """The model on the path of a line. Raises ModelError where its weights are not the pinned ones."""
    return ModelStage(fast_model(), FAST_THRESHOLDS)


@cache
def embedded() -> Pipeline:
    """The pipeline that `judge` asks; loads the lexicon and the fast model the first time."""
    warm_up()
    fast_model().warm_up()
    return Pipeline(lexicon(), fast_stage())


@cache
def second() -> Pipeline:
    """The pipeline that `consider` asks. Raises ModelError where the sentence encoder is not installed."""
    from models.sentences import SentenceEncoder

    warm_up()
    return Pipeline(lexicon(), ModelStage(second_model(), SECOND_THRESHOLDS, SentenceEncoder().vectors))


def judge(
    text: str,
    lang: Language,
    words: Sequence[WordEvidence] | None = None,
    others: Sequence[OtherReading] | None = None,
) -> Verdict:
    """The verdict of the embedded rules and the fast model; see `Pipeline.judge`. The first call loads them."""
    return embedded().judge(text, lang, words, others)


def consider(
    text: str,
    lang: Language,
    words: Sequence[WordEvidence] | None = None,
    others: Sequence[OtherReading] | None = None,
) -> Verdict:
    """The verdict of the rules and the second model, which also knows sentences that say the same in other words.

    Takes some 2 ms a line on one core: off the path of a line. Raises ModelError where the sentence encoder is not
    installed or not the pinned one. The first call loads it, about half a second and 150 MB.
    """
    return second().judge(text, lang, words, others)
