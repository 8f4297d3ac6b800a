"""`voicetable bench moderation`: its figures by hand, its document, and the floor on the development sets."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from moderation import Verdict
from voice.bench.moderation.figures import Counts
from voice.bench.moderation.measure import judge_all, result_of, rows_of
from voice.bench.moderation.sets import kind_of, read_set
from voice.cli.bench_moderation import run
from voice.judging import Judging

if TYPE_CHECKING:
    from collections.abc import Sequence

LINES = Path(__file__).with_name("labelled.jsonl")
MODSET = Path(__file__).parents[3] / "shared" / "modset"
needs_sets = pytest.mark.skipif(not MODSET.is_dir(), reason=f"labelled lines are not at {MODSET}")
INSULT = Verdict(category="insult", severity="clear")
REVIEW = Verdict(review=True)


def bench(sets: Sequence[Path | str] = (LINES,), **options: Any) -> int:
    given = {"model": None, "device": "cpu", "data": None, "wrong": 0, "json_file": None, "plot_file": None}
    return run(sets=[str(path) for path in sets], **{**given, **options})


def counted(*pairs: tuple[str, Verdict]) -> Counts:
    counts = Counts()
    for label, verdict in pairs:
        counts.add(label, verdict)
    return counts


def test_figures_by_hand() -> None:
    counts = counted(
        ("insult", INSULT), ("insult", Verdict()), ("hate", INSULT), ("any", INSULT), ("any", REVIEW),
        ("none", INSULT), ("none", REVIEW), ("none", Verdict()),
        ("none", Verdict(category="sexual", severity="likely")),
    )  # fmt: skip
    assert counts.scores("any") == {"precision": 0.6, "recall": 0.6, "f1": 0.6}
    assert counts.scores("insult") == {"precision": 0.3333, "recall": 0.5, "f1": 0.4}  # of 3 that have a category
    assert counts.scores("hate") == {"precision": None, "recall": 0.0, "f1": 0.0}
    assert counts.scores("sexual") == {"precision": 0.0, "recall": None, "f1": None}
    assert counts.found() == {"precision": 0.5714, "recall": 0.8, "f1": 0.6667}
    row = counts.row()
    assert (row["false_flag"], row["false_clear"]) == (0.5, 0.25)
    assert (row["harmless_to_a_person"], row["abusive_to_a_person"]) == (1, 1)
    assert row["category_right"] == 0.5
    assert row["accuracy"] == 0.5556  # found, or harmless and not found: 4 + 1 of 9


def test_of_nothing_there_is_nothing_to_tell() -> None:
    row = counted(("none", Verdict())).row()
    assert (row["precision"], row["recall"], row["f1"], row["category_right"]) == (None, None, None, None)
    assert Counts().row()["false_flag"] is None


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"kind": "plain", "func": "x", "source": "y"}, "plain"),
        ({"func": "x", "source": "y"}, "x"),
        ({"kind": "", "source": "y"}, "y"),
        ({"kind": 3}, ""),
        ({"kind": "\ud800"}, "\\ud800"),
        ({}, ""),
    ],
)
def test_a_lines_kind(row: dict[str, Any], kind: str) -> None:
    assert kind_of(row) == kind


def test_rows_are_of_each_set_language_category_and_kind() -> None:
    rows = read_set(LINES)
    judged = judge_all({"one": rows, "two": rows[:1]}, Judging())
    made = {(row["set"], row["by"], row["name"]): row for row in rows_of(judged)}
    assert [name for source, by, name in made if (source, by) == ("one", "kind")] == [
        "elsewhere", "plain", "quoting", "thing",
    ]  # fmt: skip
    assert made["one", "set", "one"]["lines"] == 6
    assert made["one", "language", "ru"]["lines"] == 2
    assert made["one", "category", "none"]["false_flag"] == 0.0
    assert made["one", "kind", "plain"]["recall"] == 1.0
    assert made["one", "category", "any"]["recall"] == 0.0
    assert made["two", "set", "two"] == {**made["two", "language", "en"], "by": "set", "name": "two"}


def test_the_result_has_the_contracts_fields() -> None:
    result = result_of(judge_all({"one": read_set(LINES)}, Judging()))
    assert result["line_ms"]["n"] == 6
    assert 0 < result["line_ms"]["p50"] <= result["line_ms"]["p95"] <= result["line_ms"]["p99"]
    assert result["lines_per_s"] > 0
    assert result["second_ms"] is result["toxicity_ms"] is None
    assert result["recall"]["insult"] == {"en": 1.0, "ru": 1.0, "all": 1.0}
    assert result["recall"]["any"] == {"en": 0.5, "ru": 1.0, "all": 0.6667}
    assert result["precision"]["any"]["all"] == 1.0
    assert result["f1"]["hate"]["en"] is None
    assert (result["false_flag"], result["false_clear"], result["category_right"]) == (0.0, 0.0, 1.0)
    assert result["by_language"]["ru"]["lines"] == 2


def test_a_models_opinion_is_timed_apart_and_only_asks_a_person() -> None:
    def scores(texts: Sequence[str]) -> list[dict[str, float]]:
        return [{"insult": 0.9 if text.startswith("nothing") else 0.1} for text in texts]

    made: Any = SimpleNamespace(scores=scores)
    result = result_of(judge_all({"one": read_set(LINES)}, Judging(model=made)))
    assert result["toxicity_ms"]["n"] == 6
    assert result["recall"]["any"]["en"] == 0.5
    assert result["found"]["recall"]["any"]["en"] == 1.0
    assert result["false_flag"] == 0.0


def test_the_document_the_tables_and_the_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(json_file=str(tmp_path / "made.json"), plot_file=str(tmp_path / "made.png"), wrong=5) == 0
    made = json.loads((tmp_path / "made.json").read_text("utf-8"))
    assert set(made) == {"bench", "command", "machine", "versions", "rows", "result", "model"}
    assert (made["bench"], made["model"]) == ("moderation", {"name": "second", "precision": None})
    assert {"voicetable", "torch", "detoxify"} <= set(made["versions"])
    assert (tmp_path / "made.png").read_bytes().startswith(b"\x89PNG")
    told = capsys.readouterr()
    assert told.err == ""
    for heading in ("by language", "by category", "by kind", "quoting", "lines a second", "or for a person"):
        assert heading in told.out
    assert told.out.splitlines()[-1] == "any\tnone\t\tnothing of the kind was said"


@pytest.mark.parametrize(
    "bad",
    ["{", "[1]", "3", '{"text": "a", "lang": "en"}', '{"text": "a", "lang": "de", "label": "none"}', "\xff",
     "x" * 2**21, '{"text": 1, "lang": "en", "label": "none"}', '{"text": "a", "lang": [], "label": "none"}',
     "[" * 100_000],
)  # fmt: skip
def test_bad_sets_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], bad: str) -> None:
    lines = tmp_path / "set.jsonl"
    lines.write_bytes(b'\n{"text": "a", "lang": "en", "label": "none"}\n' + bad.encode("latin-1"))
    assert bench([lines]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"bench moderation: --set: {lines}, line 3: expected a ")
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_other_bad_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for said, given in (
        ("--model: expected a toxicity model's folder", {"model": "x"}),
        ("--device: expected cpu or cuda, got 'x'", {"device": "x"}),
        ("--plot: expected a file whose name ends in .png", {"plot_file": str(tmp_path / "x.jpg")}),
        ("--json: cannot write", {"json_file": "/no/such/folder/x"}),
    ):
        assert bench(**given) == 2
        told = capsys.readouterr()
        assert told.err.startswith(f"bench moderation: {said}")
        assert (told.err.count("\n"), told.out) == (1, "")


@needs_sets
@pytest.mark.parametrize(("name", "recall", "false_flag"), [("tabletalk_dev", 0.95, 0.01), ("issue_cases", 1.0, 0.0)])
def test_table_lines(name: str, recall: float, false_flag: float) -> None:
    result = result_of(judge_all({name: read_set(MODSET / f"{name}.jsonl")}, Judging()))
    assert result["recall"]["any"]["all"] >= recall
    assert result["false_flag"] <= false_flag
    assert result["false_clear"] == 0
