"""What `transcribe` and `bench asr` are told of models and devices: looked at before the work."""

from __future__ import annotations

import contextlib
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA_DIR = Path(os.environ.get("VOICETABLE_DATA", "data"))
DEVICES = ("cpu", "cuda")


class OptionError(Exception):
    """An option that can't be followed; one line names it and says why."""


def check_device(device: str, compute_types: tuple[str, ...] = ()) -> None:
    """Whether this machine has the device and the device does the compute types. Raises OptionError."""
    if device not in DEVICES:
        raise OptionError(f"--device: expected {' or '.join(DEVICES)}, got {device!r}")
    import ctranslate2

    from models.compute import check_compute_type
    from models.errors import ModelError

    if device == "cuda" and not ctranslate2.get_cuda_device_count():
        raise OptionError("--device cuda: CTranslate2 finds no CUDA device on this machine; use --device cpu")
    for compute_type in compute_types:
        try:
            check_compute_type(device, compute_type)
        except ModelError as error:
            raise OptionError(f"--compute-type: {error}") from error


def check_model(name: str) -> None:
    """Whether a model of that name can be there: nothing is read whole or fetched. Raises OptionError."""
    from models.errors import ModelError
    from models.store import look_for

    try:
        look_for(name)
    except ModelError as error:
        raise OptionError(f"--model: {error}") from error


def check_recogniser(module: str | None) -> None:
    """Whether a module can recognise speech: it is imported, in a process of its own. Raises OptionError."""
    from models.errors import ModelError
    from voice.speech.loading import look_at

    if module is not None:
        try:
            look_at(module)
        except ModelError as error:
            raise OptionError(f"--recogniser: {error}") from error


@contextlib.contextmanager
def no_logs() -> Iterator[None]:
    """The speech service's own log lines are for a server's host: here each problem is told once, by the command."""
    import structlog

    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    try:
        yield
    finally:
        structlog.configure(**before)
