"""What a ruleset lets a seat choose from, said by the ruleset itself beside its phases.

For whoever has to choose a legal act without trying: bots, and games drawn by lot. The rules alone say what is legal;
a test holds the two against each other.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import GameError, shown
from engine.rulesets import ruleset


@dataclass(frozen=True, slots=True)
class Permits:
    """The differences between the rulesets that matter to whoever has to choose a legal act, in phases of these names.

    shoots_team, shoots_self: whether a `shot` may name one of the own team, or the own seat.
    checks_self: whether a `check` or `sheriff_check` may name the own seat.
    nominates_self, votes_self: whether a nomination, or a `vote`, may.
    votes_anybody: whether every living seat is up for the vote, without nominations.
    may_abstain: whether `pass` is an answer to a vote.
    speech_nominates: whether a seat may nominate in its `speech`.

    Source: the engine contract's table of phases and its decisions where the rules are silent.
    """

    shoots_team: bool
    shoots_self: bool
    checks_self: bool
    nominates_self: bool
    votes_self: bool
    votes_anybody: bool
    may_abstain: bool
    speech_nominates: bool


def permits_of(name: str) -> Permits:
    """What the ruleset called `name` lets a seat choose from.

    Raises:
        GameError: there is no such ruleset, or it does not say.
    """
    permits = ruleset(name).permits
    if permits is None:
        raise GameError(f"ruleset {shown(name)} has no `permits`, so nothing can be drawn by lot for its seats")
    return permits
