"""What follows from what a seat was shown: every way the cards may lie that fits it is looked at."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.review.played import Played

Cards: TypeAlias = int
"""A set of cards, one bit a card of the deck."""

Seats: TypeAlias = "tuple[tuple[Cards, int], ...]"
"""How many seats may hold which cards."""


class Mind:
    """The cards as one seat may think of them. It knows the deck; what it is told can only rule ways out."""

    def __init__(self, played: Played) -> None:
        self.played = played
        self.kinds = tuple(played.deck)
        self.seats = sum(played.deck.values())
        self.how: dict[int, str] = {}
        self._all: Cards = (1 << len(self.kinds)) - 1
        self._black = self.cards(card for card in self.kinds if played.colour[card] == "black")
        self._may: dict[int, Cards] = dict.fromkeys(range(1, self.seats + 1), self._all)
        black = sum(count for card, count in played.deck.items() if played.colour[card] == "black")
        self._teams = [frozenset(team) for team in combinations(self._may, black)]
        self._limits = {some: self._how_many(some) for some in range(1, self._all + 1)}
        self._seen: dict[Seats, dict[Cards, Cards] | None] = {}

    def cards(self, named: Iterable[str]) -> Cards:
        """The set of these cards."""
        return sum(1 << self.kinds.index(card) for card in set(named))

    def of_colour(self, colour: str) -> Cards:
        """All cards of a colour."""
        return self._black if colour == "black" else self._all & ~self._black

    def but(self, card: str) -> Cards:
        """All cards but one."""
        return self._all & ~self.cards([card])

    def learn(self, seat: int, cards: Cards, how: str) -> bool:
        """The seat holds one of `cards`. Returns whether that is new."""
        before = self._may.get(seat, 0)
        if not before & ~cards:
            return False
        self._may[seat] = before & cards
        self.how[seat] = how
        return True

    def goes_on(self, living: Sequence[int]) -> bool:
        """The game went on with these seats living. Returns whether that rules any team out."""
        before = len(self._teams)
        self._teams = [team for team in self._teams if self._undecided(team, living)]
        return len(self._teams) < before

    def certain(self) -> dict[int, str]:
        """What every way the cards may lie has in common, by seat: a card, else a colour."""
        possible = dict.fromkeys(self._may, 0)
        for team in self._teams:
            may = {
                seat: cards & (self._black if seat in team else self._all & ~self._black)
                for seat, cards in self._may.items()
            }
            holds = self._holds(tuple(sorted(Counter(may.values()).items())))
            if holds is not None:
                for seat, cards in may.items():
                    possible[seat] |= holds[cards]
        known = {seat: self._named(cards) for seat, cards in possible.items()}
        return {seat: name for seat, name in known.items() if name is not None}

    def says_itself(self, seat: int, known: str) -> bool:
        """Whether what was shown of this seat says so without any of the others."""
        return self._named(self._may[seat]) == known

    def _named(self, cards: Cards) -> str | None:
        if cards.bit_count() == 1:
            return self.kinds[cards.bit_length() - 1]
        if not cards & ~self._black:
            return "black"
        return None if cards & self._black else "red"

    def _undecided(self, team: frozenset[int], living: Sequence[int]) -> bool:
        black = sum(seat in team for seat in living)
        return self.played.result(black, len(living) - black) is None

    def _holds(self, seats: Seats) -> Mapping[Cards, Cards] | None:
        """What a seat that may hold these cards can hold beside the others; None where they do not go together."""
        if seats not in self._seen:
            self._seen[seats] = self._worked_out(Counter(dict(seats)))
        return self._seen[seats]

    def _worked_out(self, seats: Counter[Cards]) -> dict[Cards, Cards] | None:
        if not self._go_together(seats):
            return None
        holds: dict[Cards, Cards] = {}
        for cards in list(seats):
            others = Counter(seats)
            others[cards] -= 1
            each = [1 << bit for bit in range(len(self.kinds)) if cards & 1 << bit]
            holds[cards] = sum(card for card in each if self._go_together(others + Counter({card: 1})))
        return holds

    def _go_together(self, seats: Counter[Cards]) -> bool:
        """Whether each seat can be given one of its cards (Hall's condition: there are as many seats as cards)."""
        return all(
            sum(count for cards, count in seats.items() if not cards & ~some) <= limit
            for some, limit in self._limits.items()
        ) and not seats.get(0)

    def _how_many(self, some: Cards) -> int:
        return sum(self.played.deck[card] for bit, card in enumerate(self.kinds) if some & 1 << bit)
