"""Find a toxicity model on this machine: a folder, or a published one that was fetched into the data folder."""

from __future__ import annotations

import contextlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from models.checksums import Stamps, sha256_of
from models.errors import ModelError
from models.toxicity.catalogue import PUBLISHED
from models.toxicity.fetch import fetch
from models.toxicity.sums import check_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from models.checksums import Progress

PACKAGES: Final = ("torch", "transformers", "detoxify")
TOKENIZERS: Final = (("tokenizer.json",), ("vocab.txt",), ("vocab.json", "merges.txt"), ("sentencepiece.bpe.model",),
                     ("spiece.model",))  # fmt: skip
"""One of these is a model's tokenizer."""


@dataclass(frozen=True, slots=True)
class Found:
    """A model's folder, and its checkpoint there."""

    name: str
    directory: Path
    checkpoint: Path


def installed() -> bool:
    """Whether the extra is: nothing is imported."""
    return all(importlib.util.find_spec(package) is not None for package in PACKAGES)


def check_installed() -> None:
    """Raises ModelError where the extra is not installed."""
    missing = [package for package in PACKAGES if importlib.util.find_spec(package) is None]
    if missing:
        raise ModelError(
            f"package {missing[0]} is not installed: a toxicity model needs it; run: pip install 'voicetable[detoxify]'"
        )


def look_for(name: str) -> None:
    """What can be said of `name` at once, nothing read whole or fetched: for a server's start.

    Raises ModelError, whose message says what to do: for a name that is neither a published model's nor a folder's,
    for a folder that holds no model, and where the extra is not installed.
    """
    check_installed()
    if name not in PUBLISHED:
        _looked_at(name, _folder(name))


def is_folder(name: str) -> bool:
    """Whether `name` is a folder's."""
    try:
        return _folder(name).is_dir()
    except ModelError:
        return False


def locate(name: str, data_dir: Path, progress: Progress | None = None) -> Found:
    """Find the model and hold its files against their checksums; a published one that is not there is fetched.

    May read and fetch 1.1 GB: call it off the event loop. Raises ModelError, whose message says what to do.
    """
    if name in PUBLISHED:
        directory = directory_of(name, data_dir)
        if not directory.is_dir():
            fetch(PUBLISHED[name], directory, progress)
    else:
        directory = _folder(name)
    found = _looked_at(name, directory)
    stamps = Stamps(data_dir.absolute() / "models" / "verified.json")
    try:
        check_folder(found.directory, found.checkpoint.name, stamps.sha256)
    except OSError as error:
        raise ModelError(f"model {name}: {directory} can't be read ({error.strerror or error})") from error
    return found


def verify_fetched(data_dir: Path) -> Iterator[tuple[str, str]]:
    """Every published model in the data folder, each file read: its name, and what is wrong with it ("": nothing)."""
    for name in PUBLISHED:
        directory = directory_of(name, data_dir)
        if directory.is_dir():
            try:
                found = _looked_at(name, directory)
                check_folder(directory, found.checkpoint.name, sha256_of)
            except (ModelError, OSError) as error:
                yield name, str(error)
            else:
                yield name, ""


def directory_of(name: str, data_dir: Path) -> Path:
    """Where a published model is kept."""
    return data_dir.absolute() / "models" / f"detoxify-{name}"


def _folder(name: str) -> Path:
    with contextlib.suppress(OSError, RuntimeError, ValueError):  # too long for a path, nobody's home, a null byte
        folder = Path(name).expanduser()
        if name and folder.is_dir():
            return folder.absolute()
    raise ModelError(f"there is no toxicity model {name!r:.200}: expected a folder, or one of {', '.join(PUBLISHED)}")


def _looked_at(name: str, directory: Path) -> Found:
    checkpoints = sorted(path for path in directory.glob("*.ckpt") if not path.name.startswith("."))
    if len(checkpoints) != 1:
        found = ", ".join(path.name for path in checkpoints) or "none"
        raise ModelError(f"folder {directory}: expected one checkpoint of Detoxify's (*.ckpt), got {found}")
    if not (directory / "config.json").is_file():
        raise ModelError(f"folder {directory}: config.json is missing; copy that of the model it was trained from")
    if not any(all((directory / file).is_file() for file in files) for files in TOKENIZERS):
        kinds = ", ".join(" and ".join(files) for files in TOKENIZERS)
        raise ModelError(f"folder {directory} has no tokenizer: expected one of {kinds}")
    return Found(name, directory, checkpoints[0])
