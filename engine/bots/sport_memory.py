"""What a bot knows: the fold of what its own seat was shown, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.stream import Stream

BLACK, RED = "black", "red"

TRUST_OF_OWN_CHECK = 100.0
TRUST_OF_CLAIM = 6.0
GRUDGE = 0.6


@dataclass(slots=True)
class Memory:
    """A seat's knowledge.

    suspicion: by seat, higher is blacker; begins as a small seeded leaning, so that bots differ.
    told: what each seat that claims to be the sheriff has signed of its checks.
    phase: how many phases have begun; `ends` of the running one is None when the game is over.
    """

    seat: int
    living: set[int]
    suspicion: dict[int, float]
    card: str = ""
    team: frozenset[int] = frozenset()
    day: int = 0
    phase: int = 0
    phase_name: str = ""
    phase_seat: int | None = None
    ends: float | None = None
    order: list[int] = field(default_factory=list)
    nominees: list[int] = field(default_factory=list)
    candidates: list[int] = field(default_factory=list)
    nominated: int = 0
    signs: int = 0
    accusers: list[int] = field(default_factory=list)
    checks: dict[int, str] = field(default_factory=dict)
    shown_checks: set[int] = field(default_factory=set)
    told: dict[int, dict[int, str]] = field(default_factory=dict)

    @classmethod
    def fresh(cls, seat: int, seats: int, stream: Stream) -> Memory:
        """Before anything was seen, at a table of `seats` seats."""
        table = range(1, seats + 1)
        return cls(seat, set(table), {other: stream.chance() for other in table})

    def see(self, event: Mapping[str, Any]) -> None:
        """Takes in one event as its seat was shown it."""
        name = event["event"]
        seen = _SEEN.get(name)
        if seen is not None:
            seen(self, event)

    def doubt(self, seat: int) -> float:
        """How black a seat looks, checks and claims included."""
        doubt = self.suspicion[seat]
        known = self.checks.get(seat)
        if known in (BLACK, "sheriff", RED):
            doubt += TRUST_OF_OWN_CHECK if known == BLACK else -TRUST_OF_OWN_CHECK
        # Two sheriffs: neither is believed fully.
        trust = TRUST_OF_CLAIM / max(1, len(self.told)) if self.card != "sheriff" else 0.0
        for claimant, told in self.told.items():
            if seat in told and claimant != self.seat and seat != self.seat:
                doubt += trust if told[seat] == BLACK else -trust
        if self.card == "sheriff" and seat in self.told and seat != self.seat:
            doubt += TRUST_OF_CLAIM  # there is one sheriff, and it is this seat
        return doubt

    def suspects(self) -> list[int]:
        """The living seats beside the own one and its team, the most doubtful first."""
        others = [seat for seat in self.living if seat != self.seat and seat not in self.team]
        return sorted(others, key=lambda seat: (-self.doubt(seat), seat))

    def _dealt(self, event: Mapping[str, Any]) -> None:
        self.card = event["card"]
        self.team = frozenset(event.get("team", ()))

    def _phase(self, event: Mapping[str, Any]) -> None:
        self.phase += 1
        self.phase_name, self.phase_seat, self.ends = event["name"], event.get("seat"), event["ends"]
        self.signs = 0
        if event["name"] == "vote" and event["round"] == 1:
            self.candidates = list(self.nominees)

    def _day(self, event: Mapping[str, Any]) -> None:
        self.day = event["number"]
        self.nominees.clear()
        self.accusers.clear()
        self.nominated = 0

    def _nominated(self, event: Mapping[str, Any]) -> None:
        self.nominees.append(event["seat"])
        if event["by"] == self.seat:
            self.nominated += 1
        elif event["seat"] == self.seat:
            self.suspicion[event["by"]] += GRUDGE
            self.accusers.append(event["by"])

    def _votes(self, event: Mapping[str, Any]) -> None:
        for voter, target in event["votes"].items():
            if target == self.seat and int(voter) != self.seat:
                self.suspicion[int(voter)] += GRUDGE

    def _tie(self, event: Mapping[str, Any]) -> None:
        self.candidates = list(event["seats"])

    def _left(self, event: Mapping[str, Any]) -> None:
        self.living.discard(event["seat"])

    def _order(self, event: Mapping[str, Any]) -> None:
        self.order = list(event["seats"])

    def _answer(self, event: Mapping[str, Any]) -> None:
        self.checks[event["target"]] = event["answer"]

    def _said(self, event: Mapping[str, Any]) -> None:
        if event["kind"] == "claim" and event["card"] == "sheriff":
            self.told.setdefault(event["seat"], {})

    def _signed(self, event: Mapping[str, Any]) -> None:
        seat, sentence = event["seat"], event["sentence"]
        if seat == self.seat:
            self.signs += 1
        match sentence:
            case ["check", int(target), ("red" | "black") as colour]:
                if seat in self.told:
                    self.told[seat][target] = colour
                if seat == self.seat:
                    self.shown_checks.add(target)


_SEEN = {
    "dealt": Memory._dealt,
    "phase": Memory._phase,
    "day": Memory._day,
    "nominated": Memory._nominated,
    "votes": Memory._votes,
    "tie": Memory._tie,
    "left": Memory._left,
    "order": Memory._order,
    "answer": Memory._answer,
    "said": Memory._said,
    "signed": Memory._signed,
}
