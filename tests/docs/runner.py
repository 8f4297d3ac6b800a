"""`python -m tests.docs.runner DOCUMENT FOLDER` runs the Python blocks of a document, in order, in one namespace.

A block that begins with `>>>` is a session whose results are compared. A block (of any language) that is opened with
`file=NAME` is written to FOLDER/NAME instead, which is on the path, for the blocks after it. What does not hold is
printed with its line; the exit status is 1 then.
"""

from __future__ import annotations

import doctest
import re
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_BLOCK = re.compile(r"^```(?P<language>\w+)(?: file=(?P<file>\S+))?\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block. line: of its first line of code, in the document. file: where it is to be written, or None."""

    language: str
    file: str | None
    code: str
    line: int


def blocks(text: str) -> list[Block]:
    """The blocks of a document that have a language, in order."""
    return [
        Block(found["language"], found["file"], found["code"], text.count("\n", 0, found.start("code")) + 1)
        for found in _BLOCK.finditer(text)
    ]


def run(document: Path, folder: Path) -> int:
    """Runs the document's blocks; how many failed. Stops at the first one."""
    sys.path.insert(0, str(folder))
    names: dict[str, Any] = {"__name__": document.stem}
    for block in blocks(document.read_text("utf-8")):
        if block.file is not None:
            target = folder / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.code, "utf-8")
        elif block.language == "python" and not (_session if block.code.startswith(">>>") else _program)(
            block, document, names
        ):
            return 1
    return 0


def _session(block: Block, document: Path, names: dict[str, Any]) -> bool:
    test = doctest.DocTestParser().get_doctest(block.code, names, document.name, str(document), block.line - 1)
    result = doctest.DocTestRunner(verbose=False).run(test, clear_globs=False)
    names.update(test.globs)
    return result.failed == 0


def _program(block: Block, document: Path, names: dict[str, Any]) -> bool:
    # Empty lines before the code, so that a traceback names the document's own line.
    code = compile("\n" * (block.line - 1) + block.code, str(document), "exec")
    try:
        exec(code, names)  # noqa: S102 - our own documents
    except Exception:
        traceback.print_exc(file=sys.stdout)
        return False
    return True


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1]), Path(sys.argv[2])))
