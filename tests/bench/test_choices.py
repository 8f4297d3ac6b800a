"""The table of models in the documents is the measured one."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.speech.choices import CHOICES, table

ROOT = Path(__file__).parents[2]


def test_the_documents_table_is_what_was_measured() -> None:
    rows = json.loads((ROOT / "benchmarks" / "asr-choices.json").read_text("utf-8"))["rows"]
    assert len(rows) == len(CHOICES)
    assert table(rows) in (ROOT / "docs" / "speech.md").read_text("utf-8")
