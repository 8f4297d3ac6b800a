"""What is measured: a row's way, model, device and load, and the rows of a command line."""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from models.catalogue import BASE, DEFAULT_BY_LANGUAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

OURS, FIXED, THEIRS, MOONSHINE = "ours", "ours-fixed", "faster-whisper", "moonshine"
"""FIXED: ours with the same wait at an utterance's end and the same captions under load as the others have."""
WAYS = (OURS, FIXED, THEIRS, MOONSHINE)
THREADS_ITS_OWN = 0
"""Of a library that takes as many as it likes."""
DEFAULT_MODEL = "default"
"""Each language's embedded model."""


@dataclass(frozen=True, slots=True)
class Setup:
    """One row. `way`: of WAYS, or the module of a recogniser of the host's own.

    `window_s` None: as the model needs; for the ways that know no window it is None too. `threads`: THREADS_ITS_OWN
    for the way that can't be told.
    """

    way: str
    model: str
    device: str
    compute_type: str
    threads: int
    window_s: float | None
    tables: int
    workers: int
    interim_s: float

    @property
    def key(self) -> dict[str, Any]:
        """Its fields, as a row has them."""
        return asdict(self)

    @property
    def name(self) -> str:
        """For people."""
        return row_name(self.key)

    def model_of(self, lang: str) -> str:
        """The name of the model of a language."""
        return DEFAULT_BY_LANGUAGE.get(lang, BASE.name) if self.model == DEFAULT_MODEL else self.model


def row_name(row: Mapping[str, Any]) -> str:
    """A row's name for people, by its setup's fields."""
    window = "" if row.get("window_s") is None else f", window {row['window_s']:g} s"
    threads = f", {row['threads']} threads" if row["threads"] > 1 else ""
    workers = f", {row['workers']} processes" if row.get("workers", 1) != 1 else ""
    interim = f", captions each {row['interim_s']:g} s" if row.get("interim_s", 1.0) != 1.0 else ""
    tables = f", {row['tables']} tables" if row["tables"] > 1 else ""
    model = f"{row['way']} {row['model']} {row['device']} {row['compute_type']}"
    return f"{model}{threads}{window}{workers}{interim}{tables}"


def default_compute_type(device: str) -> str:
    """What our recogniser takes where none is named."""
    return "int8_float16" if device == "cuda" else "int8"


def grid(
    *,
    ways: Sequence[str],
    models: Sequence[str],
    device: str,
    compute_types: Sequence[str],
    threads: Sequence[int],
    windows_s: Sequence[float],
    tables: Sequence[int],
    workers: Sequence[int],
    interims_s: Sequence[float],
    one_by_one: bool = False,
) -> list[Setup]:
    """Every combination, ours beside the others of the same model and load, each once.

    `one_by_one`: the first of each with the window that the model needs, and then each further value of one thing
    alone, with the first of all others.
    """
    windows: Sequence[float | None] = [None, *windows_s] if one_by_one else (list(windows_s) or [None])
    choices: tuple[Sequence[Any], ...] = (
        models or [DEFAULT_MODEL], compute_types or [default_compute_type(device)], threads or [1], tables or [1],
        windows, workers or [1], interims_s or [1.0],
    )  # fmt: skip
    ours = (
        Setup(OURS, model, device, compute_type, thread, window_s, table, worker, interim_s)
        for model, compute_type, thread, table, window_s, worker, interim_s in (
            _one_by_one(choices) if one_by_one else itertools.product(*choices)
        )
    )
    return list(dict.fromkeys(_of_way(way, setup) for setup in ours for way in ways))


def _one_by_one(choices: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    first = tuple(values[0] for values in choices)
    yield first
    for at, values in enumerate(choices):
        for value in values[1:]:
            yield (*first[:at], value, *first[at + 1 :])


def _of_way(way: str, ours: Setup) -> Setup:
    if way in (OURS, FIXED):
        return replace(ours, way=way)
    if way != MOONSHINE:
        return replace(ours, way=way, window_s=None)
    return replace(
        ours, way=way, model="tiny-en", device="cpu", compute_type="its own", threads=THREADS_ITS_OWN, window_s=None
    )
