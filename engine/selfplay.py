"""Bots against bots, as fast as the machine can."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from engine.bots import Bot, bot_for
from engine.game import Game
from engine.replay import Input, Start
from engine.view import view

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.events import Event


@dataclass(slots=True)
class Played:
    """A finished game: its start, every event, every input, and the bots' captions as (time, seat, text)."""

    start: Start
    game: Game
    events: list[Event]
    inputs: list[Input] = field(default_factory=list)
    captions: list[tuple[float, int, str]] = field(default_factory=list)


def play(seed: int, ruleset: str = "sport", options: Mapping[str, object] | None = None, lang: str = "en") -> Played:
    """Plays one game of bots to its end.

    Raises:
        GameError: what `Game.start` refuses.
    """
    seats = Game.start(ruleset, options, seed)[0].living
    start = Start(ruleset, options or {}, seed, bots=seats)
    game, events = start.game()
    bots = [bot_for(ruleset, seat, lang, seed, game.numbers) for seat in seats]
    played = Played(start, game, events)
    moves: list[tuple[float, int, Bot, Mapping[str, object] | None, str | None, int]] = []
    order = count()
    fresh = list(events)
    while not game.over:
        for bot in bots:
            for event in fresh:
                seen = view(event, bot.seat)
                if seen is not None:
                    bot.see(seen)
            for move in bot.act(game.now):
                heapq.heappush(moves, (move.at, next(order), bot, move.command, move.caption, move.phase))
        due = game.due
        assert due is not None
        if moves and moves[0][0] < due:
            at, _, bot, command, caption, phase = heapq.heappop(moves)
            fresh = []
            if phase != game.phase.number:
                continue
            if caption is not None:
                played.captions.append((at, bot.seat, caption))
            if command is not None:
                played.inputs.append((at, command))
                fresh = game.command(command, at)
        else:
            played.inputs.append((due, None))
            fresh = game.advance(due)
        played.events += fresh
    return played
