"""Making a ruleset of one's own known: what is refused. That it works is shown by docs/rulesets.md, which is run."""

from __future__ import annotations

import pytest

from engine import GameError, bots, rulebook, rulesets


def test_what_is_there_already_is_not_replaced() -> None:
    with pytest.raises(GameError, match=r"'sport' is there already, in engine\.rulesets\.sport"):
        rulesets.register("sport", "mine.rules")
    with pytest.raises(GameError, match=r"'sport' has its rulebook in engine\.rulebook\.sport"):
        rulebook.register("sport", "mine.rulebook")
    with pytest.raises(GameError, match=r"'sport' has its bots in engine\.bots\.sport"):
        bots.register("sport", "mine.bots")
    assert rulesets.ruleset("sport").name == rulebook.book("sport").ruleset == "sport"


def test_the_same_again_changes_nothing() -> None:
    before = dict(rulesets.MODULES), dict(rulebook.MODULES), dict(bots.MODULES)
    for registry in (rulesets, rulebook, bots):
        registry.register("party", registry.MODULES["party"])
    assert before == (rulesets.MODULES, rulebook.MODULES, bots.MODULES)


def test_a_ruleset_without_a_rulebook_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(rulebook.MODULES, "party")
    with pytest.raises(GameError, match="ruleset 'party' has no rulebook"):
        rulebook.rule_ids("party")
