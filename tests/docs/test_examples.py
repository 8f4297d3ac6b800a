"""Every Python example of the documents is run, and must hold."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.runner import blocks

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if "```python" in path.read_text("utf-8")
]
MUST_HAVE_EXAMPLES = {"engine.md", "rulesets.md"}


def run(document: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """In a process of its own: a document may register rulesets, and must not find what another one left."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.docs.runner", str(document), str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_documents_with_examples_are_found() -> None:
    assert {path.name for path in DOCUMENTS} >= MUST_HAVE_EXAMPLES


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_examples(document: Path, tmp_path: Path) -> None:
    done = run(document, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_fence_is_missed(document: Path) -> None:
    text = document.read_text("utf-8")
    assert len(re.findall("^```python", text, re.MULTILINE)) == sum(each.language == "python" for each in blocks(text))


@pytest.mark.parametrize(
    "wrong",
    [
        "```python\nassert 1 == 2\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
        "```python\na = 1\n```\n\n```python\n>>> b\n1\n```\n",
        "```python file=mine.py\nA = 1\n```\n\n```python\nfrom mine import B\n```\n",
    ],
)
def test_a_wrong_example_is_found(wrong: str, tmp_path: Path) -> None:
    document = tmp_path / "wrong.md"
    document.write_text(wrong, "utf-8")
    done = run(document, tmp_path / "files")
    assert done.returncode == 1
    assert "wrong.md" in done.stdout


def test_a_right_example_holds(tmp_path: Path) -> None:
    document = tmp_path / "right.md"
    document.write_text(
        "```python file=a/mine.py\nA = 1\n```\n```python\nfrom a.mine import A\n```\n```python\n>>> A\n1\n```\n"
    )
    assert run(document, tmp_path / "files").returncode == 0


LINK = re.compile(r"\[[^\]]*\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")


@pytest.mark.parametrize(
    "document", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda path: path.name
)
def test_links_lead_somewhere(document: Path) -> None:
    for path, anchor in LINK.findall(document.read_text("utf-8")):
        target = document.parent / path if path else document
        assert target.exists(), path
        if anchor:
            headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert anchor in slugs, f"{path}#{anchor}"
