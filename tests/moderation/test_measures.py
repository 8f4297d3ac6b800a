"""The figures of the benchmark, and the floor they must not fall under on the development sets."""

import json
from pathlib import Path

import pytest

from benchmarks.moderation import distribution, main, measure, score
from moderation import Verdict

MODSET = Path(__file__).parents[3] / "shared" / "modset"
needs_sets = pytest.mark.skipif(not MODSET.is_dir(), reason=f"labelled lines are not at {MODSET}")


def test_scores_count_by_hand() -> None:
    insult = Verdict(category="insult", severity="clear")
    rows = [
        ({"label": "insult", "lang": "en"}, insult),
        ({"label": "insult", "lang": "en"}, Verdict()),
        ({"label": "hate", "lang": "en"}, insult),
        ({"label": "none", "lang": "en"}, insult),
        ({"label": "none", "lang": "en"}, Verdict(review=True)),
    ]
    result = score(rows)
    assert result["any"] == {"precision": 0.6667, "recall": 0.6667, "f1": 0.6667}
    assert result["insult"] == {"precision": 0.3333, "recall": 0.5, "f1": 0.4}
    assert result["hate"]["recall"] == 0.0
    assert (result["false_flag"], result["false_clear"]) == (0.5, 0.5)
    assert result["for_a_person"] == {"harmless": 1, "abusive": 0}


def test_distribution() -> None:
    assert distribution([3.0, 1.0, 2.0]) == {"p50": 2.0, "p95": 3.0, "p99": 3.0, "n": 3}


def test_the_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"text": "you idiot", "lang": "en", "label": "insult"}, {"text": "привет", "lang": "ru", "label": "none"}]
    lines = tmp_path / "set.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert main(["--set", str(lines), "--json", str(tmp_path / "out.json"), "--wrong", "5"]) == 0
    document = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert document["bench"] == "moderation"
    assert document["result"]["line_ms"]["n"] == 2
    assert document["result"]["by_language"]["en"]["insult"]["recall"] == 1.0
    assert "false_flag" in capsys.readouterr().out


@pytest.mark.parametrize(
    "bad", ["{", "[1]", "3", '{"text": "a", "lang": "en"}', '{"text": "a", "lang": "de", "label": "none"}', "\xff"]
)
def test_bad_sets_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], bad: str) -> None:
    lines = tmp_path / "set.jsonl"
    lines.write_bytes(b'{"text": "a", "lang": "en", "label": "none"}\n' + bad.encode("latin-1"))
    assert main(["--set", str(lines)]) == 2
    assert f"{lines}, line 2: expected a JSON object" in capsys.readouterr().err
    assert main(["--set", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().err


@needs_sets
@pytest.mark.parametrize(("name", "recall", "false_flag"), [("tabletalk_dev", 0.95, 0.01), ("issue_cases", 1.0, 0.0)])
def test_table_lines(name: str, recall: float, false_flag: float) -> None:
    result = measure([MODSET / f"{name}.jsonl"])["result"]
    assert result["any"]["recall"] >= recall
    assert result["false_flag"] <= false_flag
    assert result["false_clear"] == 0
