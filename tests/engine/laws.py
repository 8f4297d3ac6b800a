"""What holds in every game. Written from the contract, not the code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.engine.facts import FACTS
from tests.engine.laws_of_acts import LawsOfActs
from tests.engine.laws_of_leaving import LawsOfLeaving
from tests.engine.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.engine.expectations import Json

MODERATORS_ONLY = {"held", "kept", "reported", "decided"}
ONE_SEAT = {"dealt", "answer"}
ALL = {
    "night", "day", "phase", "mic", "morning", "nominated", "votes", "tie", "lifted", "left", "best_move", "signed",
    "said", "warned", "fouled", "vote_cancelled", "away", "back", "bot", "over", "floor", "abandoned",
}  # fmt: skip

AFTER = {
    "night": {"phase"},
    "day": {"phase"},
    "votes": {"tie", "left", "night"},
    "tie": {"phase", "night"},
    "lifted": {"left", "night"},
    "morning": {"left", "decided", "day"},
    "vote_cancelled": {"night"},
    "abandoned": {"phase"},
}
"""What may come directly after an event, at the same time."""


def check_laws(
    events: Sequence[Json],
    ruleset: str = "sport",
    options: Mapping[str, object] | None = None,
    bots: Iterable[int] = (),
) -> Ledger:
    """The laws of any game of a ruleset, on its events in stored form, from the deal on.

    bots: seats that are bots from the start. Returns what the log tells.
    """
    ledger = Ledger(FACTS[ruleset], options or {}, bots=set(bots))
    Laws(ledger).check(events)
    return ledger


class Laws(LawsOfActs, LawsOfLeaving):
    """Holds a log against the contract, event by event."""

    def check(self, events: Sequence[Json]) -> None:
        """The next events of the log: all of it, or what one call of the engine has answered."""
        for event, after in zip(events, [*events[1:], None], strict=False):
            self._check(event, after)

    def _check(self, event: Json, after: Json | None) -> None:
        name, ledger = event["event"], self.ledger
        assert isinstance(event["t"], float)
        assert event["t"] >= self.t, event
        self.t = event["t"]
        if ledger.night_runs and name in ("left", "morning", "decided", "day"):
            ledger.night_ends()
        self._audience(event)
        if name in AFTER and after is not None:
            assert after["event"] in AFTER[name], (event, after)
            assert after["t"] == event["t"], (event, after)
        if ledger.over:
            assert name in ("mic", "over", "refused"), event
        check = getattr(self, f"_{name}", None)
        if check is not None:
            check(event, after)
        ledger.see(event)

    def _audience(self, event: Json) -> None:
        name, to, ledger = event["event"], event["to"], self.ledger
        if name in MODERATORS_ONLY:
            assert to == [], event
        elif name in ONE_SEAT:
            assert to == [event["seat"]], event
        elif name == "pick":
            team = self.facts.team_picks and event["seat"] in ledger.mafia
            assert to == (sorted(ledger.living_mafia) if team else [event["seat"]]), event
        elif name == "refused":
            alone = event.get("do") in ("line", "ruling") or "seat" not in event
            assert to == ([] if alone else [event["seat"]]), event
        elif name == "order":
            assert to == sorted(ledger.mafia), event
        elif name == "cleared":
            assert to in ("all", []), event
        else:
            assert name in ALL, event
            assert to == "all", event

    # the deal, nights and days

    def _dealt(self, event: Json, after: Json | None) -> None:
        ledger = self.ledger
        assert event["seat"] == len(ledger.cards) + 1, event
        mafia = event["card"] in self.facts.mafia
        assert ("team" in event) == mafia, event
        assert after is not None, event
        if mafia:
            self.owed.append(("team", event["seat"]))
            assert event["seat"] in event["team"], event
            self.team = event["team"]
        if after["event"] != "dealt":
            seats = len(ledger.cards) + 1
            cards = sorted([*ledger.cards.values(), event["card"]])
            assert seats in self.facts.seats, event
            assert cards == sorted(self.facts.deck(seats)), cards
            assert [seat for _, seat in self.owed] == self.team, event
            self.owed.clear()
            assert (after["event"], after["t"]) == ("night", 0.0), after

    def _night(self, event: Json, after: Json | None) -> None:
        assert event["number"] == self.ledger.night + 1, event
        if after is not None:
            assert after["name"] == (self.facts.night if event["number"] > 1 else self.facts.first)[0], after

    def _day(self, event: Json, after: Json | None) -> None:
        ledger = self.ledger
        assert event["number"] == ledger.day + 1, event
        assert event["number"] == ledger.night, event
        living = sorted(ledger.living)
        if self.facts.name == "sport":
            self.turns = [s for s in living if s > self.opener] + [s for s in living if s <= self.opener]
            self.opener = self.turns[0]
        else:
            self.turns = living

    def _morning(self, event: Json, _after: Json | None) -> None:
        ledger = self.ledger
        assert event["killed"] == ledger.killed(), event
        if event["killed"] is not None:
            best_move = self.facts.name == "sport" and ledger.night == 2 and self._best_move_is_owed()
            self.owed += [("best_move", event["killed"])] if best_move else []
            self.owed += [("last_word", event["killed"])] if self.facts.name == "sport" else []

    def _best_move_is_owed(self) -> bool:
        barred = self.ledger.options.get("best_move_barred_leavers", 2)
        assert isinstance(barred, int)
        return self.ledger.day_1_leavers < barred

    # phases and microphones

    def _phase(self, event: Json, after: Json | None) -> None:
        ledger, name = self.ledger, event["name"]
        before = ledger.phase
        if before:
            self._ended(before, event)
        if name == "over":
            assert event["ends"] is None
            assert ledger.winner is not None or ledger.abandoned, event
            should = sorted(ledger.cards)
        else:
            assert ledger.winner is None or name in ("best_move", "last_word"), event
            if before:
                assert ledger.result() is None or ledger.winner is not None, (event, ledger.result())
            self._length(event)
            self._turn(event)
            probe = Ledger(self.facts, {}, cards=ledger.cards, living=ledger.living, phase=event)
            should = probe.open_mics()
        if after is None:
            return
        if should != ledger.mic:
            assert (after["event"], after["t"]) == ("mic", event["t"]), (event, after)
            assert after["seats"] == should, (event, after)
        else:
            assert after["event"] != "mic" or after["t"] > event["t"], (event, after)

    def _ended(self, before: Json, event: Json) -> None:
        """A phase ends by its time, or before it where what is done in it may end it."""
        ledger, name = self.ledger, event["name"]
        facts = self.facts.phases[before["name"]]
        assert event["t"] <= before["ends"], (before, event)
        if name != "over":
            assert name in facts.follows, (before, event)
        elif ledger.abandoned:
            return
        if event["t"] < before["ends"]:
            assert facts.early, (before, event)
            if before["name"] == "agreement":
                black = set(ledger.mafia)
                assert any(black - {seat} <= ledger.bots for seat in black), event
        if before["name"] == "discussion" and ledger.floor is not None:
            assert ledger.floor_until > event["t"], "the floor's end comes first"
        if before["name"] in ("speech", "short_turn") and name not in ("speech", "short_turn", "over"):
            assert not [seat for seat in self.turns if seat in ledger.living], event
        if before["name"] == "nomination" and self.facts.name == "party" and name != "nomination":
            assert not self.turns, event
        if before["name"] in ("tie_speech", "defence") and name == "vote":
            assert not self.turns, event

    def _length(self, event: Json) -> None:
        name, options = event["name"], self.ledger.options
        lengths = {self.facts.number(f"{name}_s", options)}
        if name == "speech" and self.facts.name == "sport":
            few = len(self.ledger.living) <= self.facts.number("short_speech_living", options)
            lengths |= {self.facts.number("short_speech_s", options)} if few else set()
        assert any(abs(event["ends"] - event["t"] - each) < 1e-6 for each in lengths), event

    def _turn(self, event: Json) -> None:
        """Whose turn it is, in the order that the day, the tie or the night has made."""
        ledger, name = self.ledger, event["name"]
        assert ("round" in event) == (name == "vote"), event
        has_seat = self.facts.phases[name].mic == "seat" or name in ("short_turn", "best_move")
        has_seat |= self.facts.name == "party" and name == "nomination"
        assert ("seat" in event) == has_seat, event
        if name in ("best_move", "last_word"):
            assert (name, event["seat"]) == self.owed.pop(0), event
            return
        assert not self.owed, (event, self.owed)
        if name == "vote":
            again = ledger.phase["name"] == "tie_speech"
            assert event["round"] == (self.votes["round"] + 1 if again and self.votes else 1), event
            if not again:
                ledger.tied = []
            if self.facts.name == "sport":
                assert len(ledger.candidates) >= (2 if ledger.day == 1 else 1)
            self.tied_before = list(ledger.candidates)
        elif has_seat:
            first = ledger.phase["name"] != name
            if name == "defence" and first:
                self.turns = sorted(ledger.nominees)
            elif name == "nomination" and first:
                self.turns = sorted(ledger.living)
            elif name == "tie_speech" and first:
                self.turns = list(ledger.tied)
            while self.facts.name == "sport" and name != "tie_speech" and self.turns[0] not in ledger.living:
                self.turns.pop(0)
            assert event["seat"] == self.turns.pop(0), event
            assert event["seat"] in ledger.living, event

    def _mic(self, event: Json, _after: Json | None) -> None:
        ledger = self.ledger
        assert event["seats"] != ledger.mic, event
        assert event["seats"] == sorted(event["seats"]), event
        if ledger.floor is not None and ledger.mic == [ledger.floor]:
            assert event["t"] == ledger.floor_until, event
            assert event["seats"] == sorted(ledger.living), event
        else:
            assert event["seats"] == ledger.open_mics(), event
        open_for = set(event["seats"])
        assert ledger.over or ledger.phase["name"] == "last_word" or open_for <= set(ledger.living), event

    def _floor(self, event: Json, after: Json | None) -> None:
        ledger = self.ledger
        assert ledger.phase["name"] == "discussion", event
        assert ledger.floor is None, event
        assert event["seat"] in ledger.living, event
        assert event["seat"] not in ledger.floors, event
        until = min(event["t"] + self.facts.number("floor_s", ledger.options), ledger.phase["ends"])
        assert abs(event["until"] - until) < 1e-6, event
        if after is not None:
            assert (after["event"], after["t"], after["seats"]) == ("mic", event["t"], [event["seat"]]), after
