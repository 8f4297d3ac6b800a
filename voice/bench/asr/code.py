"""A short name of the code that turns speech into text here: figures of one version of it are none of another."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from voice.speech.loading import source_of

ROOT = Path(__file__).resolve().parents[3]
PARTS = ("models", "voice/bench/asr", "voice/media/codec.py", "voice/processes", "voice/speech")
"""What a row's figures hang on: the recogniser and its settings, the path to it, and what measures."""


@functools.cache
def fingerprint(modules: tuple[str, ...] = ()) -> str:
    """Of our own code and of the recognisers' modules that stand beside it, names and contents."""
    digest = hashlib.sha256()
    for file in sorted(file for part in PARTS for file in _sources(ROOT / part)):
        _add(digest, file.relative_to(ROOT).as_posix(), file.read_bytes())
    for module in sorted(modules):
        source = source_of(module)
        for file in _sources(source.parent if source is not None and source.name == "__init__.py" else source):
            _add(digest, f"{module}/{file.name}", file.read_bytes())
    return digest.hexdigest()[:16]


def _sources(place: Path | None) -> list[Path]:
    if place is None or not place.exists():
        return []
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


def _add(digest: hashlib._Hash, name: str, content: bytes) -> None:
    digest.update(f"{name}\0{len(content)}\0".encode() + content)
