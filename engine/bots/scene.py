"""What a seat was shown, folded: who lives, whose phase it is, what may be chosen. Nothing here is a guess."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.permits import Permits, permits_of
from engine.rulesets import ruleset as find_ruleset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.numbers import Numbers


class Scene:
    """The table as one seat has seen it.

    living: the seats still at the table, sorted. mafia_cards: which of the ruleset's cards are the mafia's.
    card, team: the own card; of a mafia seat all its team, else empty.
    phase: how many phases have begun; `ends` of the running one is None when the game is over.
    nominees: of this day, in order; nominated_by: who put each of them up. candidates: between whom the vote runs.
    own_nominations: how many the own seat made this day. signs: own sentences in this speech.
    checks: answers the own seat got, by target. order: the mafia's shooting order.
    barred: the seat that may not be protected tonight.
    """

    __slots__ = (
        "_protected",
        "barred",
        "candidates",
        "card",
        "checks",
        "day",
        "ends",
        "living",
        "mafia_cards",
        "night",
        "nominated_by",
        "nominees",
        "numbers",
        "order",
        "own_nominations",
        "permits",
        "phase",
        "phase_name",
        "phase_seat",
        "round",
        "seat",
        "seats",
        "signs",
        "team",
    )

    def __init__(self, ruleset: str, seat: int, numbers: Numbers) -> None:
        self.seat = seat
        self.numbers = numbers
        self.permits: Permits = permits_of(ruleset)
        self.mafia_cards = find_ruleset(ruleset).mafia_cards
        self.seats: int = numbers.seats
        self.living = list(range(1, self.seats + 1))
        self.card = ""
        self.team: tuple[int, ...] = ()
        self.day = 0
        self.night = 0
        self.phase = 0
        self.phase_name = ""
        self.phase_seat: int | None = None
        self.round = 0
        self.ends: float | None = None
        self.nominees: list[int] = []
        self.nominated_by: dict[int, int] = {}
        self.candidates: list[int] = []
        self.own_nominations = 0
        self.signs = 0
        self.checks: dict[int, str] = {}
        self.order: list[int] = []
        self.barred: int | None = None
        self._protected: tuple[int, int | None] = (0, None)  # on which night, whom

    def see(self, event: Mapping[str, Any]) -> None:
        """Takes in one event as its seat was shown it; an event that changes nothing here is passed over."""
        fold = _FOLDS.get(event["event"])
        if fold is not None:
            fold(self, event)

    @property
    def lives(self) -> bool:
        """Whether the own seat is still at the table."""
        return self.seat in self.living

    @property
    def its_turn(self) -> bool:
        """Whether the running phase is the own seat's."""
        return self.phase_seat == self.seat

    def others(self) -> list[int]:
        """The living seats beside the own one."""
        return [seat for seat in self.living if seat != self.seat]

    # what may be chosen; empty where nothing may

    def shots(self) -> list[int]:
        """Whom the own seat may shoot."""
        if not self.team or not self.lives:
            return []
        permits = self.permits
        return [
            seat
            for seat in self.living
            if (permits.shoots_self if seat == self.seat else permits.shoots_team or seat not in self.team)
        ]

    def don_checks(self) -> list[int]:
        """Whom a don may check."""
        if self.card != "don" or not self.lives:
            return []
        return [seat for seat in self.living if seat not in self.team and seat not in self.checks]

    def seeker_checks(self, card: str) -> list[int]:
        """Whom the holder of `card`, the sheriff or the detective, may check."""
        if self.card != card or not self.lives:
            return []
        return list(self.living) if self.permits.checks_self else self.others()

    def protections(self) -> list[int]:
        """Whom a doctor may protect."""
        if self.card != "doctor" or not self.lives:
            return []
        return [seat for seat in self.living if seat != self.barred]

    def nominations(self) -> list[int]:
        """Whom the own seat may put up now, its turn or its right to one not asked."""
        seats = self.living if self.permits.nominates_self else self.others()
        return [seat for seat in seats if seat not in self.nominees]

    def ballots(self) -> list[int]:
        """For whom the own seat may vote."""
        if not self.lives:
            return []
        if self.permits.votes_self:
            return list(self.candidates)
        return [seat for seat in self.candidates if seat != self.seat]

    # the folds

    def _dealt(self, event: Mapping[str, Any]) -> None:
        self.card = event["card"]
        self.team = tuple(event.get("team", ()))

    def _phase(self, event: Mapping[str, Any]) -> None:
        self.phase += 1
        self.phase_name = name = event["name"]
        self.phase_seat = event.get("seat")
        self.ends = event["ends"]
        self.signs = 0
        if name == "vote":
            self.round = event["round"]
            if self.round == 1:
                self.candidates = list(self.living if self.permits.votes_anybody else self.nominees)
        elif name == "protect":
            night, protected = self._protected
            self.barred = protected if night == self.night - 1 else None

    def _day(self, event: Mapping[str, Any]) -> None:
        self.day = event["number"]
        self.nominees = []
        self.nominated_by = {}
        self.own_nominations = 0

    def _night(self, event: Mapping[str, Any]) -> None:
        self.night = event["number"]

    def _nominated(self, event: Mapping[str, Any]) -> None:
        seat, by = event["seat"], event["by"]
        if seat not in self.nominated_by:
            self.nominees.append(seat)
            self.nominated_by[seat] = by
        if by == self.seat:
            self.own_nominations += 1

    def _tie(self, event: Mapping[str, Any]) -> None:
        self.candidates = list(event["seats"])

    def _left(self, event: Mapping[str, Any]) -> None:
        seat = event["seat"]
        if seat in self.living:
            self.living.remove(seat)

    def _order(self, event: Mapping[str, Any]) -> None:
        self.order = list(event["seats"])

    def _pick(self, event: Mapping[str, Any]) -> None:
        if self.phase_name == "protect" and event["seat"] == self.seat:
            self._protected = (self.night, event["target"])

    def _answer(self, event: Mapping[str, Any]) -> None:
        self.checks[event["target"]] = event["answer"]

    def _signed(self, event: Mapping[str, Any]) -> None:
        if event["seat"] == self.seat:
            self.signs += 1


_FOLDS: dict[str, Callable[[Scene, Mapping[str, Any]], None]] = {
    "dealt": Scene._dealt,
    "phase": Scene._phase,
    "day": Scene._day,
    "night": Scene._night,
    "nominated": Scene._nominated,
    "tie": Scene._tie,
    "left": Scene._left,
    "order": Scene._order,
    "pick": Scene._pick,
    "answer": Scene._answer,
    "signed": Scene._signed,
}
