"""What the pictures of the benches have in common. They need the extra `plot`."""

from __future__ import annotations

import importlib.util
from typing import Final

PARTS: Final = {"p50": "#2f6f8f", "p95": "#c98b2b", "p99": "#a33b3b"}
"""The parts of a distribution, each with its colour."""


def refusal(path: str | None) -> str | None:
    """Why no plot can be made at `path`, in one line; None where one can, or none is asked for."""
    if path is None:
        return None
    if not path.lower().endswith(".png"):
        return f"expected a file whose name ends in .png, got {path!r}"
    if importlib.util.find_spec("matplotlib") is None:
        return "matplotlib is not installed: pip install 'voicetable[plot]'"
    return None
