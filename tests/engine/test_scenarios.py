"""Scenario files, played in this process: ours, one rule each, and the shared examples where they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import GameError
from engine.scenario import check, play
from tests.engine.expectations import check_expectations
from tests.engine.laws import check_laws

HERE = Path(__file__).parent
OURS = sorted((HERE / "scenarios").rglob("*.json"))
SHARED = sorted((HERE.parents[2] / "shared" / "scenarios").glob("*.json"))


def test_there_are_scenarios() -> None:
    assert len(OURS) > 100


@pytest.mark.parametrize("path", OURS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_ours(path: Path) -> None:
    scenario = json.loads(path.read_text("utf-8"))
    assert scenario["says"]
    assert scenario["expect"] or scenario.get("status"), "a scenario that expects nothing shows nothing"
    hold(scenario)


@pytest.mark.skipif(not SHARED, reason="the shared example games are not beside this checkout")
@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.stem)
def test_shared(path: Path) -> None:
    scenario = json.loads(path.read_text("utf-8"))
    scenario.pop("note", None)  # a remark of the examples' own, which no engine is given
    hold(scenario)


def hold(scenario: dict[str, object]) -> None:
    if scenario.get("status", 0):
        with pytest.raises(GameError):
            play(check(scenario))
        return
    events = [event.to_json() for event in play(check(scenario))]
    check_expectations(scenario, events)
    check_laws(events, str(scenario["ruleset"]), scenario.get("options"), scenario.get("bots", ()))  # type: ignore[arg-type]
