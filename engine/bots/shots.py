"""Whom the mafia shoots, and where the don looks: by what all of the team know, so that no two of them differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.bots import temper
from engine.bots.belief import Known
from engine.stream import Stream

if TYPE_CHECKING:
    from engine.bots.evidence import Evidence
    from engine.bots.scene import Scene


def agreed_target(scene: Scene, evidence: Evidence) -> int | None:
    """The seat that every seat of the team comes to: a claimed sheriff first, else the order; None where none is left.

    It hangs on the order and on what was public alone, never on the own card or on chance.
    """
    team = scene.team
    red = [seat for seat in scene.living if seat not in team]
    claimants = [seat for seat in evidence.claims if seat in red]
    if claimants:
        return claimants[-1]
    for seat in scene.order:
        if seat in red:
            return seat
    return red[0] if red else None


def agreed_by_trust(scene: Scene, evidence: Evidence) -> int | None:
    """The same where there is no order: a claimed detective first, else one of those the table trusts most, by lot.

    The lot is drawn from what all of the team know, so that it falls alike for each of them.
    """
    red = [seat for seat in scene.living if seat not in scene.team]
    if not red:
        return None
    claimants = [seat for seat in evidence.claims if seat in red]
    if claimants:
        return claimants[-1]
    black = evidence.belief.posterior(evidence.public()).black
    least = min(black[seat] for seat in red)
    trusted = [seat for seat in red if black[seat] <= least + temper.NEARLY]
    lot = scene.night
    for seat in (*scene.team, *scene.living):
        lot = lot * (scene.seats + 1) + seat
    return Stream(lot).pick(trusted)


def likeliest_seeker(scene: Scene, evidence: Evidence, targets: list[int], stream: Stream) -> int:
    """Who of `targets`, which may not be empty, holds the seeker's card, for one who knows the team and the answers."""
    not_seeker = frozenset(seat for seat, answer in scene.checks.items() if answer != "sheriff")
    red = frozenset(seat for seat in range(1, scene.seats + 1) if seat not in scene.team)
    known = evidence.known(Known(red, frozenset(scene.team), 0, not_seeker))
    chances = evidence.belief.posterior_of_both(known).seeker
    best = max(chances[seat] for seat in targets)
    return stream.pick([seat for seat in targets if chances[seat] == best])
