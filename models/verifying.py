"""Every byte of the embedded models held against what was pinned: `voicetable models verify`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from models import sentences
from models.catalogue import EMBEDDED, VAD, VAD_DISTRIBUTIONS, VAD_NAME
from models.checksums import problem_of
from models.errors import ModelError
from models.store import joined_directory, part_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from models.catalogue import Part
    from models.checksums import Progress


@dataclass(frozen=True, slots=True)
class FileCheck:
    """What verification found of one file; `problem` is empty where the bytes are the pinned ones."""

    model: str
    path: str
    size_bytes: int
    problem: str


def verify(data_dir: Path, progress: Progress | None = None) -> Iterator[FileCheck]:
    """Hash every file of every embedded model, stamps ignored: package parts, then what was joined, if it was.

    The voice-activity detector's file and the sentence encoder's come last.
    """
    for model in EMBEDDED.values():
        for file in model.files:
            for part in file.parts:
                yield _part(model.name, part, model.distributions, progress)
            joined = joined_directory(model, data_dir) / file.name
            if model.directory is None and joined.exists():
                yield FileCheck(model.name, str(joined), file.size_bytes, problem_of(joined, file, progress))
    yield _part(VAD_NAME, VAD, VAD_DISTRIBUTIONS, progress)
    for part in sentences.FILES:
        yield _part(sentences.NAME, part, (sentences.DISTRIBUTION,), progress)


def verify_bytes(data_dir: Path) -> int:
    """How many bytes `verify` will read at most: for a progress bar."""
    total = VAD.size_bytes + sum(part.size_bytes for part in sentences.FILES)
    for model in EMBEDDED.values():
        for file in model.files:
            total += sum(part.size_bytes for part in file.parts)
            if model.directory is None and (joined_directory(model, data_dir) / file.name).exists():
                total += file.size_bytes
    return total


def _part(name: str, part: Part, distributions: tuple[str, ...], progress: Progress | None) -> FileCheck:
    try:
        path = part_path(part, distributions)
    except ModelError as error:
        return FileCheck(name, f"{part.package}/{part.path}", part.size_bytes, str(error))
    return FileCheck(name, str(path), part.size_bytes, problem_of(path, part, progress))
