"""The points of a finished game, in their parts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from engine.points import Ending
from engine.rulesets import ruleset

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.points import PointsParts
    from engine.review.course import Course
    from engine.review.played import Played
    from engine.review.players import Player


@dataclass(frozen=True, slots=True)
class Points:
    """One seat's points. total: as the game gave them. The parts are null where they do not add up to it: then the
    game was played with other numbers than those known here."""

    seat: int
    total: float
    outcome: float | None
    best_move: float | None
    removal: float | None

    @property
    def extra(self) -> float | None:
        """What there is beside the outcome's points."""
        return None if self.outcome is None else round(self.total - self.outcome, 2) + 0.0

    def to_json(self) -> dict[str, Any]:
        """Every field by its name, and `extra`."""
        return {**asdict(self), "extra": self.extra}


def points_of(course: Course, played: Played, players: Mapping[int, Player]) -> dict[int, Points] | None:
    """The points by seat; None where the log has none: an unfinished game, or a ruleset without points."""
    over = course.named("over")
    given = over[0].fields.get("points") if over else None
    if given is None:
        return None
    parts = _parts(course, played, players)
    result: dict[int, Points] = {}
    for seat in sorted(players):
        total, own = given.get(str(seat), 0.0), parts.get(seat)
        if own is None or abs(own.total - total) > 1e-9:
            result[seat] = Points(seat, total, None, None, None)
        else:
            result[seat] = Points(seat, total, own.outcome, own.best_move, own.removal)
    return result


def _parts(course: Course, played: Played, players: Mapping[int, Player]) -> Mapping[int, PointsParts]:
    """What the ruleset itself makes of the log's end."""
    assert course.winner is not None  # the log has `over`
    best_moves = {seat: player.best_move for seat, player in players.items() if player.best_move is not None}
    removed = [
        seat for seat, player in players.items() if player.death is not None and player.death["how"] == "removal"
    ]
    ending = Ending(len(course.cards), course.team, course.winner, best_moves, removed)
    return ruleset(played.ruleset).points_parts(played.numbers, ending) or {}
