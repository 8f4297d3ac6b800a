"""What holds in every game, and how a scenario's expectations are matched. Written from the contract, not the code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.engine.facts import FACTS, SPEECHES, Facts
from tests.engine.ledger import Ledger

Json = Mapping[str, Any]

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

ANSWERS = {
    "don": lambda card, _: "sheriff" if card == "sheriff" else "not_sheriff",
    "sheriff": lambda _, mafia: "black" if mafia else "red",
    "detective": lambda _, mafia: "mafia" if mafia else "not_mafia",
}


def same(a: object, b: object) -> bool:
    """Equality of JSON values: numbers by value, true and false never numbers."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) < 1e-6
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and a == b


def fits(partial: Json, event: Json) -> bool:
    """Whether `event` has what `partial` says; a null there also stands for a field that is left out."""
    for key, value in partial.items():
        if key not in event:
            if value is not None or key in ("killed", "ends"):
                return False
        elif not same(value, event[key]):
            return False
    return True


def check_expectations(scenario: Json, events: Sequence[Json]) -> None:
    """`expect` comes in this order among the events, `never` not at all, `last` is the last one."""
    rest = iter(events)
    for number, partial in enumerate(scenario.get("expect", [])):
        assert any(fits(partial, event) for event in rest), f"expectation {number} not met: {partial}"
    for partial in scenario.get("never", []):
        wrong = [event for event in events if fits(partial, event)]
        assert not wrong, f"must not be: {wrong[0]} (never {partial})"
    if "last" in scenario:
        assert fits(scenario["last"], events[-1]), f"the last event is {events[-1]}"


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


class Laws:
    """Holds a log against the contract, event by event."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.facts: Facts = ledger.facts
        self.t = 0.0
        self.turns: list[int] = []
        self.owed: list[tuple[str, int]] = []
        self.opener = 0
        self.team: list[int] = []
        self.votes: Json | None = None
        self.tied_before: list[int] | None = None
        self.removed: set[int] = set()

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

    # acts

    def _nominated(self, event: Json, _after: Json | None) -> None:
        ledger = self.ledger
        assert event["seat"] in ledger.living, event
        assert event["by"] in ledger.living, event
        assert "seat" not in ledger.phase or ledger.phase["seat"] == event["by"], event
        assert ledger.phase["name"] in ("speech", "short_turn", "nomination"), event
        if self.facts.name == "sport":
            assert event["seat"] not in ledger.nominees, event
            most = ledger.options.get("nominations", 1)
            assert isinstance(most, int)
            assert ledger.nominators[event["by"]] < most, event
        else:
            assert event["by"] not in ledger.nominators, event
        assert self.facts.name != "party" or event["seat"] != event["by"], event

    def _signed(self, event: Json, _after: Json | None) -> None:
        assert self.facts.name == "sport", event
        assert event["seat"] in self.ledger.living, event
        assert self.ledger.phase["name"] in SPEECHES, event

    def _said(self, event: Json, _after: Json | None) -> None:
        phase = self.ledger.phase
        assert phase["name"] in SPEECHES or phase["name"] == "discussion", event
        assert event["seat"] == phase.get("seat", event["seat"]), event
        assert event["seat"] in self.ledger.living or phase["name"] == "last_word", event

    def _pick(self, event: Json, _after: Json | None) -> None:
        ledger = self.ledger
        assert event["seat"] in ledger.living, event
        assert event["target"] in ledger.living, event
        card, phase = ledger.cards[event["seat"]], ledger.phase["name"]
        if phase == "shot":
            assert card in self.facts.mafia, event
            allowed = self.facts.name == "sport" or event["target"] not in ledger.mafia
            assert allowed, event
        elif phase == "don_check":
            assert card == "don", event
            assert event["target"] not in [*ledger.mafia, *ledger.checked], event
        elif phase == "protect":
            assert card == "doctor", event
            assert event["target"] != ledger.protected, event
        else:
            assert (phase, card) in (("sheriff_check", "sheriff"), ("check", "detective")), event
            assert self.facts.name == "teaching" or event["target"] != event["seat"], event

    def _answer(self, event: Json, after: Json | None) -> None:
        ledger = self.ledger
        assert event["t"] == ledger.phase["ends"], event
        assert ledger.picks.get(event["seat"]) == event["target"], event
        card = ledger.cards[event["target"]]
        assert event["answer"] == ANSWERS[ledger.cards[event["seat"]]](card, card in self.facts.mafia), event
        if after is not None:
            assert after["event"] in ("phase", "left", "morning"), after

    def _votes(self, event: Json, after: Json | None) -> None:
        ledger = self.ledger
        assert event["round"] == ledger.phase["round"], event
        votes = {int(seat): target for seat, target in event["votes"].items()}
        assert sorted(votes) == sorted(ledger.living), event
        cast = [target for target in votes.values() if target is not None]
        assert set(cast) <= set(ledger.candidates), event
        if self.facts.name == "sport":
            assert len(cast) == len(votes), event
        if self.facts.name == "quick":
            assert all(seat != target for seat, target in votes.items()), event
        counts = Counter(cast)
        most = max(counts.values(), default=0)
        top = [seat for seat in ledger.candidates if most and counts[seat] == most]
        leaves = 2 * most > len(votes) if self.facts.name == "teaching" else len(top) == 1
        self.votes = event
        if after is None:
            return
        if leaves:
            assert fits({"event": "left", "seat": top[0], "how": "vote"}, after), (event, after)
            self.owed += [("last_word", top[0])] if self.facts.name == "sport" else []
        elif len(top) > 1:
            assert fits({"event": "tie", "seats": top}, after), (event, after)
        else:
            assert after["event"] == "night", (event, after)

    def _tie(self, event: Json, after: Json | None) -> None:
        ledger, tied = self.ledger, event["seats"]
        if after is None:
            return
        if self.facts.name == "sport":
            barred_tied = ledger.options.get("lift_barred_tied", 3)
            barred_living = ledger.options.get("lift_barred_living", 9)
            barred = len(tied) == barred_tied and len(ledger.living) == barred_living
            again = ledger.phase["round"] > 1 and self.tied_before == tied
            may_lift = len(tied) < len(ledger.living) and not barred
            wanted = ("lift" if may_lift else None) if again else "tie_speech"
        else:
            runoff = self.facts.name == "quick" and self.facts.number("runoff", ledger.options)
            wanted = "tie_speech" if runoff and ledger.phase["round"] == 1 else None
        assert after.get("name") == wanted, (event, after)
        assert wanted is not None or after["event"] == "night", (event, after)

    def _lifted(self, event: Json, after: Json | None) -> None:
        ledger, votes = self.ledger, event["votes"]
        assert sorted(map(int, votes)) == sorted(ledger.living), event
        assert event["leave"] == (2 * sum(votes.values()) > len(votes)), event
        if event["leave"]:
            self.owed += [("last_word", seat) for seat in ledger.tied]
        if after is not None:
            assert (after["event"] == "left") == event["leave"], (event, after)

    # leaving, and the end

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
