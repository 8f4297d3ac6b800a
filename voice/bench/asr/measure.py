"""All rows, one after the other; those that are there already from an interrupted run are not played again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

from voice.bench.asr.playing import play
from voice.bench.asr.row import make_row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from voice.bench.asr.setup import Setup
    from voice.bench.asr.sound import Sound


class Teller(Protocol):
    """Shows how far it is."""

    def row(self, number: int, of: int, name: str) -> None:
        """A row begins; `number` counts from 1."""
        ...

    def played(self, seconds: float) -> None:
        """So much more of the clips was played."""
        ...


def seconds_to_play(setups: Sequence[Setup], sounds: Sequence[Sound]) -> float:
    """How long the rows take, at least."""
    return len(setups) * sum(sound.turn_s for sound in sounds)


def measure(
    setups: Sequence[Setup],
    sounds: Sequence[Sound],
    data_dir: Path,
    done: list[dict[str, Any]],
    teller: Teller,
    on_row: Callable[[list[dict[str, Any]]], object],
) -> list[dict[str, Any]]:
    """The rows in the setups' order. `done`: rows that stand. `on_row` is called with all there are after each.

    Raises BenchError.
    """
    rows: dict[int, dict[str, Any]] = {}
    for number, setup in enumerate(setups):
        found = next((row for row in done if {name: row.get(name) for name in setup.key} == setup.key), None)
        if found is not None:
            rows[number] = found
    for number, setup in enumerate(setups):
        if number in rows:
            continue
        teller.row(number + 1, len(setups), setup.name)
        rows[number] = make_row(setup, asyncio.run(play(setup, sounds, data_dir, teller.played)))
        on_row([rows[at] for at in sorted(rows)])
    return [rows[at] for at in sorted(rows)]
