"""Quick Mafia, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine import voting
from engine.night import shoot_outside
from engine.permits import Permits
from engine.rulesets.base import Ruleset
from engine.rulesets.quick import day, night
from engine.rulesets.quick.numbers import QuickNumbers
from engine.rulesets.quick.state import QuickState, numbers, quick
from engine.speaking import SPEECH_ACTIONS, say_in_discussion
from engine.table import OVER, OVER_STEP, Step, Table, its_seat, living
from engine.winning import parity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAFIA = 2
"""So many cards are mafia, at every table: data of the ruleset, and not one of its numbers, which options change."""


class Quick(Ruleset):
    """Six to ten seats, two of them mafia; optionally with a runoff."""

    name = "quick"
    numbers_type = QuickNumbers
    mafia_cards = frozenset({"mafia"})
    steps: ClassVar[Mapping[str, Step]] = {
        "recognition": Step(night.recognition_ended, {}),
        "discussion": Step(day.discussion_ended, {"say": say_in_discussion}, living),
        "vote": Step(day.vote_ended, {"vote": day.vote, "pass": voting.abstain}),
        "tie_speech": Step(day.tie_speech_ended, SPEECH_ACTIONS, its_seat, speech=True),
        "shot": Step(night.shot_ended, {"shoot": shoot_outside}),
        OVER: OVER_STEP,
    }
    turns: ClassVar[Mapping[str, Callable[[Table], None]]] = {"day": day.begin_day, "night": night.begin_night}
    permits = Permits(
        shoots_team=False,
        shoots_self=False,
        checks_self=False,
        nominates_self=False,
        votes_self=False,
        votes_anybody=True,
        may_abstain=True,
        speech_nominates=False,
    )

    def deck(self, numbers: QuickNumbers) -> list[str]:
        """Two mafia, the rest town."""
        return ["mafia"] * MAFIA + ["town"] * (numbers.seats - MAFIA)

    def own(self) -> QuickState:
        """A fresh QuickState."""
        return QuickState()

    def start(self, table: Table) -> None:
        """The night of recognition."""
        night.begin_recognition(table)

    def winner(self, table: Table) -> str | None:
        """By parity, or a draw after two idle cycles."""
        winner = parity(table)
        if winner is None and quick(table).idle_cycles >= numbers(table).draw_cycles:
            return "draw"
        return winner

    def left(self, table: Table, _seat: int, _how: str) -> None:
        """This cycle is not idle."""
        quick(table).left = True


RULESET = Quick()
