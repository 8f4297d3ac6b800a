"""The points of a finished game, in their parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.rulesets.sport.numbers import SportNumbers

if TYPE_CHECKING:
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


Parts: TypeAlias = Callable[["Course", "Played", "Player"], tuple[float, float, float]]


def points_of(course: Course, played: Played, players: Mapping[int, Player]) -> dict[int, Points] | None:
    """The points by seat; None where the log has none: an unfinished game, or a ruleset without points."""
    over = course.named("over")
    given = over[0].fields.get("points") if over else None
    if given is None:
        return None
    parts_of = PARTS.get(played.ruleset)
    result: dict[int, Points] = {}
    for seat, player in sorted(players.items()):
        total = given.get(str(seat), 0.0)
        parts = parts_of(course, played, player) if parts_of is not None else None
        if parts is None or abs(round(sum(parts), 1) - total) > 1e-9:
            result[seat] = Points(seat, total, None, None, None)
        else:
            result[seat] = Points(seat, total, *parts)
    return result


def _sport(course: Course, played: Played, player: Player) -> tuple[float, float, float]:
    """The outcome's, a red seat's best move, and a removal's (seed 000, "Points")."""
    numbers = played.numbers
    assert isinstance(numbers, SportNumbers)
    if course.winner == "draw":
        outcome = numbers.points_draw
    else:
        won = (player.colour == "black") == (course.winner == "mafia")
        outcome = numbers.points_win if won else numbers.points_loss
    best_move = 0.0
    if player.colour == "red" and player.best_move is not None:
        black = sum(course.is_black(seat) for seat in player.best_move)
        best_move = {2: numbers.points_best_move_2, 3: numbers.points_best_move_3}.get(black, 0.0)
    removed = player.death is not None and player.death["how"] == "removal"
    return outcome, best_move, numbers.points_removal if removed else 0.0


PARTS: Mapping[str, Parts] = {"sport": _sport}
"""How a ruleset's points come about, by its name."""
