"""SHA-256 of model files, remembered by size and modification time so that a start does not read every file again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from models.catalogue import ModelFile, Part

CHUNK_BYTES = 1 << 20

Progress = Callable[[int], None]
"""Told the number of bytes read since the last call."""


def sha256_of(path: Path, progress: Progress | None = None) -> str:
    """SHA-256 of a file, in hex. Raises OSError where the file can't be read."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
            if progress is not None:
                progress(len(chunk))
    return digest.hexdigest()


def problem_of(path: Path, wanted: Part | ModelFile, progress: Progress | None = None) -> str:
    """What is wrong with a file, every byte read; empty where nothing is."""
    try:
        size_bytes = path.stat().st_size
        if size_bytes != wanted.size_bytes:
            return f"{path} has {size_bytes} bytes, expected {wanted.size_bytes}"
        found = sha256_of(path, progress)
    except OSError as error:
        return f"{path} can't be read ({error.strerror})"
    return "" if found == wanted.sha256 else f"{path} is damaged: SHA-256 {found[:16]}…, expected {wanted.sha256[:16]}…"


class Stamps:
    """Which files were hashed already: path to (size in bytes, modification time in ns, SHA-256).

    A cache in one JSON file: unreadable or unwritable means only that files are hashed again. Damage that leaves size
    and time as they were is not seen here; `voicetable models verify` reads every byte.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, tuple[int, int, str]] = {}
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
            for path, (size_bytes, mtime_ns, sha256) in json.loads(file.read_text("utf-8")).items():
                self._known[str(path)] = (int(size_bytes), int(mtime_ns), str(sha256))

    def sha256(self, path: Path) -> str:
        """The file's SHA-256: from the stamp where size and time still fit, else computed and stamped."""
        stat = path.stat()
        known = self._known.get(str(path))
        if known is not None and known[:2] == (stat.st_size, stat.st_mtime_ns):
            return known[2]
        digest = sha256_of(path)
        self.put(path, digest)
        return digest

    def put(self, path: Path, sha256: str) -> None:
        """Stamp a file whose SHA-256 was just computed from its bytes."""
        stat = path.stat()
        self._known[str(path)] = (stat.st_size, stat.st_mtime_ns, sha256)
        draft = self._file.with_name(f".{self._file.name}.{secrets.token_hex(6)}.tmp")
        try:
            draft.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(json.dumps(self._known, indent=1), "utf-8")
            os.replace(draft, self._file)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
