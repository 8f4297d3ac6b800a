"""`--json FILE` of every command that has it: bad input before the work, a failure after it, one line either way."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.speech.sound import FIXTURES
from voice.bench import media, path
from voice.bench.asr import measure, sound
from voice.cli import bench_asr, bench_engine, bench_media, bench_moderation, bench_path, doctor, simulate
from voice.cli.json_file import seems_writable, write_json, write_with

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="bench media reads Linux's clocks")

LINES = Path(__file__).parents[1] / "bench" / "labelled.jsonl"

FULL = "/dev/full"
"""Seems writable, and is not."""


def engine_bench(file: str) -> int:
    return bench_engine.run(games=1, thinking=0, json_file=file)


def games(file: str) -> int:
    return simulate.run(games=1, ruleset="sport", seed=1, bots="random", option=[], jobs=1, json_file=file)


def path_bench(file: str) -> int:
    return bench_path.run(listeners=1, tables=1, loss=0, lang="en", json_file=file)


def media_bench(file: str) -> int:
    return bench_media.run(tables=1, listeners=1, seconds=1, only="ours", json_file=file, plot_file=None)


def asr_bench(file: str) -> int:
    return bench_asr.run(
        bench_asr.Given(
            models=[],
            device="cpu",
            compute_types=[],
            threads=[],
            windows_s=[],
            clips=str(FIXTURES),
            limit=1,
            tables=[],
            workers=[],
            interims_s=[],
            one_by_one=False,
            recognisers=[],
            only="ours",
            json_file=file,
            plot_file=None,
            data=None,
        )
    )


def moderation_bench(file: str) -> int:
    return bench_moderation.run(
        sets=[str(LINES)], model=None, device="cpu", data=None, wrong=0, json_file=file, plot_file=None
    )


def host(file: str) -> int:
    return doctor.run({}, lang="en", outside=None, token=None, json_file=file)


COMMANDS = {
    "bench engine": engine_bench,
    "simulate": games,
    "bench path": path_bench,
    "bench media": media_bench,
    "bench asr": asr_bench,
    "bench moderation": moderation_bench,
    "doctor": host,
}
every_command = pytest.mark.parametrize(("name", "command"), COMMANDS.items())


@pytest.fixture
def measured_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real connections are other tests'; here only what becomes of a result."""

    async def of_path(*_: object) -> tuple[list[object], dict[str, int]]:
        return [], {"leaked_packets": 0, "leaked_samples": 0}

    async def of_host(*_: object) -> list[object]:
        return []

    monkeypatch.setattr(path, "measure", of_path)
    monkeypatch.setattr(media, "measure", lambda *_: ([], {"leaked_packets": 0}))
    monkeypatch.setattr(doctor, "_all", of_host)
    monkeypatch.setattr(sound, "make_sounds", lambda *_: [])
    monkeypatch.setattr(measure, "measure", lambda *_: [])


@every_command
def test_what_is_seen_before_the_work_is_bad_input(
    name: str, command: Callable[[str], int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("/no/such/folder/x.json") == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"{name}: --json: cannot write '/no/such/folder/x.json': there is no folder /no/such/folder\n"


@every_command
@pytest.mark.usefixtures("measured_at_once")
def test_what_fails_after_the_work_is_a_failure(
    name: str, command: Callable[[str], int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(FULL) == 1
    told = capsys.readouterr()
    assert told.out != "", "what was found is not lost"
    assert told.err == f"{name}: --json: cannot write '{FULL}': No space left on device\n"


@every_command
@pytest.mark.usefixtures("measured_at_once")
def test_the_document_is_written(name: str, command: Callable[[str], int], tmp_path: Path) -> None:
    assert command(str(tmp_path / "made.json")) == 0, name
    assert (tmp_path / "made.json").read_text().startswith("{\n")


def test_without_a_file_there_is_nothing_to_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert seems_writable("simulate", None)
    assert write_json("simulate", None, {})
    assert capsys.readouterr().err == ""


def test_other_options_and_odd_names_are_one_line_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not seems_writable("bench media", str(tmp_path / "no\nwhere" / "x.png"), "--plot")
    assert not write_with(lambda file: Path(file).rmdir(), "bench media", str(tmp_path / "none"), "--plot")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("bench media: --plot: cannot write ") for line in lines)
