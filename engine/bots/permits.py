"""What each ruleset lets a seat choose from, as far as the rulesets differ.

Source: the engine contract's table of phases and its decisions where the rules are silent.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Permits:
    """The differences between the rulesets that matter to whoever has to choose a legal act.

    shoots_team, shoots_self: whether a shot may name one of the own team, or the own seat.
    checks_self, nominates_self, votes_self: whether the own seat may be named.
    votes_anybody: whether every living seat is up for the vote, without nominations.
    may_abstain: whether `pass` is an answer to a vote.
    speech_nominates: whether a seat may nominate in its speech.
    """

    shoots_team: bool
    shoots_self: bool
    checks_self: bool
    nominates_self: bool
    votes_self: bool
    votes_anybody: bool
    may_abstain: bool
    speech_nominates: bool


PERMITS: dict[str, Permits] = {
    "sport": Permits(
        shoots_team=True,
        shoots_self=True,
        checks_self=False,
        nominates_self=True,
        votes_self=True,
        votes_anybody=False,
        may_abstain=False,
        speech_nominates=True,
    ),
    "quick": Permits(
        shoots_team=False,
        shoots_self=False,
        checks_self=False,
        nominates_self=False,
        votes_self=False,
        votes_anybody=True,
        may_abstain=True,
        speech_nominates=False,
    ),
    "teaching": Permits(
        shoots_team=True,
        shoots_self=False,
        checks_self=True,
        nominates_self=True,
        votes_self=True,
        votes_anybody=False,
        may_abstain=True,
        speech_nominates=False,
    ),
    "party": Permits(
        shoots_team=False,
        shoots_self=False,
        checks_self=False,
        nominates_self=False,
        votes_self=True,
        votes_anybody=False,
        may_abstain=True,
        speech_nominates=False,
    ),
}
"""By the ruleset's name."""
