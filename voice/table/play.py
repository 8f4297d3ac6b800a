"""One game as the table plays it: the engine's fold, the entries for the log, and what the table must know of it.

No clock, no socket and no database in here: times come in, entries and items go out.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from engine import Event, Game, GameError
from voice.table.journal import Item
from voice.table.records import (
    Commanded,
    Entry,
    Json,
    LogCorruptError,
    Passed,
    Spoken,
    Started,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

WINDOW_SLACK_S = 0.25  # how far from its open window a line's times may lie: packets travel, and so does the event


@dataclass(slots=True)
class Outcome:
    """What a command came to: entries and items where it was accepted, else why not."""

    refused: str | None = None
    entries: list[Entry] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)


class Play:
    """A game in progress. Make it with `deal` or `refold`."""

    def __init__(self, game: Game, started: Started) -> None:
        self.game = game
        self.started = started
        self.bots: set[int] = set(started.bots)
        self.away: set[int] = set()
        self.lines: dict[str, Spoken] = {}
        self.entry_of: dict[str, int] = {}  # a line to its number in the log
        self.judged: set[str] = set()  # lines that the engine knows: flagged or reported
        self.phase = 0
        self.phase_since = 0.0
        self.day: int | None = None
        self.mic: tuple[int, ...] = ()
        self.numbers = 0  # entries so far
        self._spoken = 0
        self._windows: deque[tuple[float, tuple[int, ...]]] = deque(maxlen=64)  # (since, who is open)

    @property
    def over(self) -> bool:
        """The game has ended; lines and moderators' rulings may still come."""
        return bool(self.game.over)

    def advance(self, to: float) -> Outcome:
        """What happens by itself up to table time `to`."""
        events = self.game.advance(to)
        if not events:
            return Outcome()
        return self._accepted(to, events, Passed([event.to_json() for event in events]))

    def command(self, command: Json, at: float) -> Outcome:
        """One command, in the engine's form with `seat`, at table time `at` (all that is due by then has happened)."""
        at = max(at, self.game.now)
        try:
            events = self.game.command(command, at)
        except GameError as error:
            return Outcome(refused=str(error))
        refusal = next((event for event in events if event.name == "refused"), None)
        if refusal is not None:
            return Outcome(refused=str(refusal.fields["why"]))
        if command["do"] in ("line", "report"):
            self.judged.add(str(command["line"]))
        return self._accepted(at, events, Commanded(command, [event.to_json() for event in events]))

    def speak(self, line: Spoken, at: float) -> Outcome:
        """Put a caption into the log. Its `line` is set here: lines are counted, 1, 2, 3, ..."""
        number = self._spoken + 1
        line = Spoken(f"{number}", *(getattr(line, name) for name in line.__struct_fields__[1:]))
        return self._accepted(max(at, self.game.now), [], line)

    @property
    def newest(self) -> Spoken:
        """The last line put into the log."""
        return next(reversed(self.lines.values()))

    def was_open(self, seat: int, start: float, end: float) -> bool:
        """Whether the seat's microphone was open at some moment of `start` to `end` (table time)."""
        until = float("inf")
        for since, seats in reversed(self._windows):
            if until <= start - WINDOW_SLACK_S:
                return False
            if seat in seats and since <= end + WINDOW_SLACK_S:
                return True
            until = since
        return False

    def _accepted(self, t: float, events: Sequence[Event], body: Passed | Commanded | Spoken) -> Outcome:
        self.numbers += 1
        items = self._follow(t, events)
        if isinstance(body, Spoken):
            items.append(self._hear(body, t))
        return Outcome(entries=[Entry(self.numbers, t, body)], items=items)

    def _hear(self, line: Spoken, t: float) -> Item:
        self._spoken += 1
        self.lines[line.line] = line
        self.entry_of[line.line] = self.numbers
        return Item(self.phase, t, line=line)

    def _follow(self, t: float, events: Iterable[Event]) -> list[Item]:
        items = []
        for event in events:
            fields: Json = event.fields  # of the types that the contract gives each event
            match event.name:
                case "phase":
                    self.phase += 1
                    self.phase_since = event.t
                case "day":
                    self.day = fields["number"]
                case "mic":
                    self.mic = tuple(fields["seats"])
                    self._windows.append((event.t, self.mic))
                case "away":
                    self.away.add(fields["seat"])
                case "back":
                    self.away.discard(fields["seat"])
                case "bot":
                    self.away.discard(fields["seat"])
                    self.bots.add(fields["seat"])
                case _:
                    pass
            items.append(Item(self.phase, max(t, event.t), event=event))
        return items


def deal(
    ruleset: str,
    options: Json,
    seed: int,
    seats: dict[int, str],
    bots: Iterable[int],
    cards: list[str] | None = None,
) -> tuple[Play, Outcome]:
    """Begin a game. `seats`: the person of each seat that a person holds; `cards`: by seat, else dealt from the seed.

    Raises GameError for bad options or cards.
    """
    bots = sorted(bots)
    game, events = Game.start(ruleset, options, seed=seed, cards=cards, bots=bots)
    started = Started(ruleset, options, seed, seats, bots, [event.to_json() for event in events], cards, game.code)
    play = Play(game, started)
    play.numbers = 1
    items = [Item(0, 0.0), *play._follow(0.0, events)]
    return play, Outcome(entries=[Entry(1, 0.0, started)], items=items)


def refold(entries: Sequence[Entry], see: Callable[[Play, Sequence[Item]], None]) -> Play:
    """The game that a stored log tells of, folded again from its inputs; `see` gets each step's items, in order.

    Raises LogCorruptError where the inputs do not give the events that were stored.
    """
    if not entries or not isinstance(entries[0].body, Started):
        raise LogCorruptError("the log does not begin with a deal")
    first = entries[0].body
    try:
        play, outcome = deal(first.ruleset, first.options, first.seed, first.seats, first.bots, first.cards)
        _same_rules(first, play.game.code)
        _compare(entries[0], outcome)
        see(play, outcome.items)
        for entry in entries[1:]:
            outcome = _again(play, entry)
            _compare(entry, outcome)
            see(play, outcome.items)
    except GameError as error:
        raise LogCorruptError(f"the log does not fold: {error}") from error
    return play


def _again(play: Play, entry: Entry) -> Outcome:
    match entry.body:
        case Passed():
            return play.advance(entry.t)
        case Commanded(command=command):
            return play.command(command, entry.t)
        case Spoken() as line:
            return play.speak(line, entry.t)
        case Started():
            raise LogCorruptError(f"entry {entry.number} is a second deal")


def _same_rules(started: Started, code: str) -> None:
    if started.code not in ("", code):
        raise LogCorruptError(f"its game was dealt by the rules {started.code!r}, and this version plays {code!r}")


def _compare(entry: Entry, outcome: Outcome) -> None:
    if outcome.refused is not None:
        raise LogCorruptError(f"entry {entry.number} is refused when folded again: {outcome.refused}")
    if len(outcome.entries) != 1 or _stored(outcome.entries[0]) != _stored(entry):
        raise LogCorruptError(f"entry {entry.number} folds to other events than it stores")


def _stored(entry: Entry) -> object:
    """An entry as it compares: the code of the rules was looked at for itself, and old logs have none."""
    body = entry.body
    if isinstance(body, Started):
        body = msgspec.structs.replace(body, code="")
    return plain(Entry(entry.number, entry.t, body))
