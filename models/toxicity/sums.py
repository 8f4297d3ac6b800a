"""The SHA-256 of a toxicity model's files: from the folder's SHA256SUMS, and from its checkpoint's name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from models.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SUMS: Final = "SHA256SUMS"
"""What `sha256sum *` writes, one file a line."""

_LINE = re.compile(r"([0-9a-f]{64}) [ *]([^/\\]+)")
_NAMED = re.compile(r"-([0-9a-f]{8,64})\.ckpt")


def write_sums(directory: Path, sums: Mapping[str, str]) -> None:
    """Writes what `check_folder` reads. Raises OSError."""
    (directory / SUMS).write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)), "utf-8")


def check_folder(directory: Path, checkpoint: str, sha256: Callable[[Path], str]) -> None:
    """Holds every file of the folder against SHA256SUMS, and the checkpoint against the digits in its name.

    `sha256` gives a file's sum. Raises ModelError for a file that is damaged, missing or in no list, and where neither
    the folder nor the name has a sum; OSError where a file can't be read.
    """
    named = _NAMED.search(checkpoint)
    listed = _read(directory)
    if named is None and listed is None:
        raise ModelError(
            f"folder {directory} has no checksums: look whether the files are what they should be, and then run: "
            f"cd {directory} && sha256sum * > {SUMS}"
        )
    if named is not None and not sha256(directory / checkpoint).startswith(named[1]):
        raise ModelError(f"{directory / checkpoint} is damaged: its SHA-256 does not begin with {named[1]}")
    for name, digest in sorted((listed or {}).items()):
        if not (directory / name).is_file():
            raise ModelError(f"{directory / name} is missing: it is in {SUMS}")
        if sha256(directory / name) != digest:
            raise ModelError(f"{directory / name} is damaged: its SHA-256 is not the one in {SUMS}")
    if listed is not None:
        for path in sorted(directory.iterdir()):
            if path.name not in listed and path.name != SUMS and not path.name.startswith("."):
                raise ModelError(f"{path} is in no line of {SUMS}: take it away, or add its line")


def _read(directory: Path) -> dict[str, str] | None:
    try:
        lines = (directory / SUMS).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise ModelError(f"{directory / SUMS}: expected text, got something else") from error
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise ModelError(f"{directory / SUMS}, line {number}: expected a SHA-256, two spaces and a file's name")
        found[match[2]] = match[1]
    return found
