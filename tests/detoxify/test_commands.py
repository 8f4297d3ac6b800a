"""`moderate`, `bench moderation` and `serve` with a toxicity model's folder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from models.toxicity.find import locate
from models.toxicity.scoring import ToxicityModel
from moderation import judge
from moderation.detoxify import REVIEW_AT, categories
from tests.detoxify.made import make_model
from voice.cli import bench_moderation, moderate

if TYPE_CHECKING:
    from typing import Any

ROOT = Path(__file__).parents[2]
LINES = ROOT / "tests" / "bench" / "labelled.jsonl"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("made") / "model"
    make_model(made, "unbiased")
    return made


def judged(capsysbinary: pytest.CaptureFixture[bytes]) -> list[Any]:
    out, err = capsysbinary.readouterr()
    assert err == b""
    return [json.loads(line) for line in out.splitlines()]


def test_moderate_adds_scores_and_only_asks_for_a_person(
    folder: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert moderate.run(str(LINES), None, str(folder), data=str(tmp_path)) == 0
    lines = judged(capsysbinary)
    model = ToxicityModel(locate(str(folder), tmp_path))
    assert len(lines) == 6
    for line in lines:
        first, scores = judge(line["text"], line["lang"]), categories(model.scores([line["text"]])[0])
        assert (line["category"], line["severity"]) == (first.category, first.severity)
        assert line["scores"] == pytest.approx({name: max(first.scores[name], scores[name]) for name in scores})
        high = [name for name, score in scores.items() if score >= REVIEW_AT]
        assert [hit["category"] for hit in line["why"] if hit["rule"] == "model.detoxify"] == high
        assert line["review"] == (first.review or (first.severity is None and bool(high)))


def test_bench_moderation_tells_what_the_model_costs(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "made.json"
    given: dict[str, Any] = {"device": "cpu", "data": str(tmp_path), "wrong": 0, "plot_file": None}
    assert bench_moderation.run(sets=[str(LINES)], model=str(folder), json_file=str(made), **given) == 0
    document = json.loads(made.read_text("utf-8"))
    assert document["model"] == {"name": str(folder), "precision": "int8"}
    assert document["versions"]["detoxify"]
    assert document["result"]["toxicity_ms"]["n"] == 6
    assert "(int8)" in capsys.readouterr().out.replace("\n", "")


@pytest.mark.parametrize("words", [("moderate", "README.md"), ("bench", "moderation", "--set", str(LINES)), ("serve",)])
def test_a_damaged_folder_is_bad_input(words: tuple[str, ...], tmp_path: Path) -> None:
    make_model(tmp_path / "model")
    (tmp_path / "model" / "config.json").unlink()
    option = "--toxicity" if words == ("serve",) else "--model"
    done = subprocess.run(
        [sys.executable, "-m", "voice.cli.main", *words, option, str(tmp_path / "model"), "--data", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "config.json is missing" in done.stderr
