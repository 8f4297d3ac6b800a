"""Sport Mafia, put together: the deck, the phases, who wins, and the points."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine import conduct, voting
from engine.events import VOTED_OUT
from engine.permits import Permits
from engine.points import Ending, PointsParts
from engine.rulesets.base import Ruleset
from engine.rulesets.sport import day, night, owed, removal, vote
from engine.rulesets.sport.numbers import SportNumbers
from engine.rulesets.sport.state import SportState, numbers, sport
from engine.speaking import SPEECH_ACTIONS, end_turn
from engine.table import OVER, OVER_STEP, Step, Table, its_seat
from engine.winning import parity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SPEECH = {**SPEECH_ACTIONS, "sign": conduct.sign}

DECK = {"civilian": 6, "sheriff": 1, "mafia": 2, "don": 1}
"""How many of each card: data of the ruleset, and not one of its numbers, which options change."""


class Sport(Ruleset):
    """The rules of record for ten seats, seven red and three black."""

    name = "sport"
    numbers_type = SportNumbers
    mafia_cards = frozenset({"mafia", "don"})
    reveals = False
    stoppable = False
    steps: ClassVar[Mapping[str, Step]] = {
        "agreement": Step(night.agreement_ended, {"order": night.order, "ok": night.ok}),
        "speech": Step(day.speech_ended, {**SPEECH, "nominate": day.nominate}, its_seat, speech=True),
        "short_turn": Step(day.short_turn_ended, {"nominate": day.nominate_in_short_turn, "pass": end_turn}),
        "vote": Step(vote.vote_ended, {"vote": voting.vote}),
        "tie_speech": Step(vote.tie_speech_ended, SPEECH, its_seat, speech=True),
        "lift": Step(vote.lift_ended, {"lift": voting.lift}),
        "shot": Step(night.shot_ended, {"shoot": night.shoot}),
        "don_check": Step(night.don_check_ended, {"check": night.don_check}),
        "sheriff_check": Step(night.sheriff_check_ended, {"check": night.sheriff_check}),
        "best_move": Step(owed.best_move_ended, {"best_move": owed.best_move, "pass": end_turn}),
        "last_word": Step(owed.last_word_ended, SPEECH, its_seat, speech=True),
        OVER: OVER_STEP,
    }
    turns: ClassVar[Mapping[str, Callable[[Table], None]]] = {
        "day": day.begin_day,
        "next_speech": day.next_speech,
        "vote": vote.begin_vote,
        "night": night.begin_night,
    }
    permits = Permits(
        shoots_team=True,
        shoots_self=True,
        checks_self=False,
        nominates_self=True,
        votes_self=True,
        votes_anybody=False,
        may_abstain=False,
        speech_nominates=True,
    )

    def deck(self, _numbers: SportNumbers) -> list[str]:
        """Six civilians, the sheriff, two mafia and the don."""
        return [card for card, count in DECK.items() for _ in range(count)]

    def own(self) -> SportState:
        """A fresh SportState."""
        return SportState()

    def start(self, table: Table) -> None:
        """The agreement night."""
        night.begin_agreement(table)

    def winner(self, table: Table) -> str | None:
        """Town without black seats, mafia with as many as red ones, a draw after three idle nights."""
        winner = parity(table)
        if winner is None and sport(table).idle_nights >= numbers(table).draw_nights:
            return "draw"
        return winner

    def points(self, table: Table) -> dict[int, float]:
        """The sum of `points_parts`, to one decimal."""
        state, own = table.state, sport(table)
        assert state.winner is not None
        ending = Ending(len(state.cards), state.mafia, state.winner, own.best_moves, own.removed)
        return {seat: parts.total for seat, parts in self.points_parts(numbers(table), ending).items()}

    def points_parts(self, numbers: SportNumbers, ending: Ending) -> dict[int, PointsParts]:
        """The outcome's, a red seat's best move, and a removal's, whatever the outcome (seed 000, "Points")."""
        for_best_move = {2: numbers.points_best_move_2, 3: numbers.points_best_move_3}
        result: dict[int, PointsParts] = {}
        for seat in range(1, ending.seats + 1):
            mafia = seat in ending.mafia
            if ending.winner == "draw":
                outcome = numbers.points_draw
            else:
                outcome = numbers.points_win if mafia == (ending.winner == "mafia") else numbers.points_loss
            black = 0 if mafia else sum(named in ending.mafia for named in ending.best_moves.get(seat, ()))
            removal = numbers.points_removal if seat in ending.removed else 0.0
            result[seat] = PointsParts(outcome, for_best_move.get(black, 0.0), removal)
        return result

    def left(self, table: Table, _seat: int, how: str) -> None:
        """Whoever leaves, and however, the table is not idle."""
        own = sport(table)
        own.idle_nights = 0
        if table.state.day == 1 and how in VOTED_OUT:
            own.day_1_leavers += 1

    def holds_line_foul(self, table: Table, seat: int) -> bool:
        """See removal.holds_line_foul."""
        return removal.holds_line_foul(table, seat)

    def fouled(self, table: Table, seat: int) -> None:
        """See removal.fouled."""
        removal.fouled(table, seat)

    def foul_taken_back(self, table: Table, seat: int) -> None:
        """See removal.foul_taken_back."""
        removal.foul_taken_back(table, seat)


RULESET = Sport()
