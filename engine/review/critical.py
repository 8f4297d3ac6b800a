"""The days on which the game hung on one seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.review.course import Course
    from engine.review.played import Played


def days_of(course: Course, played: Played) -> list[dict[str, Any]]:
    """One object a day, in order: how close the town was to its loss as the day began.

    lost_in: how many red seats have to leave until the mafia has won; null where the result is certain already.
    critical: one more red seat gone, be it tonight's shot, gives the mafia the win (parity next night).
    no_mistake_left: a red seat voted out today makes tonight's shot at a red seat the end.
    left: who left during the day, with the colour.
    """
    days: list[dict[str, Any]] = []
    for step in course.steps:
        if step.event.name == "day":
            black = sum(course.is_black(seat) for seat in step.living)
            lost_in = played.lost_in(black, len(step.living) - black)
            days.append({
                "day": step.fields["number"], "t": step.t, "black": black, "red": len(step.living) - black,
                "lost_in": lost_in, "critical": lost_in == 1, "no_mistake_left": lost_in == 2, "left": [],
            })  # fmt: skip
        elif step.event.name == "left" and step.stage.circle is not None and step.stage.circle[0] == "day":
            seat = step.fields["seat"]
            colour = played.colour[course.cards[seat]]
            days[-1]["left"].append({"seat": seat, "how": step.fields["how"], "colour": colour})
    return days
