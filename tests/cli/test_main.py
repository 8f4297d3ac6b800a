"""The command itself: exit statuses, one line for bad input, a quick start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "voice.cli.main", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("replay",),
        ("replay", "/no/such/file.json"),
        ("replay", "x", "--boo"),
        ("demo", "--lang", "xx"),
        ("demo", "--wav", "/no/such/file.wav"),
        ("demo", "--wav", "README.md"),
        ("bench", "path", "--listeners", "40"),
        ("bench", "path", "--lang", "xx"),
        ("moderate", "/no/such/file"),
        ("serve", "--port", "70000"),
        ("serve", "--tls-cert", "only-one.pem"),
    ],
)
def test_bad_input_is_exit_status_2_and_one_line(arguments: tuple[str, ...]) -> None:
    done = command(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr


def test_help_fits_on_a_screen() -> None:
    done = command("--help")
    assert done.returncode == 0
    assert {"serve", "demo", "replay", "moderate", "bench", "models"} <= set(done.stdout.split())
    assert len(done.stdout.splitlines()) < 40


def test_replay_imports_nothing_heavy() -> None:
    scenario = next((ROOT / "tests" / "engine" / "scenarios").glob("*.json"))
    code = (
        "import sys\nfrom voice.cli.replay import run\n"
        f"run({str(scenario)!r})\n"
        "heavy = {'numpy', 'av', 'aiortc', 'fastapi', 'sqlalchemy', 'pydantic', 'ctranslate2'} & set(sys.modules)\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
