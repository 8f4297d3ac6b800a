"""The model's part in a verdict: what it may do with findings of the rules, and what it may never do."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from moderation import WordEvidence
from moderation.line import SCORES, Finding, Level, Line
from moderation.model import OUTCOMES, STEP_WORDS, WHOLE_WORDS, WINDOW_WORDS, windows
from moderation.modelstage import ModelStage, Thresholds
from moderation.pipeline import Pipeline
from moderation.vocabulary import lexicon

THRESHOLDS = Thresholds(ask=0.6, warn=0.8, doubt_foul=0.4, doubt_warning=0.2)


class Sure:
    """A model that is as sure of one category as it is told, of stretches that hold a word; else of none."""

    def __init__(self, category: str, abuse: float, word: str = "") -> None:
        self.category, self.abuse, self.word = category, abuse, word

    def probabilities(
        self, line: Line, findings: Sequence[Finding], first: int, last: int, sentence: object = None
    ) -> list[float]:
        abuse = self.abuse if not self.word or self.word in line.words[first:last] else 0.0
        return [1 - abuse, *(abuse if name == self.category else 0.0 for name in OUTCOMES[1:])]


def weigh(text: str, model: Sure, findings: Sequence[Finding] = ()) -> list[Finding]:
    return ModelStage(model, THRESHOLDS)(Line(text, lexicon()), findings)  # type: ignore[arg-type]  # a stand-in


def finding(level: Level, at: int = 0) -> Finding:
    return Finding(at, at + 1, (at,), "a.rule", "insult", level, SCORES[level])


def test_the_model_alone_asks_a_person_however_sure_it_is() -> None:
    (own,) = weigh("your brain is small", Sure("sexual", 1.0))
    assert (own.level, own.category, own.rule) == (Level.REVIEW, "sexual", "model")


def test_a_line_that_no_cue_speaks_for_is_left_to_the_second_stage() -> None:
    assert weigh("seven eight nine", Sure("insult", 1.0)) == []


def test_under_its_threshold_it_says_nothing() -> None:
    assert weigh("your brain is small", Sure("insult", 0.59)) == []


def test_a_cue_of_the_same_category_is_borne_out() -> None:
    (own,) = weigh("your brain is small", Sure("insult", 0.8))
    assert (own.level, own.first, own.last, own.rule) == (Level.LIKELY, 1, 2, "insult.mind+model")


def test_a_cue_of_another_category_is_not() -> None:
    (own,) = weigh("your brain is small", Sure("sexual", 0.99))
    assert own.level is Level.REVIEW


def test_a_word_that_the_rules_have_excused_is_no_cue() -> None:
    assert weigh("you are not an idiot", Sure("insult", 0.99))[0].level is Level.REVIEW  # a sign, and no cue


def test_a_slip_of_the_recogniser_takes_a_warning_to_a_person() -> None:
    pipeline = Pipeline(lexicon(), ModelStage(Sure("insult", 0.9), THRESHOLDS))  # type: ignore[arg-type]  # a stand-in
    text = "your brain is small"
    sure, unsure = ([WordEvidence(word, 0.9 if word != "brain" else c) for word in text.split()] for c in (0.9, 0.3))
    assert pipeline.judge(text, "en", sure).severity == "likely"
    assert pipeline.judge(text, "en", unsure).review


@pytest.mark.parametrize(
    ("level", "abuse", "left"),
    [
        (Level.CLEAR, 0.41, Level.CLEAR),
        (Level.CLEAR, 0.39, Level.LIKELY),
        (Level.CLEAR, 0.19, Level.REVIEW),
        (Level.LIKELY, 0.21, Level.LIKELY),
        (Level.LIKELY, 0.19, Level.REVIEW),
        (Level.REVIEW, 0.0, Level.REVIEW),
        (Level.REVIEW, 1.0, Level.REVIEW),
    ],
)
def test_a_finding_of_the_rules_is_lowered_never_raised_and_never_dropped(
    level: Level, abuse: float, left: Level
) -> None:
    (weighed,) = weigh("seven eight nine ten and one", Sure("insult", abuse), [finding(level)])
    assert (weighed.level, weighed.rule) == (left, "a.rule")
    assert weighed.score == SCORES[left]


def test_a_long_speech_is_scored_in_windows_that_miss_nothing() -> None:
    for words in (1, WHOLE_WORDS, WHOLE_WORDS + 1, 100, 101):
        stretches = windows(words)
        assert stretches[0][0] == 0
        assert stretches[-1][1] == words
        assert all(after[0] - before[0] == STEP_WORDS for before, after in pairwise(stretches))
        assert all(last - first <= max(WINDOW_WORDS, words if words <= WHOLE_WORDS else 0) for first, last in stretches)
    calm = "I liked the day and the vote was fair "
    (own,) = weigh(calm * 6 + "brain " + calm * 6, Sure("insult", 0.9, word="brain"))
    assert own.level is Level.LIKELY


def test_a_finding_is_weighed_by_the_window_it_stands_in() -> None:
    calm = ["calm"] * 60
    (weighed,) = weigh(" ".join(["harsh", *calm]), Sure("insult", 0.9, word="harsh"), [finding(Level.CLEAR)])
    assert weighed.level is Level.CLEAR
    (far,) = weigh(" ".join(["harsh", *calm]), Sure("insult", 0.9, word="harsh"), [finding(Level.CLEAR, at=59)])
    assert far.level is Level.REVIEW
