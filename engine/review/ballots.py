"""Every vote of a game as a protocol lists it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.events import VOTED_OUT
from engine.review.timeline import Ballots, counted

if TYPE_CHECKING:
    from engine.review.course import Course


def ballots_of(course: Course) -> list[dict[str, Any]]:
    """One object a round: `day`, `round`, `candidates` in their order, `votes`, `count`, and who `left` by it.

    The question of the lift is an object with `lift` (how many said yes) and `of` (how many were asked) instead.
    """
    rounds: list[dict[str, Any]] = []
    follow = Ballots()
    for step in course.steps:
        follow.follow(step)
        fields = step.fields
        at: dict[str, Any] = {"day": step.stage.circle[1] if step.stage.circle is not None else None, "left": []}
        if step.event.name == "votes":
            votes = {"round": fields["round"], "candidates": list(follow.candidates), "votes": dict(fields["votes"])}
            rounds.append(at | votes | {"count": counted(fields["votes"])})
        elif step.event.name == "lifted":
            rounds.append(at | {"lift": sum(fields["votes"].values()), "of": len(fields["votes"])})
        elif step.event.name == "left" and fields["how"] in VOTED_OUT and rounds:
            rounds[-1]["left"].append(fields["seat"])
    return rounds
