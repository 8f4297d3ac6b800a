"""The machine: Python, cores, open files, disk, clock, GPU, audio devices."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from voice.processes.cores import cores

from .finding import fail, ok, warn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from voice.settings import Settings

    from .finding import Finding

LITTLE_MB: Final = 1000
NO_MB: Final = 50
ENOUGH_FILES: Final = 4096
FILES_A_PERSON: Final = 4
MADE_IN: Final = 2026


def check_host(settings: Settings) -> Iterator[Finding]:
    """Everything of the machine itself."""
    yield ok("python", "python", found=platform.python_version())
    count = cores()
    yield warn("cores", "one_core") if count < 2 else ok("cores", "cores", cores=count)
    yield _files()
    yield _disk(settings)
    yield clock(time.time(), _kept())
    yield _gpu(settings)
    yield _audio()


def _files() -> Finding:
    try:
        import resource
    except ImportError:  # not on Windows
        return ok("open files", "files", limit="as many as there is memory for")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most == resource.RLIM_INFINITY or most >= ENOUGH_FILES:
        return ok("open files", "files", limit=most)
    return warn("open files", "few_files", limit=most, people=most // FILES_A_PERSON)


def _disk(settings: Settings) -> Finding:
    folder = settings.data.absolute()
    there = folder
    while not there.exists():
        there = there.parent
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return fail("disk", "no_folder", folder=folder, why=error.strerror)
    free_mb = shutil.disk_usage(there).free // 1_000_000
    if free_mb < NO_MB:
        return fail("disk", "no_disk", free_mb=free_mb, folder=folder)
    return (warn if free_mb < LITTLE_MB else ok)(
        "disk", "little_disk" if free_mb < LITTLE_MB else "disk", free_mb=free_mb, folder=folder
    )


def _kept() -> bool | None:
    """Whether a time service keeps the clock; None where that can't be seen."""
    from pathlib import Path

    if not Path("/run/systemd/system").is_dir():
        return None
    return Path("/run/systemd/timesync/synchronized").exists() or any(
        shutil.which(name) for name in ("chronyd", "ntpd", "openntpd")
    )


def clock(now_s: float, kept: bool | None) -> Finding:
    """What there is to say of a clock that says `now_s`."""
    now = datetime.fromtimestamp(now_s, UTC)
    said = f"{now:%Y-%m-%d %H:%M:%S}"
    if now.year < MADE_IN:
        return fail("clock", "wrong_clock", now=said)
    return warn("clock", "clock_not_kept", now=said) if kept is False else ok("clock", "clock", now=said)


def _gpu(settings: Settings) -> Finding:
    why = ""
    try:
        import ctranslate2

        count = int(ctranslate2.get_cuda_device_count())
    except (ImportError, RuntimeError, OSError) as error:
        count, why = 0, f": {error}"
    if count:
        return ok("gpu", "gpu", count=count)
    return fail("gpu", "gpu_asked", why=why) if settings.device == "cuda" else ok("gpu", "no_gpu")


def _audio() -> Finding:
    from voice.mic.devices import DeviceError, list_devices

    try:
        devices = list_devices()
    except DeviceError as error:
        return ok("audio devices", "no_sounddevice", why=error.why)
    inputs = sum(each.inputs > 0 for each in devices)
    outputs = sum(each.outputs > 0 for each in devices)
    if not inputs or not outputs:
        return ok("audio devices", "no_audio")
    return ok("audio devices", "audio", inputs=inputs, outputs=outputs)
