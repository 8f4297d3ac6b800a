"""A bench's result: distributions, the machine, the versions, as one JSON document and as a table on the terminal."""

from __future__ import annotations

import json
import math
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voice.bench.gpu import gpus
from voice.processes.cores import cores

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MEASURED_WITH = ("aiortc", "av", "ctranslate2", "faster-whisper", "onnxruntime", "uvloop")


def distribution(values: Sequence[float], digits: int = 2) -> dict[str, float | int | None]:
    """The percentiles of `values` by nearest rank, and their number; null percentiles where there are none."""
    ranked = sorted(values)
    at = {f"p{part}": ranked[math.ceil(part / 100 * len(ranked)) - 1] if ranked else None for part in (50, 95, 99)}
    return {name: None if value is None else round(value, digits) for name, value in at.items()} | {"n": len(ranked)}


def document(bench: str, rows: Sequence[Mapping[str, Any]], result: Mapping[str, Any]) -> dict[str, Any]:
    """The document that every bench writes."""
    return {
        "bench": bench,
        "command": ["voicetable", *sys.argv[1:]],
        "machine": _machine(),
        "versions": versions(("voicetable", *MEASURED_WITH)),
        "rows": list(rows),
        "result": dict(result),
    }


def unwritable(path: str) -> str | None:
    """Why a document can't be written there, as far as can be seen before the measuring; None where it seems it can."""
    file = Path(path)
    if file.is_dir():
        return "it is a folder"
    if not file.parent.is_dir():
        return f"there is no folder {file.parent}"
    return None if os.access(file if file.exists() else file.parent, os.W_OK) else "it is not allowed"


def write(path: str, made: Mapping[str, Any]) -> None:
    """Write the document. Raises OSError."""
    Path(path).write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def show(title: str, result: Mapping[str, Any]) -> None:
    """Print a result as a table: one row a figure."""
    from rich.console import Console
    from rich.table import Table

    table = Table("", "p50", "p95", "p99", "n", title=title, title_justify="left")
    for name, value in result.items():
        if isinstance(value, dict) and "p50" in value:
            table.add_row(
                name, *("-" if value[part] is None else f"{value[part]:g}" for part in ("p50", "p95", "p99", "n"))
            )
        else:
            table.add_row(name, "-" if value is None else str(value), "", "", "")
    Console().print(table)


def _machine() -> dict[str, Any]:
    return {
        "processor": _processor(),
        "cores": cores(),
        "gpus": gpus(),
        "load_1_min": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def versions(packages: Iterable[str]) -> dict[str, str | None]:
    """The installed version of each package; None of one that is not installed."""
    return {name: _version(name) for name in packages}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
