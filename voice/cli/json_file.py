"""The option `--json FILE`, and others that name a file of results: looked at before the work, written after it.

A complaint is one line on standard error, `COMMAND: --json: cannot write 'FILE': why`. What can be seen before the work
is bad input (exit status 2); what goes wrong after it is a failure (1).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from voice.bench import report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def seems_writable(command: str, file: str | None, option: str = "--json") -> bool:
    """Whether there is no file to write or nothing seems to be in its way; else the complaint is made."""
    why_not = None if file is None else report.unwritable(file)
    if why_not is not None:
        _complain(command, option, file, why_not)
    return why_not is None


def write_json(command: str, file: str | None, made: Mapping[str, Any]) -> bool:
    """Writes the document, where there is a file for it. False where that failed and the complaint was made."""
    return write_with(lambda path: report.write(path, made), command, file)


def write_with(writer: Callable[[str], None], command: str, file: str | None, option: str = "--json") -> bool:
    """As `write_json`, for what `writer` makes of the path."""
    if file is None:
        return True
    try:
        writer(file)
    except OSError as why:
        _complain(command, option, file, why.strerror or type(why).__name__)
        return False
    return True


def _complain(command: str, option: str, file: str | None, why: str) -> None:
    said = why if why.isprintable() else ascii(why)
    print(f"{command}: {option}: cannot write {file!r}: {said}", file=sys.stderr)
