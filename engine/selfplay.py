"""Bots against bots, as fast as the machine can."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.bots import Bot, Kind, Move, bot_for
from engine.numbers import read
from engine.replay import Input, Start
from engine.rulesets import ruleset as find_ruleset
from engine.view import view

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from engine.events import Event
    from engine.game import Game


@dataclass(slots=True)
class Played:
    """A finished game: its start, every event, every input, and the bots' captions as (time, seat, text)."""

    start: Start
    game: Game
    events: list[Event]
    inputs: list[Input] = field(default_factory=list)
    captions: list[tuple[float, int, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Kinds:
    """Which kind of bots plays which side."""

    town: Kind = "thinking"
    mafia: Kind = "thinking"


THINKING = Kinds()


def play(
    seed: int,
    ruleset: str = "sport",
    options: Mapping[str, object] | None = None,
    lang: str = "en",
    kinds: Kinds = THINKING,
) -> Played:
    """Plays one game of bots to its end. The same arguments give the same game.

    Raises:
        GameError: what `Game.start` and `bot_for` refuse.
    """
    played, bots = seated(seed, ruleset, options, lang, kinds)
    game = played.game
    fresh = list(played.events)
    moves: Iterator[tuple[Bot, Move]] = iter(())
    asked_in, following = 0, None
    while (due := game.due) is not None:
        show(fresh, bots)
        if asked_in != game.phase.number:
            # A bot says once what it wants to do in a phase; what it wanted in an earlier one is dropped.
            asked_in = game.phase.number
            wanted = [(bot, move) for bot in bots for move in bot.act(game.now) if move.phase == asked_in]
            moves = iter(sorted(wanted, key=_when))
            following = next(moves, None)
        if following is None or following[1].at >= due:
            played.inputs.append((due, None))
            fresh = game.advance(due)
        else:
            bot, move = following
            following = next(moves, None)
            fresh = []
            if move.caption is not None:
                played.captions.append((move.at, bot.seat, move.caption))
            if move.command is not None:
                played.inputs.append((move.at, move.command))
                fresh = game.command(move.command, move.at)
        played.events += fresh
    return played


def _when(wanted: tuple[Bot, Move]) -> float:
    return wanted[1].at


def seated(
    seed: int,
    ruleset: str = "sport",
    options: Mapping[str, object] | None = None,
    lang: str = "en",
    kinds: Kinds = THINKING,
) -> tuple[Played, list[Bot]]:
    """A game that was only dealt yet, and its bots in the order of their seats, who were shown nothing yet.

    Raises:
        GameError: what `Game.start` and `bot_for` refuse.
    """
    options = options or {}
    seats = tuple(range(1, read(find_ruleset(ruleset).numbers_type, options).seats + 1))
    start = Start(ruleset, options, seed, bots=seats)
    game, events = start.game()
    mafia = game.state.mafia
    bots = [
        bot_for(ruleset, seat, lang, seed, game.numbers, kind=kinds.mafia if seat in mafia else kinds.town)
        for seat in seats
    ]
    return Played(start, game, events), bots


def show(events: Iterable[Event], bots: list[Bot]) -> None:
    """Shows each bot its seat's view of the events.

    Of an event for all every seat's view is the same: it is made once, and the bots, which only read, share it.
    """
    for event in events:
        if event.to == "all":
            seen = view(event, bots[0].seat)
            if seen is not None:
                for bot in bots:
                    bot.see(seen)
            continue
        for bot in bots:
            if bot.seat in event.to:
                seen = view(event, bot.seat)
                if seen is not None:
                    bot.see(seen)
