"""Who may do what now: the contract's table of phases and its list of commands, read as one question.

Written from the contract, not from the code. `Model.may` says for every command whether the engine must accept it;
the model knows nothing of a game but the moderators' log and which commands were accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tests.engine.facts import SPEECHES

if TYPE_CHECKING:
    from tests.engine.ledger import Ledger

Json = Mapping[str, Any]

WORD_SIGNS = {"civilian", "sheriff", "mafia", "don", "red", "black", "check", "shot", "vote", "trust", "yes", "no"}
CATEGORIES = {"insult", "hate", "sexual"}
SEVERITIES = {"likely", "clear"}


class Model:
    """Follows one game through its ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def may(self, command: Json) -> bool:
        """Whether this well-formed command must be accepted now."""
        if self.ledger.over:
            return False
        answer: bool = getattr(self, f"_{command['do']}")(command)
        return answer

    def accepted(self, command: Json) -> None:
        """Notes what no event tells: a vote that is cast, a line that is flagged or ruled on."""
        if command["do"] == "line":
            self.ledger.flagged(command)
        else:
            self.ledger.did(command)

    # what is asked of the ledger

    def _phase(self) -> str:
        name: str = self.ledger.phase["name"]
        return name

    def _living(self, seat: int) -> bool:
        return seat in self.ledger.living

    def _turn(self, seat: int) -> bool:
        return bool(self.ledger.phase.get("seat") == seat)

    def _night_card(self, command: Json, card: str) -> bool:
        living = self._living(command["seat"]) and self._living(command["target"])
        return living and self.ledger.cards[command["seat"]] == card

    # nights

    def _order(self, command: Json) -> bool:
        seats = command["seats"]
        named = 1 <= len(seats) <= 10 and len(set(seats)) == len(seats) and all(map(self._living, seats))
        return self._phase() == "agreement" and self.ledger.cards[command["seat"]] == "don" and named

    def _ok(self, command: Json) -> bool:
        return self._phase() == "agreement" and command["seat"] in self.ledger.mafia

    def _shoot(self, command: Json) -> bool:
        ledger, seat, target = self.ledger, command["seat"], command["target"]
        if self._phase() != "shot" or seat not in ledger.living_mafia or not self._living(target):
            return False
        return ledger.facts.name == "sport" or target not in ledger.mafia

    def _check(self, command: Json) -> bool:
        ledger, seat, target = self.ledger, command["seat"], command["target"]
        match self._phase():
            case "don_check":
                fresh = target not in ledger.checked and target not in ledger.mafia
                return self._night_card(command, "don") and fresh
            case "sheriff_check":
                return self._night_card(command, "sheriff") and target != seat
            case "check":
                own = ledger.facts.name == "teaching" or target != seat
                return self._night_card(command, "detective") and own
        return False

    def _protect(self, command: Json) -> bool:
        again = command["target"] == self.ledger.protected
        return self._phase() == "protect" and self._night_card(command, "doctor") and not again

    # days

    def _pass(self, command: Json) -> bool:
        phase, seat = self._phase(), command["seat"]
        if phase == "vote":
            return self.ledger.facts.name != "sport" and self._may_answer(seat)
        if phase == "nomination":
            return self.ledger.facts.name == "party" and self._turn(seat)
        return phase in SPEECHES | {"short_turn", "best_move"} and self._turn(seat)

    def _may_answer(self, seat: int) -> bool:
        return self._living(seat) and seat not in self.ledger.voted

    def _nominate(self, command: Json) -> bool:
        ledger, seat, target = self.ledger, command["seat"], command["target"]
        if not self._living(target):
            return False
        match ledger.facts.name, self._phase():
            case "sport", ("speech" | "short_turn"):
                most = ledger.options.get("nominations", 1)
                assert isinstance(most, int)
                return self._turn(seat) and ledger.nominators[seat] < most and target not in ledger.nominees
            case "teaching", "nomination":
                return self._living(seat)
            case "party", "nomination":
                return self._turn(seat) and target != seat
        return False

    def _vote(self, command: Json) -> bool:
        seat, target = command["seat"], command["target"]
        if self._phase() != "vote" or not self._may_answer(seat) or target not in self.ledger.candidates:
            return False
        return self.ledger.facts.name != "quick" or seat != target

    def _lift(self, command: Json) -> bool:
        return self._phase() == "lift" and self._may_answer(command["seat"])

    def _best_move(self, command: Json) -> bool:
        if self._phase() != "best_move" or not self._turn(command["seat"]):
            return False
        seats, most = command["seats"], self.ledger.facts.number("best_move_seats", self.ledger.options)
        return len(set(seats)) == len(seats) <= most and all(map(self._living, seats))

    def _sign(self, command: Json) -> bool:
        sentence, seats = command["sentence"], self.ledger.cards
        known = all(each in WORD_SIGNS if isinstance(each, str) else each in seats for each in sentence)
        fits = 1 <= len(sentence) <= 5 and known
        in_speech = self.ledger.facts.name == "sport" and self._phase() in SPEECHES
        return in_speech and self._living(command["seat"]) and fits

    def _say(self, command: Json) -> bool:
        seat, kind, target = command["seat"], command["kind"], command.get("target")
        turn = self._living(seat) if self._phase() == "discussion" else self._phase() in SPEECHES and self._turn(seat)
        if kind == "claim":
            return turn and target is None and command.get("card") in self.ledger.cards.values()
        return turn and kind in ("defend", "ask") and "card" not in command and self._other(seat, target)

    def _other(self, seat: int, target: object) -> bool:
        return target in self.ledger.cards and target != seat

    def _floor(self, command: Json) -> bool:
        ledger, seat = self.ledger, command["seat"]
        open_floor = ledger.facts.name == "party" and self._phase() == "discussion" and ledger.floor is None
        return open_floor and self._living(seat) and seat not in ledger.floors

    # at any time

    def _report(self, command: Json) -> bool:
        line = self.ledger.lines.get(command["line"])
        return command["target"] in self.ledger.cards and (line is None or line.seat == command["target"])

    def _stop(self, _command: Json) -> bool:
        return self.ledger.facts.stoppable

    def _away(self, command: Json) -> bool:
        return command["seat"] not in self.ledger.away and command["seat"] not in self.ledger.bots

    def _back(self, command: Json) -> bool:
        return command["seat"] in self.ledger.away

    def _line(self, command: Json) -> bool:
        if command["category"] not in CATEGORIES or command["severity"] not in SEVERITIES:
            return False
        line = self.ledger.lines.get(command["line"])
        return line is None or not (line.flagged or line.ruled or line.seat != command["seat"])

    def _ruling(self, command: Json) -> bool:
        return command["line"] in self.ledger.lines


