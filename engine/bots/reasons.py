"""Why a seat looks black: the fact on the record that weighs most, as the words name it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.bots.evidence import Evidence

RED_BELOW = 0.2
"""A seat less likely to be black than this is spoken of as red."""

BLACK_ABOVE = 0.5
"""A seat likelier to be black than this is spoken of as black."""

SILENT_DAYS = 2
"""A seat that has put nobody up so many days is called silent."""


def reason(evidence: Evidence, seat: int, black: list[float], speaker: int) -> tuple[str, int] | None:
    """The weightiest fact against `seat`, as (name of a reason, the seat it names); None where there is none.

    black: how likely each seat is to be black, as the speaker says it believes.
    """
    claims = evidence.claims
    for claimant, shown in claims.items():
        if shown.get(seat) and claimant != speaker and black[claimant] < BLACK_ABOVE:
            return "shown_black", claimant
    if seat in claims:
        rivals = [other for other in claims if other != seat and black[other] < black[seat]]
        if rivals:
            return "rival", rivals[0]
    checked = {target for claimant, shown in claims.items() if black[claimant] < RED_BELOW for target in shown}
    red_vote = 0
    for cast in reversed(evidence.casts):
        if cast.voter != seat:
            continue
        if black[cast.target] < RED_BELOW and cast.target != speaker:
            if cast.target in checked:
                return "voted_checked", cast.target
            red_vote = red_vote or cast.target
        for other in cast.candidates:
            if other not in (cast.target, seat) and black[other] > BLACK_ABOVE:
                return "spared", other
    for author, named in evidence.best_moves.items():
        if seat in named and author != speaker:
            return "best_move", author
    if red_vote:
        return "voted_red", red_vote
    for by, target in reversed(evidence.nominations):
        if by == seat and black[target] < RED_BELOW and target != speaker:
            return "nominated_red", target
    # Asked on a later day only: before, most have not had their turn.
    names = evidence.scene.permits.speech_nominates
    if names and evidence.scene.day > SILENT_DAYS and all(by != seat for by, _ in evidence.nominations):
        return "silent", seat
    return None
