"""`voicetable replay`: what it prints, and how it says that a file is not valid."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import scenario as scenario_module
from voice.cli.replay import run

CARDS = ["civilian", "civilian", "sheriff", "civilian", "don", "mafia", "mafia", "civilian", "civilian", "civilian"]


def scenario(**more: Any) -> dict[str, Any]:
    return {"ruleset": "sport", "options": {}, "seed": 1, "cards": CARDS, "bots": [], "steps": [], **more}


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in scenario().items() if name != key}


def step(*steps: Any) -> dict[str, Any]:
    return scenario(steps=list(steps))


def write(tmp_path: Path, content: Any) -> str:
    file = tmp_path / "game.json"
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return str(file)


def test_prints_every_event_as_a_json_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(write(tmp_path, step({"wait": 60}, {"do": "pass", "seat": 2}))) == 0
    out, err = capsys.readouterr()
    events = [json.loads(line) for line in out.splitlines()]
    assert err == ""
    assert events[0] == {"t": 0.0, "event": "dealt", "to": [1], "seat": 1, "card": "civilian"}
    assert events[-2] == {"t": 60.0, "event": "mic", "to": "all", "seats": [1]}
    assert (events[-1]["event"], events[-1]["to"], events[-1]["do"]) == ("refused", [2], "pass")


def test_stops_at_the_time_the_last_step_reached(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(write(tmp_path, step({"wait": 59.5}))) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["event"] == "phase"


def test_passes_over_what_belongs_to_checkers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(write(tmp_path, scenario(expect=[1], never=None, last={}, status=2, says="x"))) == 0
    assert capsys.readouterr().err == ""


def test_needs_only_a_ruleset_and_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(write(tmp_path, {"ruleset": "sport", "steps": []})) == 0
    assert len(capsys.readouterr().out.splitlines()) == 12


def test_an_until_that_fits_already_lets_no_time_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = step({"until": "agreement"}, {"until": "speech", "seat": 1}, {"wait": 5}, {"until": "speech"})
    assert run(write(tmp_path, content)) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["t"] == 60.0


def test_what_may_not_be_done_is_no_error_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = [
        {"do": "shoot", "seat": 1, "target": 99},
        {"do": "sign", "seat": 1, "sentence": ["banana", 77]},
        {"do": "say", "seat": 1, "kind": "joke"},
        {"do": "say", "seat": 1, "kind": "ask"},
        {"do": "line", "seat": 1, "line": "a", "category": "rude", "severity": "clear"},
        {"do": "order", "seat": 5, "seats": []},
        {"do": "protect", "seat": 1, "target": 2},
        {"do": "floor", "seat": 1},
        {"do": "stop"},
        {"do": "stop", "seat": 1},
    ]
    assert run(write(tmp_path, step(*odd))) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["do"] for event in events if event["event"] == "refused"] == [each["do"] for each in odd]


BAD = {
    "no JSON": (b"{", "not JSON"),
    "nothing": (b"", "not JSON"),
    "not UTF-8": (b'{"ruleset": "sp\xff"}', "0xff"),
    "a mark before the text": (b"\xef\xbb\xbf{}", "not JSON"),
    "NaN": (b'{"ruleset": "sport", "steps": [{"wait": NaN}]}', "NaN"),
    "infinity": (b'{"ruleset": "sport", "steps": [{"wait": -Infinity}]}', "-Infinity"),
    "infinity by size": (b'{"ruleset": "sport", "steps": [{"wait": 1e999}]}', "wait"),
    "a wait beyond floats": (b'{"ruleset": "sport", "steps": [{"wait": 1' + b"0" * 400 + b"}]}", "wait"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "byte order mark"),
    "a number beyond reading": (b'{"ruleset": "sport", "steps": [{"wait": 1' + b"0" * 5000 + b"}]}", "not JSON"),
    "nested deeply": (b'{"ruleset": ' + b"[" * 100_000, "nested"),
    "nested deeply, closed": (b'{"ruleset": ' + b"[" * 5_000 + b"]" * 5_000 + b', "steps": []}', ""),
    "a key twice": (b'{"ruleset": "sport", "steps": [], "steps": []}', "steps"),
    "a key twice in a step": (b'{"ruleset": "sport", "steps": [{"wait": 1, "wait": 2}]}', "wait"),
    "a list": ([], "object"),
    "null": (None, "object"),
    "no ruleset": (without("ruleset"), "ruleset"),
    "no steps": (without("steps"), "steps"),
    "a ruleset that is no name": (scenario(ruleset=5), "ruleset"),
    "an unknown ruleset": (scenario(ruleset="chess"), "chess"),
    "an unknown ruleset with a line break": (scenario(ruleset="a\nb"), "a\\nb"),
    "an unknown key": (scenario(players=10), "players"),
    "options that are a list": (scenario(options=[]), "options"),
    "an unknown option": (scenario(options={"speach_s": 1}), "speach_s"),
    "an option of a wrong type": (scenario(options={"speech_s": "1"}), "speech_s"),
    "an option below nought": (scenario(options={"speech_s": -1}), "speech_s"),
    "seats the ruleset does not have": (scenario(options={"seats": 9}), "seats"),
    "a seed that is a text": (scenario(seed="1"), "seed"),
    "a seed that is true": (scenario(seed=True), "seed"),
    "a seed that is a fraction": (scenario(seed=1.5), "seed"),
    "a seed that is null": (scenario(seed=None), "seed"),
    "cards that are no list": (scenario(cards="don"), "cards"),
    "cards that are numbers": (scenario(cards=[1] * 10), "cards"),
    "cards that are null": (scenario(cards=None), "cards"),
    "a wrong deck": (scenario(cards=[*CARDS[:9], "sheriff"]), "cards"),
    "a card too few": (scenario(cards=CARDS[:9]), "cards"),
    "a card of another game": (scenario(cards=[*CARDS[:9], "doctor"]), "cards"),
    "bots that are no list": (scenario(bots=5), "bots"),
    "a bot that is true": (scenario(bots=[True]), "bots"),
    "a bot outside the table": (scenario(bots=[11]), "bots"),
    "a bot twice": (scenario(bots=[2, 2]), "bots"),
    "steps that are an object": (scenario(steps={}), "steps"),
    "a step that is a text": (step("wait"), "step 1"),
    "an empty step": (step({}), "step 1"),
    "a step of two kinds": (step({"wait": 1, "until": "vote"}), "step 1"),
    "a wait and a do": (step({"do": "pass", "seat": 1, "wait": 1}), "step 1"),
    "a wait below nought": (step({"wait": 1}, {"wait": -0.1}), "step 2"),
    "a wait that is a text": (step({"wait": "5"}), "wait"),
    "a wait that is true": (step({"wait": True}), "wait"),
    "a wait that is null": (step({"wait": None}), "wait"),
    "a wait with a seat": (step({"wait": 1, "seat": 1}), "seat"),
    "waits beyond floats": (step({"wait": 1.7e308}, {"wait": 1.7e308}), "step 2"),
    "an until that is a number": (step({"until": 5}), "until"),
    "an until that never comes": (step({"until": "lift"}), "lift"),
    "an until of no phase": (step({"until": "lunch"}), "lunch"),
    "an until after the end": (step({"until": "over"}, {"until": "speech"}), "speech"),
    "an until too far away": (scenario(options={"agreement_s": 86_401}, steps=[{"until": "speech"}]), "speech"),
    "an until of a seat outside the table": (step({"until": "speech", "seat": 11}), "11"),
    "an until of a seat that is true": (step({"until": "speech", "seat": True}), "seat"),
    "an until of a seat that is null": (step({"until": "speech", "seat": None}), "seat"),
    "an until with a target": (step({"until": "speech", "target": 1}), "target"),
    "an unknown do": (step({"do": "dance", "seat": 1}), "dance"),
    "a do that is a list": (step({"do": ["pass"], "seat": 1}), "pass"),
    "a do without a seat": (step({"do": "pass"}), "seat"),
    "a do of seat 0": (step({"do": "pass", "seat": 0}), "seat 0"),
    "a do of a seat outside the table": (step({"do": "pass", "seat": 11}), "seat 11"),
    "a do of seat true": (step({"do": "pass", "seat": True}), "seat"),
    "a do of a seat by text": (step({"do": "pass", "seat": "1"}), "seat"),
    "a do of a seat by fraction": (step({"do": "pass", "seat": 1.0}), "seat"),
    "a key of another do": (step({"do": "pass", "seat": 1, "target": 2}), "target"),
    "no target": (step({"do": "vote", "seat": 1}), "target"),
    "a target that is true": (step({"do": "vote", "seat": 1, "target": True}), "target"),
    "a target that is null": (step({"do": "vote", "seat": 1, "target": None}), "target"),
    "an order that is a number": (step({"do": "order", "seat": 5, "seats": 1}), "seats"),
    "an order of texts": (step({"do": "order", "seat": 5, "seats": ["1"]}), "seats"),
    "an order with true": (step({"do": "order", "seat": 5, "seats": [True]}), "seats"),
    "a lift without an answer": (step({"do": "lift", "seat": 1}), "yes"),
    "a lift with 1 for yes": (step({"do": "lift", "seat": 1, "yes": 1}), "yes"),
    "a sentence that is a text": (step({"do": "sign", "seat": 1, "sentence": "red"}), "sentence"),
    "a sentence with a list": (step({"do": "sign", "seat": 1, "sentence": [[1]]}), "sentence"),
    "a claim of a number": (step({"do": "say", "seat": 1, "kind": "claim", "card": 1}), "card"),
    "nothing said": (step({"do": "say", "seat": 1}), "kind"),
    "a line of no seat": (step({"do": "line", "line": "a", "category": "hate", "severity": "clear"}), "seat"),
    "a line without an id": (step({"do": "line", "seat": 1, "category": "hate", "severity": "clear"}), "'line'"),
    "a line with a list for id": (
        step({"do": "line", "seat": 1, "line": [], "category": "hate", "severity": "clear"}), "'line'",
    ),
    "a line without a severity": (step({"do": "line", "seat": 1, "line": "a", "category": "hate"}), "severity"),
    "a ruling of a seat": (step({"do": "ruling", "seat": 1, "line": "a", "uphold": True}), "seat"),
    "a ruling that says nothing": (step({"do": "ruling", "line": "a"}), "uphold"),
    "a ruling with a text": (step({"do": "ruling", "line": "a", "uphold": "yes"}), "uphold"),
    "a report without a line": (step({"do": "report", "seat": 1, "target": 2}), "line"),
    "a stop of a seat outside the table": (step({"do": "stop", "seat": 11}), "11"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_not_valid(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, named = BAD[name]
    assert run(write(tmp_path, content)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.endswith("\n")
    assert named in err.split(": ", 1)[1]


@pytest.mark.parametrize("name", ["absent.json", ".", "two\nlines.json"])
def test_a_file_that_cannot_be_read(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(tmp_path / name)) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)


@pytest.mark.parametrize("last", [{"wait": 1e300}, {"until": "over"}], ids=["wait", "until"])
def test_a_game_that_nobody_ends_does_not_fill_the_memory(
    last: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    endless: dict[str, Any] = {"ruleset": "teaching", "steps": [{"wait": 600}, last]}
    monkeypatch.setattr(scenario_module, "EVENTS_LIMIT", 200)
    assert run(write(tmp_path, endless)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.split(": ", 1)[1] == "step 2: the game comes to more than 200 events by then\n"


@pytest.mark.parametrize("ruleset", ["sport", "quick", "teaching", "party"])
def test_a_long_wait_gives_what_many_short_ones_give(ruleset: str) -> None:
    played = [
        [event.to_json() for event in scenario_module.play(scenario_module.check({"ruleset": ruleset, "steps": steps}))]
        for steps in ([{"wait": 4321.5}], [{"wait": 0.5}] * 8643)
    ]
    assert played[0] == played[1]


def test_starts_light(tmp_path: Path) -> None:
    heavy = ["asyncio", "typer", "rich", "fastapi", "pydantic", "numpy", "msgspec", "structlog", "sqlalchemy", "aiortc"]
    code = (
        "import sys; from voice.cli.replay import run; status = run(sys.argv[1]); "
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, write(tmp_path, scenario())],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.stderr.strip() == "[]"
    assert len(done.stdout.splitlines()) == 12
