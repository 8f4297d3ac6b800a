"""docs/review.md: its example runs, and it names every field of the document."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from engine.review import document, review
from tests.engine.review.games import by_lot

PAGE = (Path(__file__).parents[3] / "docs" / "review.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102 - the page's own example
    assert names["whole"]["players"][0]["name"] == "Anna"


def test_every_field_is_named() -> None:
    whole = document(review(by_lot("sport", 1)))
    for field in (*whole, *whole["players"][0], *whole["days"][0], *whole["knowledge"]["circles"][0]["seats"]["1"][0]):
        assert f"`{field}`" in PAGE or f"knowledge.{field}" in PAGE, field
