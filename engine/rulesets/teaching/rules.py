"""Teaching Mafia, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine import detective, doctor, role_night, voting
from engine.doctor import Protection
from engine.permits import Permits
from engine.rulesets.base import Ruleset
from engine.rulesets.teaching import day, night
from engine.rulesets.teaching.numbers import TeachingNumbers
from engine.speaking import SPEECH_ACTIONS
from engine.table import OVER, OVER_STEP, Step, Table, its_seat, living

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DECK = ("mafia", "detective", "doctor", "town", "town", "town")
"""Data of the ruleset, and not one of its numbers, which options change."""


class Teaching(Ruleset):
    """Six seats, one of them mafia; one nomination a day."""

    name = "teaching"
    numbers_type = TeachingNumbers
    mafia_cards = frozenset({"mafia"})
    steps: ClassVar[Mapping[str, Step]] = {
        "shot": Step(role_night.shot_ended, {"shoot": night.shoot}),
        "check": Step(role_night.check_ended, {"check": detective.check}),
        "protect": Step(role_night.protect_ended, {"protect": doctor.protect}),
        "speech": Step(day.speech_ended, SPEECH_ACTIONS, its_seat, speech=True),
        "nomination": Step(day.nomination_ended, {"nominate": day.nominate}, living),
        "defence": Step(day.defence_ended, SPEECH_ACTIONS, its_seat, speech=True),
        "vote": Step(day.vote_ended, {"vote": voting.vote, "pass": voting.abstain}),
        OVER: OVER_STEP,
    }
    turns: ClassVar[Mapping[str, Callable[[Table], None]]] = {"day": day.begin_day, "night": role_night.begin}
    permits = Permits(
        shoots_team=True,
        shoots_self=False,
        checks_self=True,
        nominates_self=True,
        votes_self=True,
        votes_anybody=False,
        may_abstain=True,
        speech_nominates=False,
    )

    def deck(self, _numbers: TeachingNumbers) -> list[str]:
        """One mafia, the detective, the doctor and three townspeople."""
        return list(DECK)

    def own(self) -> Protection:
        """What the doctor may not protect."""
        return Protection()

    def start(self, table: Table) -> None:
        """The first night is like every other."""
        role_night.begin(table)

    def winner(self, table: Table) -> str | None:
        """The town without the mafia, the mafia with no more than one other seat left."""
        mafia = len(table.living_mafia())
        if not mafia:
            return "town"
        limits = table.state.numbers
        assert isinstance(limits, TeachingNumbers)
        return "mafia" if len(table.state.living) - mafia <= limits.mafia_wins_at else None


RULESET = Teaching()
