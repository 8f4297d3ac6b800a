"""`voicetable simulate`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, get_args

from engine.bots import Kind
from engine.errors import GameError, shown
from engine.selfplay import Kinds, seated
from engine.simulate import Tally, total
from voice.bench import report
from voice.cli.json_file import seems_writable, write_json
from voice.cli.options import parse_options
from voice.cli.progress import Progress
from voice.cli.simulate_table import text
from voice.cli.simulate_workers import CHUNK, Series, WorkerError, counted
from voice.processes.cores import cores

if TYPE_CHECKING:
    from collections.abc import Sequence

DONE, FAILED, BAD_INPUT = 0, 1, 2

WORTH_A_PROCESS = 50
"""So many games a process pay for starting it, where the number of processes is not given."""


TOGETHER = 1000
"""So many tallies are made one, so that a long run does not fill the memory; an interruption meanwhile loses none."""


def run(
    *,
    games: int,
    ruleset: str,
    seed: int,
    bots: str,
    option: Sequence[str],
    jobs: int | None,
    json_file: str | None,
) -> int:
    """Plays the games, prints what they say, writes the JSON document; the exit status."""
    try:
        series = Series(games, seed, ruleset, parse_options(option), parse_kinds(bots))
        seated(seed, ruleset, series.options, kinds=series.kinds)
    except GameError as why:
        print(f"simulate: {why}", file=sys.stderr)
        return BAD_INPUT
    if not seems_writable("simulate", json_file):
        return BAD_INPUT
    processes = _processes(games, jobs)
    progress = Progress()
    done: list[Tally] = []
    trouble: str | None = None
    try:
        number = 0
        for tally in counted(series, processes):
            done.append(tally)
            if len(done) == TOGETHER:
                done = [total(done)]
            number += tally.games
            progress.done(number, games, "games")
    except KeyboardInterrupt:
        trouble = "interrupted"
    except WorkerError as why:
        trouble = str(why)
    wall_s = progress.seconds
    progress.end()
    tally = total(done)
    if trouble is not None:
        print(f"simulate: {trouble}: {tally.games:,} of {games:,} games were played", file=sys.stderr)
    if tally.games:
        speed = {"wall_s": round(wall_s, 3), "games_per_s": round(tally.games / wall_s, 1), "jobs": processes}
        made = _document(series, tally, speed)
        if not write_json("simulate", json_file, made):
            trouble = "no document"
        print(text(_title(series, bots, tally), made["result"], speed), end="")
    return DONE if trouble is None else FAILED


def parse_kinds(given: str) -> Kinds:
    """`thinking`, `random`, or both sides' by name, such as `town=thinking,mafia=random`.

    Raises:
        GameError: anything else.
    """
    known: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
    if given in known:
        return Kinds(known[given], known[given])
    sides: dict[str, Kind] = {}
    for each in given.split(","):
        side, _, kind = each.strip().partition("=")
        if side not in ("town", "mafia") or side in sides or kind not in known:
            expected = " or ".join(known)
            raise GameError(f"--bots: expected {expected}, or town=KIND,mafia=KIND, not {shown(given)}")
        sides[side] = known[kind]
    return Kinds(**sides)


def _processes(games: int, jobs: int | None) -> int:
    if jobs is not None:
        return min(jobs, -(-games // CHUNK))
    return max(1, min(cores(), games // WORTH_A_PROCESS))


def _document(series: Series, tally: Tally, speed: dict[str, Any]) -> dict[str, Any]:
    """As a bench's, with what was asked for; `result` is the same for every run with the same `input`."""
    made = report.document("simulate", [], tally.summary())
    asked = {
        "games": series.games,
        "ruleset": series.ruleset,
        "options": json.loads(json.dumps(series.options)),
        "seed": series.seed,
        "bots": {"town": series.kinds.town, "mafia": series.kinds.mafia},
    }
    return {
        **{name: made[name] for name in ("command", "machine", "versions")},
        "input": asked,
        "complete": tally.games == series.games,
        "speed": speed,
        "result": made["result"],
    }


def _title(series: Series, bots: str, tally: Tally) -> str:
    first, last = series.seed, series.seed + series.games - 1
    options = "".join(f" {name}={json.dumps(value)}" for name, value in series.options.items())
    return f"{series.ruleset}{options}: {tally.games:,} games, bots {bots}, seeds {first} to {last}"
