"""Rules in the shadow: what the others and the model say of a line without them, so that theirs can be watched."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from moderation.line import Finding, Line
from moderation.near import SoundAlikes
from moderation.pipeline import Pipeline, fast_stage
from moderation.verdict import Language, OtherReading, Verdict, WordEvidence
from moderation.vocabulary import Lexicon, lexicon

SOUND = ".sound"  # of the rule that finds what merely sounds like a word


def base(rule: str) -> str:
    """The rule that is put into the shadow and promoted, of one that a verdict names."""
    return rule.removesuffix(SOUND)


def known_rules() -> frozenset[str]:
    """Every rule that can flag a line: of words and of phrases."""
    words = lexicon()
    phrases = (name for name, rule in words.rules.items() if rule.category is not None)
    return frozenset((*(entry.id for entry in words.entries.values()), *phrases))


class _Without(Pipeline):
    """The pipeline without the findings of some rules."""

    def __init__(self, words: Lexicon, rules: frozenset[str]) -> None:
        super().__init__(words, self._weigh)
        self._fast = fast_stage()
        self._shadow = rules
        self._sounds = _SoundsWithout(words, rules)

    def _rules(self, line: Line) -> list[Finding]:
        return [finding for finding in super()._rules(line) if finding.rule not in self._shadow]

    def _weigh(self, line: Line, findings: Sequence[Finding]) -> list[Finding]:
        """As outside the shadow: of a line in which a rule finds something the model has nothing of its own to say."""
        return [] if not findings and super()._rules(line) else self._fast(line, findings)


class _SoundsWithout(SoundAlikes):
    """The same of what merely sounds like a word."""

    def __init__(self, words: Lexicon, rules: frozenset[str]) -> None:
        super().__init__(words)
        self._shadow = rules

    def __call__(self, line: Line) -> Iterator[Finding]:
        return (finding for finding in super().__call__(line) if base(finding.rule) not in self._shadow)


@lru_cache(maxsize=4)
def _without(rules: frozenset[str]) -> Pipeline:
    return _Without(lexicon(), rules)


def judge_without(
    rules: frozenset[str],
    text: str,
    lang: Language,
    words: Sequence[WordEvidence] | None = None,
    others: Sequence[OtherReading] | None = None,
) -> Verdict:
    """The verdict on a line as if there were no such `rules`; else as `moderation.judge`."""
    return _without(rules).judge(text, lang, words, others)
