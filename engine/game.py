"""A game: what the world hands in, and the events it answers with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING

from engine import conduct, floor, pace, presence
from engine.code import code_of
from engine.commands import TO_MODERATORS, Command, is_whole, parse
from engine.errors import GameError, Refusal, shown
from engine.events import MODERATORS, Audience, Event
from engine.numbers import Numbers, read
from engine.rulesets import ruleset as find_ruleset
from engine.state import Phase, State
from engine.stream import Stream
from engine.table import OVER, Action, Table, rounded

if TYPE_CHECKING:
    from engine.rulesets.base import Ruleset


def _stop(table: Table, command: Command) -> None:
    if not table.rules.stoppable:
        raise Refusal("this game is played to its end")
    table.emit("abandoned", "all", {"by": command.seat or None})
    table.begin(OVER)


ANYTIME: Mapping[str, Action] = {
    "report": conduct.report,
    "line": conduct.flag,
    "ruling": conduct.rule,
    "away": presence.away,
    "back": presence.back,
    "stop": _stop,
}
"""Commands that no phase has for itself."""


@dataclass(slots=True)
class Game:
    """A running game. Make one with `Game.start`; two games are equal when their states are.

    state: everything it is, to be read and compared, never to be changed.
    """

    state: State
    _rules: Ruleset = field(compare=False)

    @classmethod
    def start(
        cls,
        ruleset: str,
        options: Mapping[str, object] | None = None,
        seed: int = 0,
        cards: Sequence[str] | None = None,
        bots: Iterable[int] = (),
    ) -> tuple[Game, list[Event]]:
        """Deals the cards and begins the first phase, at table time 0.

        options: numbers of the ruleset by name. cards: by seat, seat 1 first; dealt from the seed where None.
        bots: seats that count as bots from the start.

        Raises:
            GameError: an unknown ruleset or option, options that let no time pass, cards that are not the ruleset's, a
                bot that has no seat.
        """
        rules = find_ruleset(ruleset)
        numbers = _read(rules, options or {}, cards)
        if not is_whole(seed):
            raise GameError(f"the seed must be a whole number, not {shown(seed)}")
        stream = Stream(seed)
        deck = rules.deck(numbers)
        dealt = stream.shuffled(deck)  # drawn also where cards are given: the stream goes on the same way
        if cards is not None:
            dealt = _given(cards, deck, ruleset)
        seats = range(1, len(dealt) + 1)
        state = State(
            ruleset=ruleset,
            numbers=numbers,
            cards=tuple(dealt),
            mafia=tuple(seat for seat in seats if dealt[seat - 1] in rules.mafia_cards),
            stream=stream,
            bots=_bots(bots, len(dealt)),
            living=list(seats),
            phase=Phase("", 0.0, 0),
            own=rules.own(),
        )
        game = cls(state, rules)
        table = Table(state, rules)
        for seat in seats:
            fields: dict[str, object] = {"seat": seat, "card": table.card(seat)}
            if table.is_mafia(seat):
                fields["team"] = list(state.mafia)
            table.emit("dealt", (seat,), fields)
        rules.start(table)
        pace.check(state, rules)
        return game, table.out

    def advance(self, to: float) -> list[Event]:
        """Lets time pass: everything due up to and including `to`, in order. An earlier `to` is no time.

        A ruleset without a draw may go on for ever where nobody acts, so a `to` of years takes as long to answer.

        Raises:
            ValueError: `to` is not a finite number.
        """
        table = Table(self.state, self._rules)
        self._advance(table, _time(to))
        return table.out

    def command(self, command: Mapping[str, object], at: float) -> list[Event]:
        """Lets time pass up to and including `at`, then does `command`, or answers it with `refused`.

        Whatever `command` is, it is answered: what is not a command at all is refused as well.

        Raises:
            ValueError: `at` is not a finite number.
        """
        table = Table(self.state, self._rules)
        self._advance(table, _time(at))
        try:
            self._act(table, parse(command, len(self.state.cards)))
        except Refusal as refusal:
            self._refuse(table, command, str(refusal))
        return table.out

    def copy(self) -> Game:
        """The same game apart: what is done in one is not done in the other."""
        return deepcopy(self)

    @property
    def now(self) -> float:
        """Table time, in seconds since the deal."""
        return self.state.now

    @property
    def due(self) -> float | None:
        """Table time of the next thing that happens by itself; None when the game is over."""
        state = self.state
        ends = state.phase.ends
        if ends is None:
            return None
        if state.floor is not None:
            ends = min(ends, state.floor.until)
        return min(ends, *state.away.values()) if state.away else ends

    @property
    def phase(self) -> Phase:
        """The running phase."""
        return self.state.phase

    @property
    def mic(self) -> tuple[int, ...]:
        """The seats whose microphone is open, sorted."""
        return self.state.mic

    @property
    def living(self) -> tuple[int, ...]:
        """The seats still at the table, sorted."""
        return tuple(self.state.living)

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards by seat, seat 1 first."""
        return self.state.cards

    @property
    def bots(self) -> frozenset[int]:
        """The seats that bots play now."""
        return frozenset(self.state.bots)

    @property
    def numbers(self) -> Numbers:
        """The game's table of numbers; `engine.numbers.listed` makes a JSON object of it."""
        return self.state.numbers

    @property
    def code(self) -> str:
        """The short code of the game's ruleset with its options."""
        return code_of(self.state.ruleset, self.state.numbers)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.phase.name == OVER

    def _advance(self, table: Table, to: float) -> None:
        state = self.state
        while (due := self.due) is not None and due <= to:
            state.now = due
            presence.hand_over(table)
            if state.floor is not None and state.floor.until <= due:
                floor.end(table)
            if state.phase.ends is not None and state.phase.ends <= due:
                table.end_phase()
        if to > state.now:
            state.now = to

    def _act(self, table: Table, command: Command) -> None:
        action = self._rules.steps[self.state.phase.name].actions.get(command.do)
        if action is None:
            if self.over:
                raise Refusal("the game is over")
            action = ANYTIME.get(command.do)
            if action is None:
                raise Refusal("this can't be done now")
        action(table, command)

    def _refuse(self, table: Table, command: object, why: str) -> None:
        fields: dict[str, object] = {}
        to: Audience = MODERATORS
        if isinstance(command, Mapping):
            do, seat = command.get("do"), command.get("seat")
            if is_whole(seat) and table.is_seat(seat):
                fields["seat"] = seat
                to = (seat,)
            if isinstance(do, str):
                fields["do"] = do[:40]
                if do in TO_MODERATORS:
                    to = MODERATORS
        fields["why"] = why
        table.emit("refused", to, fields)


