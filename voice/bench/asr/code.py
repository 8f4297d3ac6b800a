"""A short name of the code that turns speech into text here: figures of one version of it are none of another."""

from __future__ import annotations

import ast
import functools
import hashlib
from pathlib import Path

from voice.speech.loading import source_of

ROOT = Path(__file__).resolve().parents[3]
PARTS = ("models", "voice/bench/asr", "voice/media/codec.py", "voice/processes", "voice/speech")
"""What a row's figures hang on: the recogniser and its settings, the path to it, and what measures."""


@functools.cache
def fingerprint(modules: tuple[str, ...] = (), parts: tuple[str, ...] = PARTS) -> str:
    """Of our own code and of the recognisers' modules that stand beside it: names and what is done.

    Comments, docstrings and layout are none of that. The same on every machine, but for versions of Python that parse
    something in another way.
    """
    digest = hashlib.sha256()
    for file in sorted(file for part in parts for file in _sources(ROOT / part)):
        _add(digest, file.relative_to(ROOT).as_posix(), _bare(file))
    for module in sorted(modules):
        source = source_of(module)
        for file in _sources(source.parent if source is not None and source.name == "__init__.py" else source):
            _add(digest, f"{module}/{file.name}", _bare(file))
    return digest.hexdigest()[:16]


def _sources(place: Path | None) -> list[Path]:
    """Modules, and tables of words beside them."""
    if place is None or not place.exists():
        return []
    return sorted([*place.rglob("*.py"), *place.rglob("*.toml")]) if place.is_dir() else [place]


def _bare(file: Path) -> bytes:
    """What of a file can change a figure."""
    content = file.read_bytes()
    if file.suffix != ".py":
        return content
    tree = ast.parse(content)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):  # docstrings, also those of constants and fields
            node.body = [each for each in body if not _is_text(each)]  # type: ignore[attr-defined]  # it has a body
    return ast.dump(tree).encode()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _add(digest: hashlib._Hash, name: str, content: bytes) -> None:
    digest.update(f"{name}\0{len(content)}\0".encode() + content)
