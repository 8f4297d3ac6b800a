"""The rules engine on one core: games a second, and the time of one command on a running game.

Everything runs in this process, one thing after the other. Rates are by the seconds that the processor gave to it, so
that they are of one whole core whatever else runs; each row has the wall clock's seconds beside them. Only the time of
a command is the wall clock's own: it is what a table waits for.
"""

from __future__ import annotations

import copy
import time
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from engine import lots
from engine.replay import refold
from engine.rulesets import names
from engine.selfplay import Kinds, play
from voice.bench.report import distribution

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.selfplay import Played

HEADLINE = "sport"
"""The ruleset that the bench's result is of."""

WARM_UP = 20
"""At most so many games are played before a row is measured, so that every module is loaded."""

FEW = 20
"""Games of the alternatives, which are slow."""

Told: TypeAlias = "Callable[[str], None]"
"""Is called with what is measured now, whenever there is something new to say."""


def measure(games: int, thinking: int, told: Told) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows and the result.

    games: by lot, for each ruleset. thinking: with bots, for each ruleset and kind; 0 for none of these.
    """
    rows: list[dict[str, Any]] = []
    rows += [_row("lots", ruleset, games, partial(lots.play, ruleset=ruleset), told) for ruleset in _headline_first()]
    played = [lots.play(seed, HEADLINE) for seed in range(min(games, 500))]
    rows.append(_refold_row(played, rows[0]["games_per_s"], told))
    commands = command_times(played)
    everything = distribution([us for times in commands.values() for us in times])
    rows.append({"what": "command", "ruleset": HEADLINE, "us": everything})
    rows += [
        {"what": "command", "ruleset": HEADLINE, "do": do, "us": distribution(times)}
        for do, times in sorted(commands.items())
    ]
    rows += _alternatives(played[:FEW], everything["p50"])
    for kind in ("random", "thinking") if thinking else ():
        for ruleset in _headline_first():
            of_bots = partial(play, ruleset=ruleset, kinds=Kinds(kind, kind))
            rows.append(_row(f"{kind} bots", ruleset, thinking, of_bots, told))
    thought = [row for row in rows if row["what"] == "thinking bots" and row["ruleset"] == HEADLINE]
    return rows, {
        "games_per_s": rows[0]["games_per_s"],
        "thinking_games_per_s": thought[0]["games_per_s"] if thought else None,
        "command_us": everything,
    }


def command_times(played: Sequence[Played]) -> dict[str, list[float]]:
    """How long each command of these games took when it was done, in microseconds, by the command's name.

    The games are folded again, and the clock is read before and after each command, the reading included.
    """
    times: dict[str, list[float]] = {}
    clock = time.perf_counter_ns
    for each in played:
        game, _ = each.start.game()
        for at, command in each.inputs:
            if command is None:
                game.advance(at)
                continue
            begun = clock()
            game.command(command, at)
            taken = clock() - begun
            times.setdefault(str(command["do"]), []).append(taken / 1000)
    return times


def _headline_first() -> list[str]:
    return sorted(names(), key=lambda name: name != HEADLINE)


def _row(what: str, ruleset: str, games: int, play_one: Callable[[int], Played], told: Told) -> dict[str, Any]:
    for seed in range(min(WARM_UP, games)):
        play_one(seed)
    events = commands = 0
    begun, busy = time.perf_counter(), time.process_time()
    for seed in range(games):
        each = play_one(seed)
        events += len(each.events)
        commands += len(each.inputs)
        if not seed % 10:
            told(f"{what}, {ruleset}: {seed:,} of {games:,} games")
    wall_s, cpu_s = time.perf_counter() - begun, time.process_time() - busy
    return {
        "what": what,
        "ruleset": ruleset,
        "games": games,
        "games_per_s": round(games / cpu_s, 1) if cpu_s else None,
        "inputs_per_game": round(commands / games, 1),
        "events_per_game": round(events / games, 1),
        "wall_s": round(wall_s, 3),
        "cpu_s": round(cpu_s, 3),
    }


def _refold_row(played: Sequence[Played], by_lot: float | None, told: Told) -> dict[str, Any]:
    """Stored games folded again: the rules alone, for nobody chooses anything."""

    def again(seed: int) -> Played:
        stored = played[seed % len(played)]
        game, events = refold(stored.start, stored.inputs)
        return type(stored)(stored.start, game, events, stored.inputs)

    row = _row("refold", HEADLINE, len(played), again, told)
    return row | {"ratio": _ratio(row["games_per_s"], by_lot, 2), "ratio_to": "lots"}


def _ratio(ours: float | None, theirs: float | None, digits: int) -> float | None:
    return round(ours / theirs, digits) if ours is not None and theirs else None


def _alternatives(played: Sequence[Played], p50_us: float | None) -> list[dict[str, Any]]:
    """What a command would take with other designs: on a copy of the game, and by folding the whole log again."""
    copied: list[float] = []
    refolded: list[float] = []
    clock = time.perf_counter_ns
    for each in played:
        game, _ = each.start.game()
        for number, (at, command) in enumerate(each.inputs):
            if command is None:
                game.advance(at)
                continue
            begun = clock()
            copy.deepcopy(game).command(command, at)
            copied.append((clock() - begun) / 1000)
            begun = clock()
            refold(each.start, each.inputs[: number + 1])
            refolded.append((clock() - begun) / 1000)
            game.command(command, at)
    rows = []
    for what, times in (("command on a copy", copied), ("command by refolding", refolded)):
        us = distribution(times)
        ratio = _ratio(us["p50"], p50_us, 1)
        rows.append({"what": what, "ruleset": HEADLINE, "us": us, "ratio": ratio, "ratio_to": "command"})
    return rows
