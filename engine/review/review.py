"""A game's review, from its log alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine.code import code_of
from engine.review.acts import Act, acts_of
from engine.review.ballots import ballots_of
from engine.review.club import club_of
from engine.review.course import Course, course_of
from engine.review.critical import days_of
from engine.review.knowledge import Knowledge, knowledge_of
from engine.review.log import LogError, events_of
from engine.review.played import Played, played_by
from engine.review.players import Player, players_of
from engine.review.points import Points, points_of
from engine.review.sheet import SheetError, check_sheet
from engine.review.statistics import statistics_of
from engine.review.timeline import CircleRecord, SpokenLine, timeline_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.events import Event
    from engine.rulebook.rule import Lang


@dataclass(frozen=True)
class Review:
    """What a log tells of its game; each part is worked out when it is first asked for. Make one with `review`.

    played: by which rules; None where the log ends within the deal. lines: the spoken lines, where they were kept.
    """

    course: Course
    played: Played | None
    lines: tuple[SpokenLine, ...] = ()

    @property
    def state(self) -> str:
        """`finished`, `abandoned`, or `unfinished` where the log ends before the game did."""
        return self.course.state

    @cached_property
    def timeline(self) -> list[CircleRecord]:
        """What happened, by night and day."""
        return timeline_of(self.course, self.lines)

    @cached_property
    def players(self) -> dict[int, Player]:
        """What each seat did, by seat."""
        return players_of(self.course, self.played) if self.played is not None else {}

    @cached_property
    def knowledge(self) -> dict[int, Knowledge]:
        """What each seat could know, by seat."""
        if self.played is None:
            return {}
        return {seat: knowledge_of(self.course, self.played, seat) for seat in self.course.cards}

    @cached_property
    def statistics(self) -> list[dict[str, Any]]:
        """Counts a seat; see `engine.review.statistics`."""
        return statistics_of(self.players)

    @cached_property
    def days(self) -> list[dict[str, Any]]:
        """How close each day was to the end; see `engine.review.critical`."""
        return days_of(self.course, self.played) if self.played is not None else []

    @cached_property
    def ballots(self) -> list[dict[str, Any]]:
        """Every round of every vote; see `engine.review.ballots`."""
        return ballots_of(self.course)

    @cached_property
    def points(self) -> dict[int, Points] | None:
        """The points in their parts; None where the log has none."""
        return points_of(self.course, self.played, self.players) if self.played is not None else None

    @cached_property
    def acts(self) -> list[Act]:
        """The host's acts with the rules they went by."""
        return acts_of(self.course, self.played) if self.played is not None else []

    def club(self, lang: Lang = "en") -> list[dict[str, Any]]:
        """Where a club host would have acted otherwise; see `engine.review.club`."""
        if self.played is None:
            return []
        return club_of(self.course, self.played, self.players, self.lines, lang)

    def check_sheet(self) -> None:
        """Whether the game can stand on a protocol sheet.

        Raises:
            SheetError: what can't; a log that ends within the deal can't either.
        """
        if self.played is None:
            raise SheetError(f"the log ends within the deal, with {len(self.course.cards)} cards")
        check_sheet(self.course, self.played, self.players)

    def code(self) -> str | None:
        """The short code of the ruleset with its options; None where the options are not known."""
        if self.played is None or not self.played.told:
            return None
        return code_of(self.played.ruleset, self.played.numbers)


def review(
    events: Iterable[Event | Mapping[str, object]],
    *,
    ruleset: str | None = None,
    options: Mapping[str, object] | None = None,
    lines: Sequence[SpokenLine] = (),
) -> Review:
    """Reviews a game from its log, which may end anywhere.

    events: all of them from the deal on, as the engine made them or in their stored form, those for moderators too.
    ruleset, options: what the game was started with, where it is known. A log of events does not have them: the ruleset
    is then found by the cards, and the defaults stand for its numbers.

    Raises:
        LogError: it is no log of a game: it does not begin with the deal, contradicts itself, or has cards of no
            ruleset.
        GameError: an unknown ruleset or option.
    """
    course = course_of(events_of(events))
    if not course.steps:
        raise LogError("no events: a log begins with the deal")
    return Review(course, played_by(course, ruleset, options), tuple(lines))
