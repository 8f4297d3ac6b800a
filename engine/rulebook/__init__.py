"""The rules of each ruleset as data: `cite("sport", "sport.vote.tie")` is the rule a host's act goes by.

Rule ids are stable: stored reviews name them. They begin with their ruleset's name; those of each ruleset are the
keys of `engine.rulebook.headings.HEADINGS` that begin with it.
"""

from __future__ import annotations

from engine.errors import GameError, shown
from engine.rulebook.headings import HEADINGS
from engine.rulebook.rule import Rule, Words

__all__ = ["Rule", "Words", "cite", "rule_ids"]


def rule_ids(ruleset: str) -> tuple[str, ...]:
    """The ids of all rules of `ruleset`, in the order of its page, whatever the options."""
    return tuple(rule_id for rule_id in HEADINGS if rule_id.startswith(f"{ruleset}."))


def cite(ruleset: str, rule_id: str) -> Rule:
    """The rule `rule_id` of `ruleset`; its `heading` has both languages.

    Raises:
        GameError: the ruleset has no such rule.
    """
    if rule_id not in rule_ids(ruleset):
        raise GameError(f"ruleset {shown(ruleset)} has no rule {shown(rule_id)}")
    return Rule(rule_id, HEADINGS[rule_id], Words("", ""), "")
