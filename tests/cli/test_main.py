"""The command itself: exit statuses, one line for bad input, a quick start."""

from __future__ import annotations

import os
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
        (),
        ("bench",),
        ("models",),
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
        ("serve", "--tls-cert", "/no/such.pem", "--tls-key", "/no/such.pem"),
        ("serve", "--db", "nonsense"),
        ("serve", "--data", ""),
        ("serve", "--data", "/dev/null"),
        ("serve", "--asr", "/no/such/model"),
        ("serve", "--device", "abacus"),
        ("serve", "--public-url", "nonsense"),
        ("demo", "--wav", "/dev/null"),
        ("demo", "--wav", "/dev/zero"),
        ("demo", "--wav", "docs"),
        ("bench", "path", "--json", "/no/such/folder/x.json"),
        ("bench", "path", "--json", "docs"),
        ("bench", "path", "--loss", "nan"),
        ("bench", "asr", "--threads", "0"),
        ("bench", "asr", "--interim", "nan"),
        ("bench", "asr", "--clips", "docs"),
        ("bench", "asr", "--compare", "only-one.json"),
        ("bench", "asr", "--compare", "README.md", "README.md"),
        ("transcribe",),
        ("transcribe", "README.md"),
        ("transcribe", "/no/such/file.wav"),
        ("transcribe", "/dev/null"),
        ("replay", "/dev/zero"),
        ("replay", "docs"),
        ("moderate", "/dev/zero"),
        ("moderate", "docs"),
        ("moderate", "README.md", "--model", "/no/such/model"),
        ("moderate", "README.md", "--device", "abacus"),
        ("bench", "moderation"),
        ("bench", "moderation", "--set", "/no/such.jsonl"),
        ("bench", "moderation", "--set", "README.md"),
        ("bench", "moderation", "--set", "docs"),
        ("bench", "moderation", "--set", "/dev/zero"),
        ("bench", "moderation", "--set", "/dev/null"),
        ("bench", "moderation", "--set", "README.md", "--wrong", "-1"),
        ("serve", "--toxicity", "/no/such/model"),
        ("serve", "--toxicity-device", "abacus"),
    ],
)
def test_bad_input_is_exit_status_2_and_one_line(arguments: tuple[str, ...]) -> None:
    done = command(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_huge_and_empty_of_sense_does_not_fill_the_memory(tmp_path: Path) -> None:
    huge = tmp_path / "huge"
    huge.touch()
    os.truncate(huge, 1 << 40)  # sparse: it takes no room
    for name in ("replay", "moderate"):
        done = command(name, str(huge))
        assert done.returncode == 2
        assert "at most" in done.stderr


def test_a_scenario_may_come_through_a_pipe(tmp_path: Path) -> None:
    scenario = next((ROOT / "tests" / "engine" / "scenarios").glob("*.json"))
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cp", str(scenario), str(tmp_path / "pipe")]):
        piped = command("replay", str(tmp_path / "pipe"))
    assert piped.returncode == 0
    assert piped.stdout == command("replay", str(scenario)).stdout


def test_help_fits_on_a_screen() -> None:
    done = command("--help")
    assert done.returncode == 0
    assert {"serve", "demo", "replay", "moderate", "transcribe", "bench", "models"} <= set(done.stdout.split())
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


@pytest.mark.parametrize("words", [["rules", "quick"], ["simulate", "--games", "1"], ["--help"]])
def test_a_closed_output_is_nobody_to_write_to(words: list[str]) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "voice.cli.main", *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
