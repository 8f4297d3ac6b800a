"""What the rules say of a line without some of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from moderation import LANGUAGES, Language, WordEvidence, judge
from moderation.shadow import base, judge_without, known_rules

IDIOT = frozenset(("en.insult.idiot",))


def test_a_rule_in_the_shadow_says_nothing_and_the_others_say_what_they_said() -> None:
    assert judge("you are an idiot", "en").severity == "clear"
    assert judge_without(IDIOT, "you are an idiot", "en").severity is None
    both = judge_without(IDIOT, "you are an idiot and a bitch", "en")
    assert both.severity == "clear"
    assert {hit.rule for hit in both.why}.isdisjoint(IDIOT)


@pytest.mark.parametrize("text", ["you are an idiot", "seat five is black", "ты дебил", "he called me an idiot", ""])
def test_without_any_it_is_the_verdict(text: str) -> None:
    evidence = [WordEvidence(word, 0.9) for word in text.split()]
    for lang in ("en", "ru"):
        assert judge_without(frozenset(), text, lang, evidence) == judge(text, lang, evidence)


def test_all_in_the_shadow_flag_nothing() -> None:
    for text in ("you are an idiot", "ты дебил", "you stupid bitch"):
        verdict = judge_without(known_rules(), text, "en")
        assert (verdict.category, verdict.review) == (None, False)


def test_the_rules_that_verdicts_name_are_known() -> None:
    for text in ("you are an idiot", "ты дебил", "kill yourself", "go back to the kitchen"):
        for hit in judge(text, "en").why:
            assert base(hit.rule) in known_rules()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_model_weighs_what_is_left(lang: Language) -> None:
    """As it does where nothing is in the shadow: it doubts, bears out cues, and asks a person."""
    cases = (Path(__file__).parent / "cases" / f"{lang}.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in cases]
    assert [judge_without(frozenset(), text, lang) for text in texts] == [judge(text, lang) for text in texts]
