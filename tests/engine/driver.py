"""Random games of every ruleset: numbers drawn by hypothesis, read as what to do next in the running phase."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from engine.replay import Input, Start
from tests.engine.facts import FACTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine import Event, Game

LINES = ["a", "b", "c", "d", "e", "f", 1, 2]
CATEGORIES = ["insult", "hate", "sexual"]
TO_THE_END = -1.0
WAITS = [0.0, 0.0, 0.0, 0.1, 1.0, 10.0, TO_THE_END, TO_THE_END, 60.0, 119.5]
KINDS = 100
SEATS = 13

ENDLESS = frozenset({"teaching", "party"})
"""Rulesets whose idle games go on for ever: only their players, or a moderator's `stop`, end them."""

OPTIONS: dict[str, list[dict[str, object]]] = {
    "sport": [
        {}, {},
        {"speech_s": 3, "vote_s": 3, "tie_speech_s": 2, "last_word_s": 2, "lift_s": 3, "away_s": 5},
        {"signs_per_speech": 0, "skip_fouls": 1, "removal_fouls": 2, "draw_nights": 1},
        {"nominations": 3, "short_speech_living": 10, "best_move_barred_leavers": 1, "draw_nights": 6},
        {"points_win": 2.25, "points_removal": 0, "best_move_seats": 1, "lift_barred_tied": 2},
    ],
    "quick": [
        {}, {"runoff": True}, {"runoff": True, "tie_speech_s": 0, "vote_s": 1}, {"runoff": True, "draw_cycles": 5},
        {"discussion_s": 0, "draw_cycles": 1, "away_s": 3},
    ],
    "teaching": [{}, {}, {"speech_s": 1, "nomination_s": 0.5, "vote_s": 200}, {"away_s": 3, "mafia_wins_at": 2}],
    "party": [{}, {}, {"floor_s": 300}, {"floor_s": 0, "nomination_s": 2}, {"floor_s": 7.5, "away_s": 3}],
}  # fmt: skip
"""Options that games are drawn with, beside their number of seats: short times, other limits."""


@dataclass(frozen=True)
class Act:
    """One act: what, who, whom, and how long to wait first; drawn as one number."""

    what: int
    who: int
    whom: int
    wait: float

    @classmethod
    def of(cls, number: int, seats: int) -> Act:
        """The act that a drawn number stands for at a table of so many seats."""
        number, wait = divmod(number, len(WAITS))
        number, whom = divmod(number, SEATS)
        what, who = divmod(number, SEATS)
        return cls(what, 1 + who % seats, 1 + whom % seats, WAITS[wait])


def started(ruleset: str, seed: int, choice: int, bots: Iterable[int] = ()) -> Start:
    """A start that a seed and a choice of options stand for; the cards are drawn from the seed."""
    facts, options = FACTS[ruleset], dict(OPTIONS[ruleset][choice % len(OPTIONS[ruleset])])
    seats = facts.seats[choice % len(facts.seats)]
    if len(facts.seats) > 1:
        options["seats"] = seats
    cards = facts.deck(seats)
    Random(seed).shuffle(cards)
    return Start(ruleset, options, seed, cards, sorted({bot for bot in bots if bot <= seats}))


def starts(ruleset: str) -> st.SearchStrategy[Start]:
    """Starts of one ruleset."""
    return st.builds(
        started, st.just(ruleset), st.integers(0, 2**64 - 1), st.integers(0, 99), st.sets(st.integers(1, 13))
    )


def drawn_acts(seed: int, length: int) -> list[int]:
    """Acts from a seed, for games that no shrinking is needed for."""
    chance = Random(seed)
    return [chance.randrange(KINDS * SEATS * SEATS * len(WAITS)) for _ in range(length)]


# Short games that hypothesis makes up and shrinks act by act, and long ones that shrink by their length alone.
acts = st.one_of(
    st.lists(st.integers(0, KINDS * SEATS * SEATS * len(WAITS) - 1), max_size=90),
    st.builds(drawn_acts, st.integers(0, 2**32), st.integers(0, 90)),
)


def commands(game: Game, act: Act) -> list[dict[str, Any]]:
    """The commands that an act stands for: mostly what fits the phase, by one seat or the whole table."""
    what, who, whom = act.what, act.who, act.whom
    if what >= 80:
        return _conduct(what, 1 + who % 4, whom)
    phase, living = game.phase.name, game.living
    many = living if what % 4 else (who,)
    match phase:
        case "agreement" if what % 3:
            return [{"do": "order", "seat": holder(game, "don"), "seats": sorted({whom, who})}]
        case "agreement" | "recognition":
            return [{"do": "ok", "seat": who}]
        case "vote":
            return _votes(game, many, what, whom)
        case "lift":
            return [{"do": "lift", "seat": seat, "yes": bool(what % 3)} for seat in many]
        case "shot":
            shooters = game.state.mafia if what % 3 else (who,)
            return [{"do": "shoot", "seat": seat, "target": whom} for seat in shooters]
        case "don_check" | "sheriff_check" | "check" | "protect":
            card = {"don_check": "don", "sheriff_check": "sheriff", "check": "detective", "protect": "doctor"}[phase]
            do = "protect" if phase == "protect" else "check"
            return [{"do": do, "seat": holder(game, card) if what % 4 else who, "target": whom}]
        case "discussion" if what % 2:
            return [{"do": "floor", "seat": who}]
    own = game.phase.seat or who
    if phase == "best_move" and what % 2:
        return [{"do": "best_move", "seat": own, "seats": sorted({whom, who})}]
    if phase in ("speech", "short_turn", "nomination") and what % 2:
        return [{"do": "nominate", "seat": own, "target": whom}, {"do": "pass", "seat": own}]
    if what % 5 == 0:
        return [{"do": "say", "seat": own, "kind": "ask", "target": whom}]
    return [{"do": "pass", "seat": own}]


