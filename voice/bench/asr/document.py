"""The JSON document of `bench asr`: written after every row, read again to go on from it or to be compared."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voice.bench import report
from voice.bench.asr.code import fingerprint
from voice.bench.asr.errors import ClipsError
from voice.bench.asr.row import beside, ratios, result_of
from voice.bench.asr.setup import FIXED, OURS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from voice.bench.asr.setup import Setup

LARGEST_BYTES = 64 << 20
_ROW = {"way": str, "model": str, "device": str, "compute_type": str, "threads": int, "tables": int}
_FIGURES = ("wer_all", "cpu_s_per_audio_s", "rss_mb", "real_time_factor", "load_1_min", "window_s")
_DISTRIBUTIONS = ("end_to_text_ms", "word_to_first_text_ms", "word_to_stable_text_ms")
_SAME = ("processor", "cores", "gpus", "system", "python")


def make(
    rows: Sequence[Mapping[str, Any]], clips: Mapping[str, Any], *, complete: bool, modules: Sequence[str] = ()
) -> dict[str, Any]:
    """The document of these rows; `complete`: no row is to come; `modules`: the recognisers of the host's own."""
    shown = [
        {**row, **({"beside": ratios(row, beside(rows, row))} if row["way"] in (OURS, FIXED) else {})} for row in rows
    ]
    document = report.document("asr", shown, result_of(rows))
    try:
        document["versions"]["moonshine-voice"] = version("moonshine-voice")
    except PackageNotFoundError:
        document["versions"]["moonshine-voice"] = None
    return {**document, "code": fingerprint(tuple(modules)), "clips": dict(clips), "complete": complete}


def write(path: str, document: Mapping[str, Any]) -> None:
    """Write it whole or not at all: what was there before stays until then. Raises OSError."""
    target = Path(path)
    if target.exists() and not target.is_file():  # a device or a pipe is written to, not replaced
        report.write(path, document)
        return
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        report.write(str(draft), document)
        os.replace(draft, target)
    finally:
        draft.unlink(missing_ok=True)


def read(path: str) -> dict[str, Any]:
    """A document that this bench wrote. Raises ClipsError for anything else."""
    file = Path(path)
    try:
        if file.is_file() and file.stat().st_size > LARGEST_BYTES:
            raise ClipsError(f"{path}: expected a result of bench asr of at most {LARGEST_BYTES >> 20} MB")
        if not file.is_file():
            raise ClipsError(f"{path}: expected a file with a result of bench asr")
        found = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise ClipsError(f"{path} can't be read: {error.strerror}") from error
    except (ValueError, RecursionError):
        raise ClipsError(f"{path}: expected a result of bench asr, got no JSON") from None
    if not isinstance(found, dict) or found.get("bench") != "asr":
        raise ClipsError(f"{path}: expected a result of bench asr, got another document")
    if not all(isinstance(found.get(name), dict) for name in ("machine", "versions", "clips", "result")):
        raise ClipsError(f"{path}: expected machine, versions, clips and result")
    if not isinstance(found.get("rows"), list) or not all(_is_row(row) for row in found["rows"]):
        raise ClipsError(f"{path}: expected rows of bench asr")
    return found


@dataclass(frozen=True, slots=True)
class Kept:
    """What of an earlier, interrupted run may stand: rows, or why none."""

    rows: list[dict[str, Any]]
    why_none: str = ""


def kept(path: str | None, clips: Mapping[str, Any], setups: Sequence[Setup], modules: Sequence[str] = ()) -> Kept:
    """The rows of an unfinished document that this run would measure again: same machine, clips, versions and code."""
    if path is None or not Path(path).is_file():
        return Kept([])
    try:
        found = read(path)
    except ClipsError:
        return Kept([])  # it is written over, as every bench does
    if found.get("complete"):
        return Kept([])
    now = make([], clips, complete=False, modules=modules)
    if found["clips"] != now["clips"]:
        return Kept([], "its clips are others")
    if any(found["machine"].get(name) != now["machine"].get(name) for name in _SAME):
        return Kept([], "its machine is another")
    if found["versions"] != now["versions"]:
        return Kept([], "its versions are others")
    if found.get("code") != now["code"]:
        return Kept([], "the recognising code is another")
    wanted = [setup.key for setup in setups]
    return Kept([row for row in found["rows"] if {name: row.get(name) for name in wanted[0]} in wanted])


def _is_row(row: object) -> bool:
    return (
        isinstance(row, dict)
        and all(isinstance(row.get(name), kind) for name, kind in _ROW.items())
        and all(_is_distribution(row.get(name)) for name in _DISTRIBUTIONS)
        and all(isinstance(row.get(name), dict) for name in ("wer", "by_lang", "skipped"))
        and isinstance(row.get("langs"), list)
        and all(_is_figure(row.get(name)) for name in _FIGURES)
        and isinstance(row.get("end_to_text_each_ms"), list)
        and all(isinstance(value, int | float) for value in row["end_to_text_each_ms"])
    )


def _is_distribution(found: object) -> bool:
    return isinstance(found, dict) and all(_is_figure(found.get(part)) for part in ("p50", "p95", "p99", "n"))


def _is_figure(found: object) -> bool:
    return found is None or (isinstance(found, int | float) and not isinstance(found, bool))
