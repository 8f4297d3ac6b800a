"""Games played step by step by hypothesis, with the contract's model and laws beside them; one machine a ruleset."""

from __future__ import annotations

import copy
from typing import Any, ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.replay import Start, refold
from tests.engine.driver import KINDS, LINES, SEATS, WAITS, starts
from tests.engine.follower import Follower, stored

seats = st.integers(1, 13)
targets = st.integers(0, 14)


class Table(RuleBasedStateMachine):
    """One game. Every command is one that the model says must be accepted, or must not."""

    ruleset: ClassVar[str]

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        start: Start = data.draw(starts(self.ruleset))
        self.follower = Follower(start)

    def do(self, seat: int, command: dict[str, Any]) -> None:
        here = 1 + (seat - 1) % len(self.follower.driven.game.cards)
        self.follower.do({**command, "seat": here})

    @rule(number=st.integers(0, KINDS * SEATS * SEATS * len(WAITS) - 1))
    def play_what_fits_the_phase(self, number: int) -> None:
        self.follower.act(number)

    @rule(seconds=st.sampled_from([0.0, 0.1, 5.0, 30.0, 240.0, 1000.0]))
    def wait(self, seconds: float) -> None:
        self.follower.advance(self.follower.driven.game.now + seconds)

    @precondition(lambda self: self.follower.driven.game.due is not None)
    @rule()
    def wait_for_what_comes_next(self) -> None:
        due = self.follower.driven.game.due
        assert due is not None
        self.follower.advance(due)

    @rule(seat=seats, do=st.sampled_from(["ok", "pass", "floor", "away", "back"]))
    def act_alone(self, seat: int, do: str) -> None:
        self.do(seat, {"do": do})

    @rule(seat=seats, do=st.sampled_from(["shoot", "check", "protect", "nominate", "vote"]), whom=targets)
    def act_on_another(self, seat: int, do: str, whom: int) -> None:
        self.do(seat, {"do": do, "target": whom})

    @rule(seat=seats, kind=st.sampled_from(["defend", "ask", "claim", "joke"]), whom=targets)
    def say(self, seat: int, kind: str, whom: int) -> None:
        about = {"card": ["mafia", "sheriff", "doctor"][whom % 3]} if kind == "claim" else {"target": whom}
        self.do(seat, {"do": "say", "kind": kind, **about})

    @rule(seat=seats, sentence=st.lists(targets | st.sampled_from(["red", "black", "banana"]), max_size=6))
    def sign(self, seat: int, sentence: list[int | str]) -> None:
        self.do(seat, {"do": "sign", "sentence": sentence})

    @rule(seat=seats, do=st.sampled_from(["order", "best_move"]), named=st.lists(targets, max_size=11))
    def name_seats(self, seat: int, do: str, named: list[int]) -> None:
        self.do(seat, {"do": do, "seats": named})

    @rule(seat=seats, yes=st.booleans())
    def lift(self, seat: int, yes: bool) -> None:
        self.do(seat, {"do": "lift", "yes": yes})

    @rule(seat=seats, line=st.sampled_from(LINES), severity=st.sampled_from(["likely", "clear", "mild"]))
    def flag(self, seat: int, line: int | str, severity: str) -> None:
        self.do(seat, {"do": "line", "line": line, "category": "insult", "severity": severity})

    @rule(seat=seats, whom=targets, line=st.sampled_from(LINES))
    def report(self, seat: int, whom: int, line: int | str) -> None:
        self.do(seat, {"do": "report", "target": whom, "line": line})

    @rule(line=st.sampled_from(LINES), uphold=st.booleans())
    def rule_on_a_line(self, line: int | str, uphold: bool) -> None:
        self.follower.do({"do": "ruling", "line": line, "uphold": uphold})

    @rule()
    def store_it_and_go_on_from_its_log(self) -> None:
        driven = self.follower.driven
        game, events = refold(driven.start, driven.inputs)
        assert stored(events) == stored(driven.events)
        assert game == driven.game
        driven.game = game

    @rule()
    def go_on_with_a_copy(self) -> None:
        self.follower.driven.game = copy.deepcopy(self.follower.driven.game)

    @invariant()
    def what_it_shows_is_what_it_has_told(self) -> None:
        if hasattr(self, "follower"):
            self.follower.look()

    def teardown(self) -> None:
        if hasattr(self, "follower"):
            self.follower.finish()


def _case(ruleset_name: str) -> Any:
    machine = type(ruleset_name.title(), (Table,), {"ruleset": ruleset_name})
    machine.TestCase.settings = settings(  # type: ignore[attr-defined]
        max_examples=300, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    return machine.TestCase  # type: ignore[attr-defined]


TestSport = _case("sport")
TestQuick = _case("quick")
TestTeaching = _case("teaching")
TestParty = _case("party")
