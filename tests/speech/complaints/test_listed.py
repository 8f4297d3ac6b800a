"""docs/speech.md lists every complaint with the tests of it; those tests are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
COMPLAINTS = 19
ROW = re.compile(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)`((?:,? `test_\w+`)*)")


def rows() -> list[tuple[str, ...]]:
    text = (ROOT / "docs" / "speech.md").read_text("utf-8")
    return [found.groups() for found in ROW.finditer(text)]


def test_all_are_listed_with_who_said_so() -> None:
    assert [int(number) for number, *_ in rows()] == list(range(1, COMPLAINTS + 1))
    for number, where, seen, _ in rows():
        assert re.search(r"[\w.-]+/[\w.-]+ #\d+", where), number
        assert len(seen.split()) >= 5, number


def test_the_tests_that_are_named_are_there() -> None:
    for number, _, _, ours in rows():
        named = TEST.findall(ours)
        assert named, number
        for path, tests in named:
            code = (ROOT / path).read_text("utf-8")
            for test in re.findall(r"test_\w+", tests):
                assert f"def {test}(" in code, (number, path, test)


def test_every_test_of_a_complaint_belongs_to_a_row() -> None:
    listed = " ".join(ours for *_, ours in rows())
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        for test in re.findall(r"def (test_\d\d\w+)\(", file.read_text("utf-8")):
            assert test in listed, test
