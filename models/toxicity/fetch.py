"""Fetch a published toxicity model: its checkpoint from the releases, the rest from the hub at one revision."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import os
import secrets
import shutil
import urllib.request
from typing import TYPE_CHECKING, Final

from models.checksums import CHUNK_BYTES
from models.errors import ModelError
from models.store import lock
from models.toxicity import catalogue
from models.toxicity.sums import check_folder, write_sums

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from models.checksums import Progress
    from models.toxicity.catalogue import Published

WAIT_S: Final = 60.0
"""For the other side's next bytes."""
MOST_BYTES: Final = 4 << 30
OFFLINE: Final = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


def fetch(published: Published, directory: Path, progress: Progress | None = None) -> None:
    """Make the model's folder, with SHA256SUMS of what came. It appears whole, or not at all.

    The checkpoint is held against the digits in its name; that the rest came as the hub has it at that revision is
    the connection's word. `HF_ENDPOINT` names a mirror of the hub. Raises ModelError, whose message says what to do.
    """
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with lock(directory.parent / ".detoxify.lock"):
            if not directory.is_dir():
                _fetch(published, directory, progress)
    except (OSError, http.client.HTTPException, ValueError) as error:
        said = getattr(error, "reason", None) or getattr(error, "strerror", None) or type(error).__name__
        raise ModelError(
            f"model {published.name} is not in {directory} and can't be fetched ({said}): go online, or give a folder "
            f"with its checkpoint, config.json and tokenizer"
        ) from error


def _fetch(published: Published, directory: Path, progress: Progress | None) -> None:
    for name in OFFLINE:
        if os.environ.get(name, "").lower() in ("1", "on", "yes", "true"):
            raise ModelError(f"model {published.name} is not in {directory}, and {name} forbids to fetch it")
    with _draft(directory) as draft:
        sums = {name: _get(address, draft / name, progress) for name, address in addresses(published).items()}
        check_folder(draft, published.file, lambda path: sums[path.name])
        write_sums(draft, sums)
        draft.rename(directory)


def addresses(published: Published) -> dict[str, str]:
    """The model's files, each with its address."""
    hub = os.environ.get("HF_ENDPOINT", "").rstrip("/") or catalogue.HUB
    base = f"{hub}/{published.base}/resolve/{published.revision}"
    return {
        **{name: f"{base}/{name}" for name in published.files},
        published.file: f"{catalogue.RELEASES}/{published.checkpoint}",
    }


def _get(address: str, path: Path, progress: Progress | None) -> str:
    """Fetch one file; its SHA-256."""
    if not address.startswith(("https://", "http://")):
        raise ValueError(f"expected an https address, got {address!r}")
    digest = hashlib.sha256()
    come = 0
    with urllib.request.urlopen(address, timeout=WAIT_S) as answer, path.open("wb") as file:  # noqa: S310 - as above
        said = answer.headers.get("content-length")
        while chunk := answer.read(CHUNK_BYTES):
            come += len(chunk)
            if come > MOST_BYTES:
                raise ModelError(f"{address} is longer than {MOST_BYTES} bytes: that is no file of this model")
            digest.update(chunk)
            file.write(chunk)
            if progress is not None:
                progress(len(chunk))
    if said is not None and come != int(said):
        raise ModelError(f"{address} broke off after {come} of {said} bytes: try again")
    return digest.hexdigest()


@contextlib.contextmanager
def _draft(directory: Path) -> Iterator[Path]:
    """A folder beside `directory`, gone afterwards where it was not given its name."""
    # Only the lock's holder comes here: whatever draft lies about was left by one that died.
    for leftover in directory.parent.glob(".detoxify-*.tmp"):
        shutil.rmtree(leftover, ignore_errors=True)
    draft = directory.with_name(f".{directory.name}.{secrets.token_hex(6)}.tmp")
    draft.mkdir()
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)
