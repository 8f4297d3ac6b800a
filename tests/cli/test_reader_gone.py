"""Whoever read a command's output has gone: exit status 1, and not a word."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCENARIO = str(next((ROOT / "tests" / "engine" / "scenarios").rglob("*.json")))


@pytest.mark.parametrize(
    "arguments",
    [("replay", SCENARIO), ("export", SCENARIO, "--format", "csv"), ("moderate", "README.md"), ("rules", "sport")],
)
def test_a_reader_that_has_gone_is_told_nothing(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "voice.cli.main", *arguments],
            cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")
