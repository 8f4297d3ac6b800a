"""The engine's unit tests on one mutant, in this process: `python -m tests.mutation.unit [PATH NUMBER]`."""

from __future__ import annotations

import sys

import pytest

from tests.mutation.mutants import mutants
from tests.mutation.planted import plant
from tests.mutation.pool import ROOT

TESTS = [
    "test_numbers.py", "test_numbers_of_house_rules.py", "test_game.py", "test_view.py", "test_code.py",
    "test_option_limits.py", "test_tables.py", "test_own_ruleset.py", "test_replay_file.py", "rulebook",
]  # fmt: skip
OF_MOVES = ["test_perft.py"]
"""Only where what finds or counts moves was changed: scenarios and positions are checked anyway."""


def main() -> int:
    """The tests' exit status."""
    of_moves: list[str] = []
    if len(sys.argv) == 3:
        path, number = sys.argv[1], int(sys.argv[2])
        of_moves = OF_MOVES if path in ("engine/legal.py", "engine/perft.py") else []
        plant(next(each for each in mutants(path, (ROOT / path).read_text("utf-8")) if each.number == number))
    tests = [str(ROOT / "tests" / "engine" / name) for name in [*of_moves, *TESTS]]
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests]))


if __name__ == "__main__":
    sys.exit(main())