def holder(game: Game, card: str) -> int:
    """The seat with the one card of that name."""
    return game.cards.index(card) + 1


def _votes(game: Game, voters: Sequence[int], what: int, whom: int) -> list[dict[str, Any]]:
    """All for one, or split so that a tie is likely, or some of them pass."""
    up = list(game.state.nominees) if game.phase.round == 1 else list(game.state.ballot.candidates)
    up = (
        [seat for seat in up if seat in game.living] or [seat for seat in game.living if seat % 2 == whom % 2] or [whom]
    )
    up = up[whom % len(up) :] + up[: whom % len(up)]
    shares = min(1 + what % 3, len(up))
    votes: list[dict[str, Any]] = []
    for number, seat in enumerate(voters):
        if what % 11 == 0 and number % 2:
            votes.append({"do": "pass", "seat": seat})
        elif up[number % shares] != seat or what % 7 == 0:
            votes.append({"do": "vote", "seat": seat, "target": up[number % shares]})
        else:
            votes.append({"do": "vote", "seat": seat, "target": up[(number + 1) % len(up)]})
    return votes


def _conduct(what: int, who: int, whom: int) -> list[dict[str, Any]]:
    line = LINES[(what + whom) % len(LINES)]
    report = {"do": "report", "seat": whom, "target": who, "line": line}
    match what % 9:
        case 0 | 1:
            return [{"do": "sign", "seat": who, "sentence": [whom, "black"]}] * 5
        case 2:
            return [report, {"do": "ruling", "line": line, "uphold": True}]
        case 3:
            severity = "clear" if whom % 2 else "likely"
            return [{"do": "line", "seat": who, "line": line, "category": CATEGORIES[whom % 3], "severity": severity}]
        case 4:
            return [report]
        case 5:
            return [{"do": "ruling", "line": line, "uphold": whom > 4}]
        case 6:
            return [{"do": "away", "seat": whom}]
        case 7 if who == 4 and whom % 4 == 1:
            return [{"do": "stop", "seat": whom} if whom == 1 else {"do": "stop"}]
        case _:
            return [{"do": "back", "seat": whom}]


@dataclass
class Driven:
    """A game that is being played: every event and every input so far."""

    start: Start
    game: Game
    events: list[Event]
    inputs: list[Input]

    @classmethod
    def begin(cls, start: Start) -> Driven:
        """The cards are dealt."""
        return cls(start, *start.game(), [])

    def advance(self, t: float) -> None:
        """Lets time pass."""
        self.inputs.append((t, None))
        self.events += self.game.advance(t)

    def do(self, what: dict[str, Any], t: float | None = None) -> list[Event]:
        """Does a command, now or at a time."""
        t = self.game.now if t is None else t
        self.inputs.append((t, what))
        made = self.game.command(what, t)
        self.events += made
        return made

    def act(self, number: int) -> None:
        """One drawn act."""
        act = Act.of(number, len(self.game.cards))
        due = self.game.due
        self.advance(
            self.game.now + act.wait if act.wait != TO_THE_END else (due if due is not None else self.game.now)
        )
        for each in commands(self.game, act):
            self.do(each)

    def finish(self) -> None:
        """Lets time pass to the end of the game.

        Rulesets without a draw end by what the mafia does: it shoots, each night at the lowest seat it may.
        """
        while (due := self.game.due) is not None:
            if self.game.phase.name == "shot" and self.start.ruleset in ENDLESS:
                mafia = [seat for seat in self.game.living if self.game.cards[seat - 1] == "mafia"]
                target = next(seat for seat in self.game.living if seat not in mafia)
                for seat in mafia:
                    self.do({"do": "shoot", "seat": seat, "target": target})
            self.advance(due)

    def stored(self) -> list[dict[str, Any]]:
        """The log as it is stored."""
        return [event.to_json() for event in self.events]


def drive(start: Start, drawn: Sequence[int]) -> Driven:
    """Plays the acts, then lets time pass to the end of the game."""
    driven = Driven.begin(start)
    for number in drawn:
        driven.act(number)
    driven.finish()
    return driven
