"""The protocol sheet's own checks, as club protocols make them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.review.course import Course
    from engine.review.played import Played
    from engine.review.players import Player


class SheetError(GameError):
    """What is in the log can't stand on a protocol sheet; the message says what was expected and what came."""


def check_sheet(course: Course, played: Played, players: Mapping[int, Player]) -> None:
    """Whether the game can stand on a sheet.

    Raises:
        SheetError: a deal that is not whole (that its cards are the ruleset's was seen when the log was read); more
            than one first-killed seat, or one that did not leave by night; a best move of anybody else, of more seats
            than the ruleset allows, of one seat twice, of one that has left, or of the own one.
    """
    seats = sum(played.deck.values())
    if len(course.cards) < seats:
        raise SheetError(f"the log ends within the deal, with {len(course.cards)} of {seats} cards")
    first = [player for player in players.values() if player.first_killed]
    if len(first) > 1:
        raise SheetError(f"the sheet has one first-killed seat at most; the log has {[each.seat for each in first]}")
    if first and (first[0].death is None or "night" not in first[0].death):
        raise SheetError(f"seat {first[0].seat} is killed first, and did not leave by night")
    most = getattr(played.numbers, "best_move_seats", 0)
    for step in course.named("best_move"):
        seat, named = step.fields["seat"], list(step.fields["seats"])
        if not players[seat].first_killed:
            raise SheetError(f"the best move is the first-killed seat's; seat {seat} is not")
        if len(named) > most:
            raise SheetError(f"a best move names at most {most} seats; seat {seat} names {named}")
        if len(set(named)) < len(named):
            raise SheetError(f"a best move names different seats; seat {seat} names {named}")
        if seat in named:
            raise SheetError(f"a best move does not name the own seat; seat {seat} names {named}")
        gone = [each for each in named if each not in step.living]
        if gone:
            raise SheetError(f"a best move names living seats; seat {seat} names {gone}")
    if len(course.named("best_move")) > 1:
        raise SheetError("the sheet has one best move; the log has more")
