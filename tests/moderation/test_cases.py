"""Cases written before the rules and the model that judge them, by somebody else than those; never trained on."""

import json
from pathlib import Path
from typing import Any

import pytest

from moderation import LANGUAGES, Language, Verdict, consider, judge

MODSET = Path(__file__).parents[3] / "shared" / "modset"
needs_sets = pytest.mark.skipif(not MODSET.is_dir(), reason=f"labelled lines are not at {MODSET}")


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


CASES = {lang: read(Path(__file__).parent / "cases" / f"{lang}.jsonl") for lang in LANGUAGES}
ISSUES = read(MODSET / "issue_cases.jsonl") if MODSET.is_dir() else []


def right(case: dict[str, Any], verdict: Verdict) -> bool:
    """Harmless: not flagged. For a person: not passed over and no foul. Else: flagged, and as what it is."""
    if case["label"] == "none":
        return verdict.severity is None
    if case["severity"] == "review":
        return verdict.severity != "clear" and (verdict.review or verdict.severity is not None)
    return verdict.category == case["label"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cases_that_are_judged_right(lang: Language) -> None:
    fast = [right(case, judge(case["text"], lang)) for case in CASES[lang]]
    slow = [right(case, consider(case["text"], lang)) for case in CASES[lang]]
    assert sum(fast) >= FAST_RIGHT[lang]
    assert sum(slow) >= SLOW_RIGHT[lang]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_harmless_cases_that_are_flagged(lang: Language) -> None:
    harmless = [case["text"] for case in CASES[lang] if case["label"] == "none"]
    assert sum(judge(text, lang).severity is not None for text in harmless) <= 0.03 * len(harmless)
    assert sum(consider(text, lang).severity is not None for text in harmless) <= 0.03 * len(harmless)


@needs_sets
@pytest.mark.parametrize("case", ISSUES, ids=lambda case: case["source"])
def test_a_fault_reported_of_another_classifier_is_not_ours(case: dict[str, Any]) -> None:
    for verdict in (judge(case["text"], case["lang"]), consider(case["text"], case["lang"])):
        assert verdict.category == (None if case["label"] == "none" else case["label"])


FAST_RIGHT = {"en": 300, "ru": 340}
SLOW_RIGHT = {"en": 320, "ru": 360}
