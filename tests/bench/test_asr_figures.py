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


def _ms(of: dict[str, Any]) -> str:
    return f"{of['end_to_text_ms']['p50']:.0f} / {of['end_to_text_ms']['p95']:.0f}"


@pytest.mark.parametrize(("name", "what"), [("asr.json", "the clips beside a checkout")])
def test_the_documents_rows_are_what_was_measured(name: str, what: str) -> None:
    found = json.loads((ROOT / "benchmarks" / name).read_text("utf-8"))
    assert found["complete"] is True
    assert [each["way"] for each in found["rows"]] == ["ours", "faster-whisper"]
    assert row(what, found) in README
