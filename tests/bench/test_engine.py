"""`voicetable bench engine`: what it writes, and that its figures are of what was measured."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from engine import lots
from voice.bench.engine import command_times, measure
from voice.cli.bench_engine import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def measured() -> tuple[list[dict[str, Any]], dict[str, Any], list[str]]:
    said: list[str] = []
    rows, result = measure(3, 1, said.append)
    return rows, result, said


def test_the_result_has_the_contracts_fields(measured: tuple[list[dict[str, Any]], dict[str, Any], list[str]]) -> None:
    rows, result, _ = measured
    assert set(result) == {"games_per_s", "thinking_games_per_s", "command_us"}
    assert set(result["command_us"]) == {"p50", "p95", "p99", "n"}
    assert 0 < result["command_us"]["p50"] <= result["command_us"]["p95"] <= result["command_us"]["p99"]
    by_name = {(row["what"], row["ruleset"]): row for row in rows if "games_per_s" in row}
    assert result["games_per_s"] == by_name["lots", "sport"]["games_per_s"]
    assert result["thinking_games_per_s"] == by_name["thinking bots", "sport"]["games_per_s"]
    assert {ruleset for what, ruleset in by_name if what == "lots"} == {"sport", "quick", "teaching", "party"}


def test_every_command_is_timed_once(measured: tuple[list[dict[str, Any]], dict[str, Any], list[str]]) -> None:
    rows, result, _ = measured
    played = [lots.play(seed) for seed in range(3)]
    given = [command["do"] for game in played for _, command in game.inputs if command is not None]
    assert result["command_us"]["n"] == len(given)
    times = command_times(played)
    assert {do: len(of) for do, of in times.items()} == {do: given.count(do) for do in set(given)}
    by_do = {row["do"]: row["us"]["n"] for row in rows if "do" in row}
    assert by_do == {do: given.count(do) for do in set(given)}


def test_other_designs_stand_beside_ours(measured: tuple[list[dict[str, Any]], dict[str, Any], list[str]]) -> None:
    rows, result, said = measured
    for row in rows:
        if row["what"] in ("command on a copy", "command by refolding"):
            assert row["us"]["n"] == result["command_us"]["n"]
            assert row["ratio"] == pytest.approx(row["us"]["p50"] / result["command_us"]["p50"], abs=0.06)
    assert {row.get("ratio_to") for row in rows} == {None, "lots", "command"}
    assert said[0] == "lots, sport: 0 of 3 games"


def test_the_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "engine.json"
    assert run(games=2, thinking=0, json_file=str(file)) == 0
    made = json.loads(file.read_text())
    assert set(made) == {"bench", "command", "machine", "versions", "rows", "result"}
    assert made["bench"] == "engine"
    assert made["result"]["thinking_games_per_s"] is None, "none were asked for"
    told = capsys.readouterr()
    assert told.err == ""
    assert "a second without thinking bots, - with them" in told.out


def test_where_it_cannot_write_is_said_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(games=2, thinking=0, json_file="/no/such/folder/x.json") == 2
    told = capsys.readouterr()
    assert (told.out, len(told.err.splitlines())) == ("", 1)