def universe(seats: int) -> Iterator[dict[str, Any]]:
    """Every command whose fields are seats of a table, or one above it, and the shortest of those with other fields."""
    table = range(1, seats + 1)
    for seat in table:
        for do in ("ok", "pass", "floor", "stop", "away", "back"):
            yield {"do": do, "seat": seat}
        for yes in (True, False):
            yield {"do": "lift", "seat": seat, "yes": yes}
        for target in (0, *table, seats + 1):
            for do in ("shoot", "check", "protect", "nominate", "vote"):
                yield {"do": do, "seat": seat, "target": target}
            for kind in ("defend", "ask"):
                yield {"do": "say", "seat": seat, "kind": kind, "target": target}
            yield {"do": "order", "seat": seat, "seats": [target]}
            yield {"do": "sign", "seat": seat, "sentence": [target]}
        for target in (0, 1, seats, seats + 1):
            yield {"do": "report", "seat": seat, "target": target, "line": "a"}
        for size in range(3):
            for named in combinations(table, size):
                yield {"do": "best_move", "seat": seat, "seats": list(named)}
        for card in ("civilian", "sheriff", "mafia", "don", "town", "detective", "doctor", "joker"):
            yield {"do": "say", "seat": seat, "kind": "claim", "card": card}
        for sign in ("red", "detective"):
            yield {"do": "sign", "seat": seat, "sentence": [sign]}
        for line in ("a", 1):
            yield {"do": "line", "seat": seat, "line": line, "category": "hate", "severity": "likely"}
    yield {"do": "stop"}
    for line in ("a", "b", 1):
        yield {"do": "ruling", "line": line, "uphold": True}
