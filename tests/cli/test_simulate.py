"""`voicetable simulate`: the same figures whatever does the work, bad input, progress, and being interrupted."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engine.errors import GameError
from engine.selfplay import Kinds
from voice.cli.options import parse_options
from voice.cli.progress import Progress
from voice.cli.simulate import parse_kinds, run
from voice.cli.simulate_workers import CHUNK

ROOT = Path(__file__).parents[2]
ENDLESS = 10_000_000


def simulated(tmp_path: Path, *, games: int = 25, seed: int = 1, jobs: int = 1, **more: Any) -> dict[str, Any]:
    file = tmp_path / "made.json"
    asked: dict[str, Any] = {"ruleset": "sport", "bots": "random", "option": []} | more
    assert run(games=games, seed=seed, jobs=jobs, json_file=str(file), **asked) == 0
    made: dict[str, Any] = json.loads(file.read_text())
    return made


def test_figures_do_not_depend_on_the_number_of_processes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tables = []
    made = []
    for jobs in (1, 3):
        made.append(simulated(tmp_path, jobs=jobs, games=2 * CHUNK + 5))
        told = capfd.readouterr()
        assert told.err == ""
        tables.append([line for line in told.out.splitlines() if not line.startswith("games a second")])
    assert made[0]["result"] == made[1]["result"]
    assert [each["speed"]["jobs"] for each in made] == [1, 3]
    assert tables[0] == tables[1]
    assert made[0]["result"]["games"] == 25


def test_game_i_has_the_seed_and_i(tmp_path: Path) -> None:
    whole = simulated(tmp_path, games=24, seed=-3)["result"]
    parts = [simulated(tmp_path, games=8, seed=seed)["result"] for seed in (-3, 5, 13)]
    for side, won in whole["wins"].items():
        assert won["count"] == sum(part["wins"][side]["count"] for part in parts)
    assert whole["days"]["longest"] == max(part["days"]["longest"] for part in parts)
    assert simulated(tmp_path, games=8, seed=5)["result"] == parts[1]
    assert parts[0] != parts[1]


def test_the_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = simulated(tmp_path, games=4, ruleset="party", option=["seats=8", "discussion_s=1.5"])
    assert set(made) == {"command", "machine", "versions", "input", "complete", "speed", "result"}
    assert made["input"] == {
        "games": 4,
        "ruleset": "party",
        "options": {"seats": 8, "discussion_s": 1.5},
        "seed": 1,
        "bots": {"town": "random", "mafia": "random"},
    }
    assert made["complete"] is True
    result = made["result"]
    assert set(result["wins"]) == {"town", "mafia", "draw"}
    for won in result["wins"].values():
        assert 0 <= won["low"] <= won["rate"] <= won["high"] <= 1
    assert sum(card["seats"] for card in result["cards"].values()) == 4 * 8
    assert result["cards"]["doctor"]["points_mean"] is None
    assert "points" not in capsys.readouterr().out


def test_the_table_says_what_was_asked_and_what_came_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = simulated(tmp_path, games=3, option=["speech_s=5"])
    out = capsys.readouterr().out
    assert out.splitlines()[0] == "sport speech_s=5: 3 games, bots random, seeds 1 to 3"
    for words in ("town wins", "mafia wins", "draw", "95 % interval", "sheriff", "points", "games a second"):
        assert words in out
    town = next(line for line in out.splitlines() if line.startswith("town wins"))
    assert f"{100 * made['result']['wins']['town']['rate']:.1f} %" in town


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"ruleset": "chess"}, "'chess'"),
        ({"option": ["speech_s"]}, "NAME=VALUE"),
        ({"option": ["=3"]}, "NAME=VALUE"),
        ({"option": ["speech_s=soon"]}, "'soon'"),
        ({"option": ["speech_s=-1"]}, "'speech_s'"),
        ({"option": ["speech_s=NaN"]}, "'speech_s'"),
        ({"option": ["speech_s=" + "[" * 100_000]}, "'speech_s'"),
        ({"option": ["seats=9"]}, "'seats'"),
        ({"option": ["speech_s=1", "speech_s=2"]}, "twice"),
        ({"option": ["colour=1"]}, "'colour'"),
        ({"bots": "clever"}, "'clever'"),
        ({"bots": "town=random,town=random"}, "--bots"),
        ({"bots": ""}, "--bots"),
        ({"bots": "police=random"}, "--bots"),
        ({"json_file": "/no/such/folder/x.json"}, "--json"),
        ({"json_file": "docs"}, "--json"),
    ],
)
def test_bad_input(asked: dict[str, Any], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    given: dict[str, Any] = {"ruleset": "sport", "bots": "random", "option": [], "json_file": None} | asked
    assert run(games=5, seed=1, jobs=1, **given) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
    assert named in told.err


def test_kinds_of_bots() -> None:
    assert parse_kinds("thinking") == Kinds()
    assert parse_kinds("random") == Kinds("random", "random")
    assert parse_kinds("mafia=random") == Kinds("thinking", "random")
    assert parse_kinds("town=random, mafia=thinking") == Kinds("random", "thinking")
    with pytest.raises(GameError, match="town=KIND"):
        parse_kinds("town")


def test_options_are_json() -> None:
    assert parse_options(["a=1", "b=2.5", "c=true", "d= 3"]) == {"a": 1, "b": 2.5, "c": True, "d": 3}


class Screen(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def shown(terminal: bool, times_s: list[float]) -> list[str]:
    """The lines after `done` at these times of 100 of 1,000 games each."""
    now = 50.0
    screen = Screen(terminal)
    progress = Progress(screen, lambda: now)
    for number, t in enumerate(times_s, start=1):
        now = 50.0 + t
        progress.done(100 * number, 1000, "games")
    progress.end()
    return screen.getvalue().split("\r\x1b[K")[1:]


def test_progress_is_for_a_terminal_and_for_long_work() -> None:
    assert shown(False, [1, 3, 5]) == []
    assert shown(True, [0.5, 1.9]) == []
    assert shown(True, [1.0, 4.0]) == ["200 of 1,000 games (20 %), 50 a second, 16 s left", ""]
    assert len(shown(True, [2.0, 2.1, 2.2, 2.3])) == 3, "not oftener than can be read, and taken away at the end"
    assert shown(True, [2000.0])[0] == "100 of 1,000 games (10 %), 0 a second, 5 h 0 min left"
    assert shown(True, [20.0])[0].endswith("5 a second, 3 min 0 s left")


def started(*more: str, jobs: int = 2) -> subprocess.Popen[str]:
    """An endless simulation in a process group of its own."""
    command = [sys.executable, "-m", "voice.cli.main", "simulate", "--games", str(ENDLESS), "--bots", "random"]
    return subprocess.Popen(
        [*command, "--jobs", str(jobs), *more],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def workers(process: subprocess.Popen[str]) -> list[int]:
    """The processes that play games for this one."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def busy(process: subprocess.Popen[str]) -> list[int]:
    """The same, once all of them have taken enough of the processor to have played."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        playing = workers(process)
        if len(playing) == 2 and all(_ticks(child) > 1.5 * os.sysconf("SC_CLK_TCK") for child in playing):
            return playing
        time.sleep(0.05)
    raise AssertionError("no games were played in a minute")


def _ticks(process: int) -> int:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def gone(process: int) -> bool:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        stat = Path(f"/proc/{process}/stat")
        if not stat.exists() or " Z " in stat.read_text():
            return True
        time.sleep(0.05)
    return False


def test_interrupted_it_tells_what_there_is(tmp_path: Path) -> None:
    file = tmp_path / "made.json"
    with started("--json", str(file)) as process:
        playing = busy(process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
        out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert len(err.splitlines()) == 1
    assert err.startswith("simulate: interrupted: ")
    made = json.loads(file.read_text())
    assert made["complete"] is False
    assert 0 < made["result"]["games"] < ENDLESS
    assert f"{made['result']['games']:,} games" in out.splitlines()[0]
    assert all(map(gone, playing))


def test_a_worker_that_dies_is_told_and_the_others_end() -> None:
    with started() as process:
        playing = busy(process)
        os.kill(playing[0], signal.SIGKILL)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert len(err.splitlines()) == 1
    assert "has died, with exit status -9" in err
    assert "town wins" in out
    assert all(map(gone, playing))


def test_workers_do_not_outlive_who_asked() -> None:
    with started() as process:
        playing = busy(process)
        process.kill()
        process.communicate(timeout=60)
    assert all(map(gone, playing))


def test_interrupted_before_anything_was_played() -> None:
    """One process, and games that take their time: only the line that says so."""
    code = (
        "import sys\nfrom unittest import mock\nfrom voice.cli import simulate\n"
        "with mock.patch.object(simulate, 'counted', side_effect=KeyboardInterrupt):\n"
        "    sys.exit(simulate.run(games=5, ruleset='sport', seed=1, bots='random', option=[], jobs=1, json_file=None))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "simulate: interrupted: 0 of 5 games were played\n"


@pytest.mark.parametrize("arguments", [("simulate", "--games", "3", "--bots", "random"), ("replay", "{scenario}")])
def test_a_full_disk_under_standard_output_is_one_line(arguments: tuple[str, ...]) -> None:
    scenario = next((ROOT / "tests" / "engine" / "scenarios").glob("*.json"))
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "voice.cli.main", *(each.format(scenario=scenario) for each in arguments)],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "voicetable: No space left on device\n"


def test_the_document_is_there_also_where_nobody_reads_the_table(tmp_path: Path) -> None:
    file = tmp_path / "made.json"
    command = [sys.executable, "-m", "voice.cli.main", "simulate", "--games", "3", "--bots", "random"]
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*command, "--json", str(file)], cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(file.read_text())["complete"] is True
