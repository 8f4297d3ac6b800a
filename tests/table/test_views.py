"""A seat's messages hold nothing that it may not know: a law over any two deals it can't tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from voice.table.journal import Journal
from voice.table.play import Play, deal
from voice.table.records import Spoken

if TYPE_CHECKING:
    from voice.table.play import Outcome

DECK = ["civilian"] * 6 + ["sheriff", "mafia", "mafia", "don"]
SEAT = 1  # a civilian in both deals

others = st.permutations(DECK[1:])
seats = st.integers(1, 10)
picks = st.lists(st.tuples(seats, seats, seats), min_size=12, max_size=12)


class Deal:
    """One game of ten people, played by a script."""

    def __init__(self, cards: list[str], seed: int) -> None:
        people = {seat: f"p{seat}" for seat in range(1, 11)}
        self.play: Play
        self.journal = Journal("sport", 10)
        self.play, outcome = deal("sport", {}, seed, people, [], cards)
        self.journal.seat({str(seat): {"name": f"P{seat}", "bot": False} for seat in people})
        self.publish(outcome)

    def publish(self, outcome: Outcome) -> None:
        self.journal.publish(outcome.items)

    def do(self, command: dict[str, Any], after_s: float) -> None:
        self.publish(self.play.command(command, self.play.game.now + after_s))

    def black(self) -> list[int]:
        cards = self.play.game.cards
        return [seat for seat in self.play.game.living if cards[seat - 1] in ("mafia", "don")]

    def holder(self, card: str) -> int:
        return self.play.game.cards.index(card) + 1

    def step(self, pick: tuple[int, int, int], kill: bool) -> None:
        """Everything that is done in one phase: openly the same in every deal, secretly by whoever may."""
        first, second, third = pick
        game = self.play.game
        phase = game.phase.name
        if phase == "agreement":
            self.do({"do": "order", "seat": self.holder("don"), "seats": [first]}, 1.0)
        elif phase == "shot":
            for i, black in enumerate(self.black()):
                self.do({"do": "shoot", "seat": black, "target": second if kill else 1 + (second + i) % 10}, 1.0)
        elif phase in ("don_check", "sheriff_check"):
            self.do({"do": "check", "seat": self.holder(phase.removesuffix("_check")), "target": third}, 1.0)
        elif phase == "speech":
            assert game.phase.seat is not None
            self.do({"do": "nominate", "seat": game.phase.seat, "target": first}, 1.0)
            self.do({"do": "sign", "seat": second, "sentence": ["check", third, "black"]}, 1.0)
            line = Spoken("", game.phase.seat, "words", 0.0, 1.0, "voice", "en", [])
            self.publish(self.play.speak(line, game.now))
            self.do({"do": "pass", "seat": game.phase.seat}, 1.0)
            return
        elif phase == "vote":
            for seat in game.living:
                self.do({"do": "vote", "seat": seat, "target": (first, second, third)[seat % 3]}, 0.1)
        if game.due is not None and game.phase.name == phase:
            self.publish(self.play.advance(game.due))

    def seen(self) -> list[bytes]:
        return self.journal.messages(SEAT, 0, 100_000)


@given(others, others, st.integers(0, 2**32), picks, st.lists(st.booleans(), min_size=12, max_size=12))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_deals_that_differ_in_hidden_cards_send_a_civilian_the_same_bytes(
    left: list[str], right: list[str], seed: int, script: list[tuple[int, int, int]], kills: list[bool]
) -> None:
    deals = [Deal(["civilian", *cards], seed) for cards in (left, right)]
    # Which nights kill must be the same for the table: a miss needs two black seats that disagree.
    for i in range(90):
        pick = script[i % len(script)]
        for each in deals:
            each.step(pick, kills[i % len(kills)])
        if any(each.play.over for each in deals):
            break  # from here on it may know: the cards are turned over
        if len({len(each.black()) > 1 for each in deals}) > 1:
            break  # the one black seat that is left can't miss: what happens differs openly
        assert deals[0].seen() == deals[1].seen()


def test_the_two_deals_do_differ_where_they_may() -> None:
    one = Deal(["civilian", *DECK[1:]], 1)
    two = Deal(["civilian", *reversed(DECK[1:])], 1)
    assert one.seen() == two.seen()
    assert one.journal.messages("moderator", 0, 100) != two.journal.messages("moderator", 0, 100)
    assert one.journal.messages(10, 0, 100) != two.journal.messages(10, 0, 100)
