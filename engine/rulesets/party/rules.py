"""Party Mafia, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine import detective, doctor, floor, role_night, voting
from engine.doctor import Protection
from engine.night import shoot_outside
from engine.permits import Permits
from engine.rulesets.base import Ruleset
from engine.rulesets.party import day
from engine.rulesets.party.numbers import PartyNumbers
from engine.speaking import SPEECH_ACTIONS, end_turn, say_in_discussion
from engine.table import OVER, OVER_STEP, Step, Table, its_seat, living
from engine.winning import parity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Party(Ruleset):
    """Seven to thirteen seats with one or two mafia, a detective and a doctor."""

    name = "party"
    numbers_type = PartyNumbers
    mafia_cards = frozenset({"mafia"})
    steps: ClassVar[Mapping[str, Step]] = {
        "shot": Step(role_night.shot_ended, {"shoot": shoot_outside}),
        "check": Step(role_night.check_ended, {"check": detective.check_another}),
        "protect": Step(role_night.protect_ended, {"protect": doctor.protect}),
        "discussion": Step(day.discussion_ended, {"say": say_in_discussion, "floor": floor.hold}, living),
        "nomination": Step(day.nomination_ended, {"nominate": day.nominate, "pass": end_turn}),
        "defence": Step(day.defence_ended, SPEECH_ACTIONS, its_seat, speech=True),
        "vote": Step(day.vote_ended, {"vote": voting.vote, "pass": voting.abstain}),
        OVER: OVER_STEP,
    }
    turns: ClassVar[Mapping[str, Callable[[Table], None]]] = {"day": day.begin_day, "night": role_night.begin}
    permits = Permits(
        shoots_team=False,
        shoots_self=False,
        checks_self=False,
        nominates_self=False,
        votes_self=True,
        votes_anybody=False,
        may_abstain=True,
        speech_nominates=False,
    )

    def deck(self, numbers: PartyNumbers) -> list[str]:
        """One mafia, or two at a larger table, the detective, the doctor, the rest town.

        Which cards there are is data of the ruleset; how large such a table is, one of its numbers.
        """
        mafia = 2 if numbers.seats >= numbers.second_mafia_seats else 1
        return ["mafia"] * mafia + ["detective", "doctor"] + ["town"] * (numbers.seats - mafia - 2)

    def own(self) -> Protection:
        """What the doctor may not protect."""
        return Protection()

    def start(self, table: Table) -> None:
        """The first night is like every other."""
        role_night.begin(table)

    def winner(self, table: Table) -> str | None:
        """By parity."""
        return parity(table)


RULESET = Party()
