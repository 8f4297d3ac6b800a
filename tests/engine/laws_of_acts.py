"""What holds of what the seats do, and of what comes of it: nominations, signs, picks, answers, votes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.engine.expectations import fits
from tests.engine.facts import SPEECHES
from tests.engine.holder import Holder

if TYPE_CHECKING:
    from tests.engine.expectations import Json

ANSWERS = {
    "don": lambda card, _: "sheriff" if card == "sheriff" else "not_sheriff",
    "sheriff": lambda _, mafia: "black" if mafia else "red",
    "detective": lambda _, mafia: "mafia" if mafia else "not_mafia",
}


class LawsOfActs(Holder):
    """The laws of each event that a seat's act makes, by the event's name."""

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
