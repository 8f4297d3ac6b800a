"""The table of models in the documents is the measured one, and is said to be old where the code has changed since."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.speech import kills, soak, turns
from benchmarks.speech.choices import CHOICES, DECIDES, OLDER, code, kept, main, table
from tests.speech.sound import FIXTURES
from voice.bench.asr.code import ROOT as CODE_ROOT
from voice.bench.asr.errors import ClipsError

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
FILE = ROOT / "benchmarks" / "asr-choices.json"


def test_the_documents_table_is_what_was_measured() -> None:
    found = json.loads(FILE.read_text("utf-8"))
    assert len(found["rows"]) == len(CHOICES)
    text = (ROOT / "docs" / "speech.md").read_text("utf-8")
    assert table(found["rows"]) in text
    assert (found["code"] != code()) == (OLDER in text), (
        "measure again (python -m benchmarks.speech.choices --json benchmarks/asr-choices.json) and put its table into "
        f"docs/speech.md, where {OLDER!r} belongs if and only if the code has changed since"
    )


def test_what_decides_the_figures_is_there() -> None:
    assert [part for part in DECIDES if not (CODE_ROOT / part).exists()] == []


def test_rows_of_the_same_code_and_clips_stand(tmp_path: Path) -> None:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    about = {name: found[name] for name in ("clips", "code")}
    assert kept(FILE, about) == found["rows"]
    assert kept(FILE, about | {"code": "another"}) == kept(None, about) == kept(tmp_path / "none", about) == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda found: found.update(bench="asr"),
        lambda found: found.update(rows=None),
        lambda found: found["rows"][0].pop("window_s"),
        lambda found: found["rows"][0].pop("cpu_ms"),
    ],
)
def test_a_file_of_something_else_is_not_written_over(
    spoil: Callable[[Any], object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(FILE.read_text("utf-8"))
    spoil(found)
    file = tmp_path / "other.json"
    for content in (json.dumps(found), "no JSON", "[]"):
        file.write_text(content)
        assert main(["--clips", str(FIXTURES), "--json", str(file)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert "other.json" in err
        assert file.read_text() == content


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--clips", "no-such-folder"], "manifest.jsonl can't be read"),
        (["--json", "no-such-folder/x.json"], "--json: cannot write"),
    ],
)
def test_a_wrong_command_line_is_one_line(wrong: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--clips", str(FIXTURES), *wrong]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize("bench", [kills, soak])
def test_trials_without_recordings_say_so(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(turns, "default_folder", lambda: tmp_path)
    assert bench.main([]) == 1
    assert capsys.readouterr().err.endswith("manifest.jsonl can't be read: No such file or directory\n")
    with pytest.raises(turns.TrialError):
        turns.short_clips("en", 3.0)


def test_a_result_that_cant_be_read_is_told(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(b"[" * 100_000)
    with pytest.raises(ClipsError, match="no JSON"):
        kept(file, {})
