"""What a ruleset is: a table of numbers, a deck, its phases, and hooks into the shared parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.numbers import Numbers
    from engine.permits import Permits
    from engine.points import Ending, PointsParts
    from engine.table import Step, Table


class Ruleset:
    """One way to play. Holds no state: a game's state is the table's, what is its own in `state.own`.

    version: raised whenever a default or a rule changes. steps: every phase by name. turns: the larger parts of a game
    that one phase leads to from another. permits: what a seat may choose from, for bots and games drawn by lot; None
    where the ruleset has neither. reveals: a leaver's card is shown. stoppable: the players may stop the game.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    numbers_type: ClassVar[type[Numbers]]
    mafia_cards: ClassVar[frozenset[str]]
    steps: ClassVar[Mapping[str, Step]]
    turns: ClassVar[Mapping[str, Callable[[Table], None]]]
    permits: ClassVar[Permits | None] = None
    reveals: ClassVar[bool] = True
    stoppable: ClassVar[bool] = True

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        """The ruleset itself: it holds no state, so copies of a game share it."""
        return self

    def deck(self, numbers: Any) -> list[str]:
        """The cards of a table with these numbers, one a seat, in any order.

        How many there are of each is data of the ruleset: it makes it the game that it is, and stands here alone. It is
        none of its numbers, so no option changes it, but for what the numbers say of it (how many seats).
        Source: the engine contract, "Rulesets": the column of cards stands beside that of options.
        """
        raise NotImplementedError

    def own(self) -> object:
        """A fresh state of what only this ruleset knows of."""
        raise NotImplementedError

    def start(self, table: Table) -> None:
        """Begins the first phase; the cards are dealt."""
        raise NotImplementedError

    def winner(self, table: Table) -> str | None:
        """Whose win, or `draw`, is certain now, or None."""
        raise NotImplementedError

    def points(self, _table: Table) -> dict[int, float] | None:
        """Points by seat at the end; None where the ruleset gives none."""
        return None

    def points_parts(self, _numbers: Any, _ending: Ending) -> Mapping[int, PointsParts] | None:
        """How those points come about, by seat; None where the ruleset gives none. A review of the log asks, too."""
        return None

    def left(self, table: Table, seat: int, how: str) -> None:
        """A seat has left, and `left` was said."""

    def holds_line_foul(self, _table: Table, _seat: int) -> bool:
        """Whether a foul for a flagged line of `seat` must wait for a person."""
        return False

    def fouled(self, table: Table, seat: int) -> None:
        """A living seat was given a foul, and `fouled` was said."""

    def foul_taken_back(self, table: Table, seat: int) -> None:
        """A foul of `seat` was taken back; nothing was said of it yet."""
