"""Fuzz one of our parsers for as long as wanted.

    python -m tests.fuzz NAME --seconds N [--seed S]

Exit status 1 and the input (in hex) that did it, when a parser raised what it does not promise.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback

from .targets import TARGETS, mutated


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("name", choices=[*TARGETS, "all"])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=None)
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(1 << 32)
    names = list(TARGETS) if given.name == "all" else [given.name]
    for name in names:
        target, chance, tries = TARGETS[name], random.Random(seed), 0
        # What was survived is kept now and then, so that changes add up.
        seeds, until = list(target.seeds), time.monotonic() + given.seconds / len(names)
        while time.monotonic() < until:
            data = mutated(seeds, chance)
            tries += 1
            try:
                target.run(data)
            except Exception:  # whatever it is: it was not promised
                traceback.print_exc()
                print(f"{name}: seed {seed}, after {tries} tries, by {data.hex()}")
                return 1
            if chance.random() < 0.001:
                seeds = [*target.seeds, *seeds[len(target.seeds) :][-60:], data]
        print(f"{name}: {tries} inputs, seed {seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
