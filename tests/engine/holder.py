"""What holding a log against the contract has to remember, event by event."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.engine.expectations import Json
    from tests.engine.facts import Facts
    from tests.engine.ledger import Ledger


class Holder:
    """The ledger of the log so far, and what is still to come by it.

    turns: the seats whose turn is still to come. owed: phases that must follow, each with its seat. opener: of the last
    day. votes: the last opening; tied_before: between whom it was. removed: the seats that left by removal.
    """

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
