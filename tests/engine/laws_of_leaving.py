"""What holds of leaving and of the end, of fouls, and of lost connections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.engine.holder import Holder
from tests.engine.ledger import Ledger

if TYPE_CHECKING:
    from tests.engine.expectations import Json


class LawsOfLeaving(Holder):
    """The laws of each event that takes a seat away, warns it, or ends the game, by the event's name."""

    def _left(self, event: Json, after: Json | None) -> None:
        ledger, seat, how = self.ledger, event["seat"], event["how"]
        assert seat in ledger.living, event
        assert event.get("card") == (ledger.cards[seat] if self.facts.reveals else None), event
        hows = {"shot", "vote", "lift", "removal"} if self.facts.name == "sport" else {"shot", "vote"}
        assert how in hows, event
        if how == "removal":
            self.removed.add(seat)
            assert ledger.fouls[seat] >= self.facts.number("removal_fouls", ledger.options), event
        if after is not None:
            last = ledger.living == [seat] or after["event"] != "left"
            left = Ledger(self.facts, ledger.options, cards=ledger.cards, idle=0)
            left.living = [other for other in ledger.living if other != seat]
            due = last and ledger.winner is None and left.result() is not None
            assert (after["event"] == "decided") == due, (event, after)
            assert how == "removal" or after["t"] == event["t"], (event, after)

    def _decided(self, event: Json, _after: Json | None) -> None:
        assert self.ledger.winner is None, event
        assert event["winner"] == self.ledger.result(), event

    def _over(self, event: Json, after: Json | None) -> None:
        ledger = self.ledger
        assert not ledger.abandoned, event
        assert not self.owed, event
        assert after is None or after["event"] == "refused", after
        assert event["winner"] == ledger.winner, event
        assert event["cards"] == {str(seat): card for seat, card in ledger.cards.items()}
        assert ("points" in event) == (self.facts.name == "sport")
        if "points" in event:
            assert event["points"] == {str(seat): self._points(seat) for seat in ledger.cards}, event

    def _points(self, seat: int) -> float:
        ledger = self.ledger

        def number(name: str) -> float:
            return self.facts.number(name, ledger.options)

        black = seat in ledger.mafia
        total = number("points_draw")
        if ledger.winner != "draw":
            total = number("points_win" if black == (ledger.winner == "mafia") else "points_loss")
        if not black:
            named = sum(other in ledger.mafia for other in ledger.best_moves.get(seat, []))
            total += number(f"points_best_move_{named}") if named > 1 else 0.0
        total += number("points_removal") if seat in self.removed else 0.0
        return round(total, 1) + 0.0

    # conduct

    def _fouled(self, event: Json, _after: Json | None) -> None:
        assert event["fouls"] == self.ledger.fouls[event["seat"]] + 1, event
        assert ("category" in event) == (event["why"] == "line") or event["why"] == "ruling", event
        if event["why"] == "line" and self.facts.name == "sport" and event["seat"] in self.ledger.living:
            assert event["fouls"] < self.facts.number("removal_fouls", self.ledger.options), event

    def _cleared(self, event: Json, _after: Json | None) -> None:
        before = self.ledger.fouls[event["seat"]]
        assert event["fouls"] in (before, before - 1), event
        assert event["fouls"] >= 0, event
        assert event["to"] == "all" or event["fouls"] == before, event

    def _held(self, event: Json, _after: Json | None) -> None:
        assert self.facts.name == "sport", event
        assert event["seat"] in self.ledger.living, event
        assert self.ledger.fouls[event["seat"]] + 1 >= self.facts.number("removal_fouls", self.ledger.options), event

    def _kept(self, event: Json, _after: Json | None) -> None:
        assert event["seat"] not in self.ledger.living, event

    def _warned(self, event: Json, _after: Json | None) -> None:
        assert event["seat"] in self.ledger.living, event
        assert set(event) == {"t", "event", "to", "seat", "category", "line"}, event

    def _vote_cancelled(self, event: Json, _after: Json | None) -> None:
        assert event["day"] == self.ledger.day, event
        assert self.facts.name == "sport", event

    # presence

    def _away(self, event: Json, _after: Json | None) -> None:
        assert event["seat"] not in self.ledger.away, event
        assert event["seat"] not in self.ledger.bots, event
        until = event["t"] + self.facts.number("away_s", self.ledger.options)
        assert abs(event["until"] - until) < 1e-6, event

    def _back(self, event: Json, _after: Json | None) -> None:
        assert event["seat"] in self.ledger.away, event

    def _bot(self, event: Json, _after: Json | None) -> None:
        assert event["t"] == self.ledger.away[event["seat"]], event
