"""The stored perft positions, and a way to count them anew.

    python -m tests.engine.perft_positions             counts, and says where the stored counts differ
    python -m tests.engine.perft_positions --write     stores what it counts

Positions are scenarios with a `depth` and, where other commands than perft's own are to be counted, `moves`. `counts`
has [paths, states, logs] for each depth.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from engine.perft import MOVES, perft
from engine.scenario import check, play

FILE = Path(__file__).parent / "perft" / "positions.json"
OWN = ("name", "depth", "moves", "counts")


def positions() -> list[dict[str, Any]]:
    """The stored positions."""
    read: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return read


def title(position: dict[str, Any]) -> str:
    """What a position is called."""
    return f"{position['ruleset']}: {position['name']}"


def count(position: dict[str, Any]) -> list[list[int]]:
    """A position's outcomes, counted now."""
    scenario = check({key: value for key, value in position.items() if key not in OWN})
    play(scenario)
    outcomes = perft(scenario.game, position["depth"], position.get("moves", MOVES))
    return [[each.paths, each.states, each.logs] for each in outcomes]


def main() -> int:
    """Counts every position."""
    write, changed = "--write" in sys.argv[1:], 0
    read = positions()
    for position in read:
        began = time.perf_counter()
        counted = count(position)
        same = counted == position.get("counts")
        changed += not same
        print(f"{'' if same else 'CHANGED '}{title(position)}: {counted} ({time.perf_counter() - began:.1f} s)")
        if not same and not write:
            print(f"  stored: {position.get('counts')}")
        position["counts"] = counted
    if write:
        FILE.write_text("[\n" + ",\n".join(json.dumps(position) for position in read) + "\n]\n", "utf-8")
    return 0 if write or not changed else 1


if __name__ == "__main__":
    sys.exit(main())