def _time(t: float) -> float:
    try:
        if isfinite(t):
            return rounded(t)
    except (TypeError, OverflowError):
        pass  # no number, or a whole number beyond any float
    raise ValueError(f"a table time must be a finite number of seconds, not {shown(t)}")


def _given(cards: Sequence[str], deck: list[str], ruleset: str) -> list[str]:
    given = list(cards)
    if not all(isinstance(card, str) for card in given) or sorted(given) != sorted(deck):
        expected = ", ".join(sorted(deck))
        raise GameError(f"cards that are not those of {ruleset!r}: expected {expected} in any order")
    return given


def _read(rules: Ruleset, options: Mapping[str, object], cards: Sequence[str] | None) -> Numbers:
    """The game's numbers; given cards say how many seats there are, where the options do not."""
    numbers = read(rules.numbers_type, options)
    if cards is None or "seats" in options or len(cards) == numbers.seats:
        return numbers
    try:
        return read(rules.numbers_type, {**options, "seats": len(cards)})
    except GameError:
        raise GameError(f"cards for {len(cards)} seats: {rules.name!r} is not played by so many") from None


def _bots(bots: Iterable[int], seats: int) -> set[int]:
    try:
        listed = list(bots)
    except TypeError:
        raise GameError(f"bots: expected seat numbers, not {shown(bots)}") from None
    for seat in listed:
        if not is_whole(seat) or not 1 <= seat <= seats:
            raise GameError(f"bots: there is no seat {shown(seat)} at this table of {seats}")
    if len(set(listed)) < len(listed):
        raise GameError("bots: a seat is listed twice")
    return set(listed)
