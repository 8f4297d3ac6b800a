"""`python -m benchmarks.speech.soak`: thousands of utterances, as fast as they are heard, and what memory does.

Exit status 0 if memory was flat and every turn became one line, 1 if not, 2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import platform
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.soak.judge import WARM_PART, regression
from benchmarks.speech.turns import SEATS, Clip, TalkingTable, TrialError, short_clips, undisturbed
from voice.cli.json_file import seems_writable, write_json
from voice.logs import configure_logs
from voice.processes.usage import resident_bytes
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

CLIPS = 8
TURNS_OF_A_TABLE = 40
"""Then the table ends and another begins: what is kept of a table must go with it."""
SAMPLES = 60
MEMORY_PART = 0.03
MEMORY_MB = 3.0
"""A process's memory is flat if its regression line rises over the judged time by this part of its mean at most, or so
many MB: allocators find places for what is new among what is old."""


async def soak(
    utterances: int,
    tables: int,
    workers: int,
    *,
    langs: Sequence[str] = ("en",),
    longest_s: float = 3.0,
    clips: Mapping[str, list[Clip]] | None = None,
    memory_mb: float = MEMORY_MB,
    settings: SpeechSettings | None = None,
    told: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Run it; the result, with its samples and under `failures` what must not be. Raises TrialError."""
    with tempfile.TemporaryDirectory() as folder:
        service = SpeechService(Path(folder), replace(settings or SpeechSettings(), workers=workers))
        await service.start()
        try:
            known = [
                await undisturbed(service, clips[lang] if clips else short_clips(lang, longest_s), CLIPS)
                for lang in langs
            ]
            run = _Run(service, known, utterances)
            begun_s = time.monotonic()
            sampling = asyncio.create_task(run.sample(told))
            await asyncio.gather(*(run.talk(number) for number in range(tables)))
            sampling.cancel()
            counts = service.stats()["recogniser"]
        finally:
            await service.stop()
    failures = [*run.failures, *grown(run.samples, memory_mb)]
    counted = ("deaths", "hung", "recycled", "retried", "dropped_crash", "dropped_failed", "dropped_overload")
    failures += [f"{name}: {counts[name]}" for name in counted if counts[name]]
    return {
        "machine": {"python": platform.python_version(), "cores": os.cpu_count(), "load": os.getloadavg()[0]},
        "utterances": run.done,
        "tables": tables,
        "workers": workers,
        "langs": list(langs),
        "seconds": round(time.monotonic() - begun_s, 1),
        "memory": memory_of(run.samples),
        "failures": failures,
        "samples": run.samples,
    }


class _Run:
    """The turns of all tables, and the samples."""

    def __init__(self, service: SpeechService, known: Sequence[list[Clip]], utterances: int) -> None:
        self._service = service
        self._known = known
        self._left = self._wanted = utterances
        self._names = itertools.count(1)
        self.done = 0
        self.failures: list[str] = []
        self.samples: list[dict[str, float]] = []

    async def talk(self, number: int) -> None:
        """Turns, at one table after another, until all have been said."""
        clips = self._known[number % len(self._known)]
        while self._left > 0:
            name = next(self._names)
            table = TalkingTable(self._service, f"soak {name}", clips[0].lang)
            for turn in range(TURNS_OF_A_TABLE):
                if self._left <= 0:
                    break
                self._left -= 1
                seat = 1 + turn % SEATS
                try:
                    lines = await table.turn(seat, clips[turn % len(clips)])
                except TimeoutError:
                    self.failures.append(f"table {name}, turn {turn + 1}: no line")
                    continue
                self.done += 1
                if [line.seat for line in lines] != [seat]:
                    self.failures.append(f"table {name}, turn {turn + 1}: expected one line of its seat")
            table.close()

    async def sample(self, told: Callable[[str], None]) -> None:
        """What each process holds, each time that another part of the utterances has become lines."""
        every = max(1, self._wanted // SAMPLES)
        for due in itertools.count(0, every):
            while self.done < due:  # noqa: ASYNC110 - a count is waited for
                await asyncio.sleep(0.05)
            stats = self._service.stats()
            pids = {"server": os.getpid(), "tap": stats["tap"]["pid"]}
            pids |= {f"recogniser {number}": pid for number, pid in enumerate(stats["recogniser"]["pids"], 1)}
            sizes = {name: round((resident_bytes(pid) or 0) / 1e6, 2) for name, pid in pids.items()}
            self.samples.append({"at": time.monotonic(), "utterances": self.done, **sizes})
            told(f"{self.done} of {self._wanted}: " + ", ".join(f"{name} {size:g} MB" for name, size in sizes.items()))


def memory_of(samples: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """By process: MB at the first and last sample, and the rise of the regression line over the judged utterances.

    Of the processes that each of those samples has: one that stood in while another was replaced is none of them.
    """
    judged = [sample for sample in samples if sample["utterances"] >= WARM_PART * samples[-1]["utterances"]]
    at = [sample["utterances"] for sample in judged]
    found = {}
    everywhere = set(samples[0]).intersection(*judged) - {"at", "utterances"}
    for name in (name for name in samples[0] if name in everywhere):
        sizes = [sample[name] for sample in judged]
        line = regression(at, sizes)
        found[name] = {
            "first_mb": samples[0][name],
            "last_mb": sizes[-1],
            "mean_mb": round(line.mean, 2),
            "rise_mb": round(line.slope * (at[-1] - at[0]), 2),
            "mb_per_100": round(100 * line.slope, 4),
        }
    return found


def grown(samples: Sequence[Mapping[str, float]], memory_mb: float = MEMORY_MB) -> list[str]:
    """A sentence for each process whose memory is not flat."""
    return [
        f"the memory of {name} rose by {size['rise_mb']:g} MB"
        for name, size in memory_of(samples).items()
        if size["rise_mb"] > max(memory_mb, MEMORY_PART * size["mean_mb"])
    ]


def main(given: Sequence[str] | None = None) -> int:
    """Run, print the verdict, write the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speech.soak", description=__doc__)
    parser.add_argument("--utterances", type=int, default=5000)
    parser.add_argument("--tables", type=int, default=4, help="that talk at once")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--longest", type=float, default=3.0, metavar="S", help="recordings of at most so many seconds")
    parser.add_argument("--lang", action="append", dest="langs", choices=("en", "ru"), help="en; repeatable")
    parser.add_argument("--json", metavar="FILE")
    asked = parser.parse_args(given)
    if asked.utterances < SAMPLES or min(asked.tables, asked.workers) < 1 or not asked.longest > 0:
        parser.error(f"expected at least {SAMPLES} utterances, a table and a worker, and --longest above 0")
    if not seems_writable("soak", asked.json):
        return 2

    def told(line: str) -> None:
        if sys.stderr.isatty():
            print(line, file=sys.stderr)

    configure_logs()
    try:
        result = asyncio.run(
            soak(
                asked.utterances, asked.tables, asked.workers,
                langs=asked.langs or ["en"], longest_s=asked.longest, told=told,
            )
        )  # fmt: skip
    except TrialError as why:
        print(f"soak: {why}", file=sys.stderr)
        return 1
    written = write_json("soak", asked.json, result)
    print(json.dumps({name: value for name, value in result.items() if name != "samples"}, indent=1))
    return 0 if written and not result["failures"] else 1


if __name__ == "__main__":
    sys.exit(main())
