"""The mutation tester plants what it says, and what it plants is noticed."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.mutation.__main__ import EQUIVALENT, explained
from tests.mutation.mutants import mutants
from tests.mutation.pool import ROOT, checks

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = '''"""Words."""

from __future__ import annotations

LIMIT = 3


def allowed(seat: int, living: list[int]) -> bool:
    """Whether."""
    assert living
    if seat < LIMIT and seat in living:
        raise Refusal("no")
    table.leave(seat, "vote")
    return not living[0]
'''
CHANGES = {
    "3 is 4", "3 is 2", "condition is True", "condition is False", "And is Or", "Lt is LtE", "Lt is GtE", "In is NotIn",
    "without \"raise Refusal('no')\"", "without \"table.leave(seat, 'vote')\"", "'vote' is 'vote_'", "without not",
    "0 is 1", "0 is -1",
}  # fmt: skip


def test_every_kind_of_change_is_planted_once() -> None:
    planted = list(mutants("x.py", SOURCE))
    assert sorted(each.change for each in planted) == sorted(CHANGES)
    trees = {ast.unparse(each.tree(SOURCE)) for each in planted}
    assert len(trees) == len(planted)
    assert ast.unparse(ast.parse(SOURCE)) not in trees


RULES = sorted(ROOT.glob("engine/rulesets/*/*.py"))


@pytest.mark.parametrize("path", RULES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_mutant_of_the_rulesets_is_a_module(path: Path) -> None:
    text = path.read_text("utf-8")
    for mutant in list(mutants(path.name, text))[::7]:
        compile(mutant.tree(text), path.name, "exec")


def test_the_checks_are_many_and_of_every_ruleset() -> None:
    names = [check.name for check in checks()]
    assert len(names) == len(set(names))
    assert len(names) > 1000
    for ruleset in ("sport", "quick", "teaching", "party"):
        for kind in ("game", "commands", "twins", "perft"):
            assert [name for name in names if name.startswith(f"{kind} {ruleset} ")]


def test_what_is_said_to_change_nothing_is_still_there() -> None:
    """A reason for a mutant that is gone is no reason."""
    for path, source, change in explained():
        text = (ROOT / path).read_text("utf-8")
        assert (source, change) in {(each.source, each.change) for each in mutants(path, text)}, (path, source, change)
    assert all(reason for reason in explained().values()), EQUIVALENT


def test_a_planted_error_is_noticed() -> None:
    of_teaching = ["--ruleset", "teaching", "engine/rulesets/teaching/night.py"]
    command = [sys.executable, "-m", "tests.mutation", "--jobs", "1", *of_teaching]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 survived" in done.stdout
