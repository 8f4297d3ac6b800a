"""The document's figures of live recognition are those of the files that the bench wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "benchmarks" / "README.md").read_text("utf-8")


def row(what: str, found: dict[str, Any]) -> str:
    """One line of the document's table, from a file with a row of ours first and one of faster-whisper's defaults."""
    ours, theirs = found["rows"]
    result = found["result"]
    wer = " / ".join(f"{ours['wer'][lang]:.1%}, {theirs['wer'][lang]:.1%}" for lang in ("en", "ru"))
    return (
        f"| {what} | {_ms(ours)} | {_ms(theirs)} | {result['end_to_text_p50_ratio']:.2f} / "
        f"{result['end_to_text_p95_ratio']:.2f} | {ours['cpu_s_per_audio_s']:.3f}, {theirs['cpu_s_per_audio_s']:.3f} | "
        f"{result['cpu_ratio']:.2f} | {wer.replace('%', '')} | {result['wer_points']:+.2f} |"
    )


def _ms(of: dict[str, Any], what: str = "end_to_text_ms") -> str:
    return f"{of[what]['p50']:.0f} / {of[what]['p95']:.0f}"


@pytest.mark.parametrize(("name", "what"), [("asr.json", "the clips beside a checkout")])
def test_the_documents_rows_are_what_was_measured(name: str, what: str) -> None:
    found = json.loads((ROOT / "benchmarks" / name).read_text("utf-8"))
    assert found["complete"] is True
    assert [each["way"] for each in found["rows"]] == ["ours", "faster-whisper"]
    assert row(what, found) in README


def tables_row(of: dict[str, Any]) -> str:
    """One line of the document's table of one table and three."""
    first = " | ".join(_ms(each, "word_to_first_text_ms") for each in (of, of["by_lang"]["en"], of["by_lang"]["ru"]))
    wer = f"{100 * of['wer']['en']:.1f} / {100 * of['wer']['ru']:.1f}"
    return f"| {of['tables']} | {_ms(of)} | {first} | {of['cpu_s_per_audio_s']:.3f} | {wer} |"


def test_the_documents_tables_are_what_was_measured() -> None:
    found = json.loads((ROOT / "benchmarks" / "asr-tables.json").read_text("utf-8"))
    assert found["complete"] is True
    assert [(each["way"], each["tables"], each["interim_s"]) for each in found["rows"]] == [
        ("ours", 1, 0.5),
        ("ours", 3, 0.5),
    ]
    assert [tables_row(each) in README for each in found["rows"]] == [True, True]


def test_nothing_failed_where_processes_were_killed_and_in_the_long_run() -> None:
    killed = json.loads((ROOT / "benchmarks" / "speech-kills.json").read_text("utf-8"))
    long = json.loads((ROOT / "benchmarks" / "speech-soak.json").read_text("utf-8"))
    assert (killed["failures"], sum(killed["killed"].values())) == ([], 110)
    assert (long["failures"], long["utterances"]) == ([], 5000)
    assert f"| {killed['turns']:,} |" in README
