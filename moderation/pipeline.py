"""The stages in order, from a line's text to its verdict.

Lexicon and patterns come first and may foul. A later stage (a model) takes the same line and gives findings that
only ask a person: it is any callable of the `Stage` protocol, added to the pipeline.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Protocol

from moderation.alike import misheard
from moderation.confidence import UNSURE, align, lower_unsure
from moderation.decide import decide
from moderation.line import Finding, Level, Line
from moderation.near import SoundAlikes
from moderation.readings import MOST_READINGS, Reading, found_in
from moderation.repair import recut
from moderation.resound import Resound
from moderation.rulestage import find_phrases, mask_harmless, match_rules
from moderation.verdict import Language, OtherReading, Verdict, WordEvidence
from moderation.vocabulary import Lexicon, lexicon
from moderation.wordstage import find_words


class Stage(Protocol):
    """Anything that finds abuse in a line: a model, a second opinion, a rule in shadow."""

    def __call__(self, line: Line, lang: Language) -> Iterable[Finding]: ...


class Pipeline:
    """The embedded rules, then `extra` stages over every line."""

    def __init__(self, words: Lexicon, extra: Sequence[Stage] = ()) -> None:
        self._lexicon = words
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
        line = Line(text, self._lexicon)
        if not line.tokens:
            return Verdict()
        line, findings = self._read(line)
        if not findings:
            findings = list(self._sounds(line))
        for stage in self._extra:
            findings.extend(stage(line, lang))
        if findings and words is not None:
            findings = lower_unsure(line, findings, words)
        if _furthest(findings) < Level.LIKELY:
            findings.extend(found_in(self._readings(text, words, others or ()), line))
        return decide(line, findings)

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
def _embedded() -> Pipeline:
    return Pipeline(lexicon())


def judge(
    text: str,
    lang: Language,
    words: Sequence[WordEvidence] | None = None,
    others: Sequence[OtherReading] | None = None,
) -> Verdict:
    """The verdict of the embedded rules on one line; see `Pipeline.judge`. The first call loads the lexicon."""
    return _embedded().judge(text, lang, words, others)
