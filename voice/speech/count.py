"""How many recogniser processes a server has, and which GPU is whose."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from voice.processes.cores import cores

MOST: Final = 32
MOST_BY_DEFAULT: Final = 4
"""Each has its own copy of the models: some 0.2 to 0.4 GB with the embedded ones."""
_DRIVER: Final = Path("/proc/driver/nvidia/gpus")
_VISIBLE: Final = "CUDA_VISIBLE_DEVICES"


def workers_by_default(device: str) -> int:
    """One a core, MOST_BY_DEFAULT at most; on CUDA one a GPU."""
    return max(1, len(_gpus())) if device == "cuda" else min(MOST_BY_DEFAULT, cores())


def device_of(number: int, device: str) -> dict[str, str]:
    """What the environment of the process of a number, from 0 on, has in addition: the GPU that is its own."""
    gpus = _gpus() if device == "cuda" else []
    return {_VISIBLE: gpus[number % len(gpus)]} if len(gpus) > 1 else {}


def _gpus() -> list[str]:
    """The names of the GPUs that CUDA may use here; empty where nobody says."""
    visible = os.environ.get(_VISIBLE)
    if visible is not None:
        return [name.strip() for name in visible.split(",") if name.strip()]
    try:
        return [str(number) for number, _ in enumerate(_DRIVER.iterdir())]
    except OSError:
        return []
