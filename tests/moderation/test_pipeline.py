"""Stages: what a later one may add."""

from collections.abc import Iterator

from moderation import Pipeline, judge
from moderation.line import Finding, Level, Line
from moderation.vocabulary import lexicon


class Suspicious:
    """A stand-in for a model: everything with "quietly" is for a person."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, line: Line, lang: str) -> Iterator[Finding]:
        self.seen.append(lang)
        for at, word in enumerate(line.words):
            if word == "quietly":
                yield Finding(at, at + 1, (at,), "model.test", "hate", Level.REVIEW, 0.8)


def test_a_further_stage_can_ask_a_person() -> None:
    stage = Suspicious()
    verdict = Pipeline(lexicon(), extra=[stage]).judge("he quietly voted", "en")
    assert (verdict.category, verdict.review, verdict.scores["hate"]) == (None, True, 0.8)
    assert [hit.rule for hit in verdict.why] == ["model.test"]
    assert stage.seen == ["en"]


def test_a_further_stage_does_not_hide_the_rules() -> None:
    verdict = Pipeline(lexicon(), extra=[Suspicious()]).judge("you idiot, he quietly voted", "en")
    assert (verdict.category, verdict.severity) == ("insult", "clear")
    assert verdict.scores["hate"] == 0.8


def test_nothing_said_is_nothing() -> None:
    for text in ("", " ", "...", "\x00", "🙂🙂"):
        verdict = judge(text, "en")
        assert (verdict.category, verdict.severity, verdict.review, verdict.why) == (None, None, False, ())
        assert verdict.scores == {"insult": 0.0, "hate": 0.0, "sexual": 0.0}
