"""Statistics of many games: what is counted of each, and what the counts say.

Every count is a whole number, so that tallies may be added in any order and come out the same.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.events import HITS, VOTED_OUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.events import Event

SIDES = ("town", "mafia", "draw")

Z_95 = 1.959963984540054
"""The quantile of the normal distribution for intervals that hold 95 times out of 100."""


def wilson(hits: int, of: int, z: float = Z_95) -> tuple[float, float]:
    """The score interval of a share (Wilson, "Probable inference", 1927); 0 to 1 where nothing was counted."""
    if not of:
        return 0.0, 1.0
    share, square = hits / of, z * z
    middle = share + square / (2 * of)
    reach = z * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    scale = 1 + square / of
    # At the very ends the exact edge is 0 or 1; the sums above miss it by a rounding.
    low = 0.0 if not hits else (middle - reach) / scale
    high = 1.0 if hits == of else (middle + reach) / scale
    return low, high


def ranked(counts: Mapping[int, int], part: float) -> int | None:
    """The value below or at which `part` of 100 of all counted ones lie, by nearest rank; None of none."""
    rank = math.ceil(part / 100 * sum(counts.values()))
    for value in sorted(counts):
        rank -= counts[value]
        if rank <= 0:
            return value
    return None


@dataclass(slots=True)
class Card:
    """What befell the seats that held one card.

    seats: how many they were. won: how many of their side won. left: how they left the table, those who did.
    first_night: how many were killed in the first night that kills. points_tenths: their points, in tenths.
    """

    seats: int = 0
    won: int = 0
    first_night: int = 0
    left: Counter[str] = field(default_factory=Counter)
    points_tenths: int = 0

    def merge(self, other: Card) -> None:
        """Adds another count of the same card to this one."""
        self.seats += other.seats
        self.won += other.won
        self.first_night += other.first_night
        self.left.update(other.left)
        self.points_tenths += other.points_tenths


@dataclass(slots=True)
class Tally:
    """Counts over games. `seconds` are table seconds, to the whole one.

    best_moves: by how many of the seats named were black. counted: the rest, by a name that `summary` alone reads.
    scored: whether the ruleset gives points.
    """

    games: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    days: Counter[int] = field(default_factory=Counter)
    seconds: Counter[int] = field(default_factory=Counter)
    events: int = 0
    commands: int = 0
    refused: int = 0
    cards: dict[str, Card] = field(default_factory=dict)
    counted: Counter[str] = field(default_factory=Counter)
    best_moves: Counter[int] = field(default_factory=Counter)
    scored: bool = False

    def add(self, events: Sequence[Event], mafia: Sequence[int], commands: int) -> None:
        """Counts one finished game: all its events, the seats of the mafia's team, and how many commands it took."""
        last = events[-1]
        if last.name != "over":
            raise ValueError(f"a game to be counted ends with 'over', not {last.name!r}")
        fields: Mapping[str, Any] = last.fields
        winner: str = fields["winner"]
        self.games += 1
        self.wins[winner] += 1
        self.seconds[round(last.t)] += 1
        self.events += len(events)
        self.commands += commands
        by_seat = self._cards(fields, winner, mafia)
        self.days[self._told(events, mafia, by_seat)] += 1

    def _cards(self, over: Mapping[str, Any], winner: str, mafia: Sequence[int]) -> dict[int, Card]:
        points = over.get("points")
        by_seat: dict[int, Card] = {}
        for key, name in over["cards"].items():
            seat = int(key)
            card = self.cards.get(name)
            if card is None:
                card = self.cards[name] = Card()
            card.seats += 1
            card.won += winner == ("mafia" if seat in mafia else "town")
            if points is not None:
                self.scored = True
                card.points_tenths += round(10 * points[key])
            by_seat[seat] = card
        return by_seat

    def _told(self, events: Sequence[Event], mafia: Sequence[int], by_seat: Mapping[int, Card]) -> int:
        """Counts what the events tell; returns how many days there were."""
        days = mornings = 0
        counted = self.counted
        for event in events:
            name = event.name
            fields: Mapping[str, Any] = event.fields
            if name == "votes":
                votes: Mapping[str, int | None] = fields["votes"]
                for voter, target in votes.items():
                    if target is not None and int(voter) not in mafia:
                        counted["red_votes"] += 1
                        counted["red_votes_for_black"] += target in mafia
            elif name == "left":
                seat, how = fields["seat"], fields["how"]
                by_seat[seat].left[how] += 1
                if how in VOTED_OUT:
                    counted["voted_out"] += 1
                    counted["voted_out_black"] += seat in mafia
            elif name == "answer":
                side = "mafia" if fields["seat"] in mafia else "town"
                counted[f"{side}_checks"] += 1
                counted[f"{side}_checks_hit"] += fields["answer"] in HITS
            elif name == "morning":
                mornings += 1
                killed = fields["killed"]
                counted["mornings"] += 1
                counted["kills"] += killed is not None
                if mornings == 1 and killed is not None:
                    by_seat[killed].first_night += 1
            elif name == "best_move":
                named: Sequence[int] = fields["seats"]
                self.best_moves[sum(seat in mafia for seat in named)] += 1
            elif name == "day":
                days += 1
            elif name == "refused":
                self.refused += 1
        return days

    def merge(self, other: Tally) -> None:
        """Adds another tally's counts to this one's."""
        self.games += other.games
        self.events += other.events
        self.commands += other.commands
        self.refused += other.refused
        self.scored |= other.scored
        self.wins.update(other.wins)
        self.days.update(other.days)
        self.seconds.update(other.seconds)
        self.counted.update(other.counted)
        self.best_moves.update(other.best_moves)
        for name, theirs in other.cards.items():
            self.cards.setdefault(name, Card()).merge(theirs)

    def summary(self) -> dict[str, Any]:
        """What the counts say, as a JSON object. Shares are from 0 to 1; lengths are days and table seconds.

        A share of games has the 95 % interval of Wilson as `low` and `high`. Shares of seats, votes and checks have
        none: those of one game hang together, and an interval that took them for independent would be too narrow.
        """
        games, counted = self.games, self.counted
        return {
            "games": games,
            "wins": {side: rate(self.wins[side], games) for side in SIDES},
            "days": _lengths(self.days),
            "table_s": _lengths(self.seconds),
            "first_night_kill": rate(sum(card.first_night for card in self.cards.values()), games),
            "kills": share(counted["kills"], counted["mornings"]),
            "votes_for_black": share(counted["red_votes_for_black"], counted["red_votes"]),
            "voted_out_black": share(counted["voted_out_black"], counted["voted_out"]),
            "checks_hit": {
                side: share(counted[f"{side}_checks_hit"], counted[f"{side}_checks"]) for side in ("town", "mafia")
            },
            "best_moves": {str(black): self.best_moves[black] for black in sorted(self.best_moves)},
            "cards": {name: self._card(card) for name, card in sorted(self.cards.items())},
            "commands_per_game": _mean(self.commands, games),
            "events_per_game": _mean(self.events, games),
            "refused": self.refused,
        }

    def _card(self, card: Card) -> dict[str, Any]:
        one_a_game = card.seats == self.games
        of = rate if one_a_game else share
        left = {how: share(card.left[how], card.seats) for how in sorted(card.left)}
        return {
            "seats": card.seats,
            "won": of(card.won, card.seats),
            "first_night": of(card.first_night, card.seats),
            "living_at_end": of(card.seats - card.left.total(), card.seats),
            "left": left,
            "points_mean": _mean(card.points_tenths, 10 * card.seats) if self.scored else None,
        }


def share(hits: int, of: int) -> dict[str, Any]:
    """A share as a JSON object; its `rate` is null where there was nothing to count."""
    return {"count": hits, "of": of, "rate": _mean(hits, of)}


def rate(hits: int, of: int) -> dict[str, Any]:
    """A share of independent trials, with its interval."""
    low, high = wilson(hits, of)
    return share(hits, of) | {"low": round(low, 6), "high": round(high, 6)}


def total(tallies: Iterable[Tally]) -> Tally:
    """All tallies together."""
    whole = Tally()
    for tally in tallies:
        whole.merge(tally)
    return whole


def _mean(amount: int, of: int) -> float | None:
    return round(amount / of, 6) if of else None


def _lengths(counts: Counter[int]) -> dict[str, Any]:
    games = counts.total()
    return {
        "mean": _mean(sum(length * times for length, times in counts.items()), games),
        "p50": ranked(counts, 50),
        "p95": ranked(counts, 95),
        "longest": max(counts, default=None),
    }
