"""`python -m benchmarks.soak`: exit status 0 if nothing grew, 1 if something did, 2 for a wrong command line."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.soak.judge import MEMORY_MB, judge, unclean
from benchmarks.soak.people import People, ServerProcess, SoakError
from voice.cli.json_file import seems_writable, write_json, write_with

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EMPTY_WITHIN_S = 15.0
"""What is left of those who left is gone by then."""
SAMPLES_WANTED = 12


async def soak(
    tables: int,
    seconds: float,
    *,
    workers: int = 0,
    churn_per_s: float = 5.0,
    every_s: float = 5.0,
    seed: int = 1,
    memory_mb: float = MEMORY_MB,
    collect: bool = False,
    told: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Run it; the result, with its samples and under `failures` what must not be. Raises SoakError."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        server = ServerProcess()
        await server.start(tables, workers, log)
        people = People(server, tables, seed)
        samples: list[dict[str, Any]] = []
        try:
            before = await server.ask("sample")
            told(f"{tables * 10} people come")
            await people.all_come()
            people.live(churn_per_s)
            begin = time.monotonic()
            heard = list(people.heard)
            silent: set[int] = set(range(tables))
            while time.monotonic() < begin + seconds:
                await asyncio.sleep(every_s)
                samples.append(await server.ask("sample", collect=collect))
                silent = {table for table in silent if people.heard[table] == heard[table]}
                told(f"{time.monotonic() - begin:.0f} s: {_line(samples[-1])}, joins {people.joins['done']}")
            ended = {"heard": sum(people.heard) - sum(heard), "sent": people.sent, "gates": people.gates}
            joins = dict(people.joins)
            await people.all_go()
            after = await _empty(server, before)
        finally:
            status = await server.end()
        lines = unclean(log.read_text("utf-8", "replace").splitlines())
        result = judge(samples, before, after, joins, lines, memory_mb)
    failures = result.pop("failures")
    if silent:
        failures.append(f"nobody heard anything at {len(silent)} tables")
    if status:
        failures.append(f"the server's exit status was {status}")
    cpu_s = samples[-1]["cpu_s"] - samples[0]["cpu_s"]
    return {
        "tables": tables,
        "seconds": seconds,
        "workers": workers,
        "churn_per_s": churn_per_s,
        "collect": collect,
        "machine": {"python": platform.python_version(), "cores": os.cpu_count(), "load": os.getloadavg()[0]},
        **ended,
        "server_core": round(cpu_s / (samples[-1]["at"] - samples[0]["at"]), 3),
        **result,
        "failures": failures,
        "samples": samples,
    }


async def _empty(server: ServerProcess, before: dict[str, Any]) -> dict[str, Any]:
    """A sample when nobody is left: at once when it is as before, else the last that was waited for."""
    until = time.monotonic() + EMPTY_WITHIN_S
    while True:
        sample = await server.ask("sample")
        if all(sample[name] <= before[name] for name in ("tasks", "descriptors", "peers")) or time.monotonic() > until:
            return sample
        await asyncio.sleep(0.5)


def _line(sample: dict[str, Any]) -> str:
    names = ("rss_mb", "threads", "tasks", "descriptors", "peers", "lag_p99_ms")
    return ", ".join(f"{name} {sample[name]:g}" for name in names)


def draw(path: str, result: dict[str, Any]) -> None:
    """What the server held over time, as a PNG. Raises OSError."""
    from matplotlib.figure import Figure

    samples = result["samples"]
    minutes = [(sample["at"] - samples[0]["at"]) / 60 for sample in samples]
    figure = Figure(figsize=(9, 7), layout="constrained")
    plots = figure.subplots(3, 1, sharex=True)
    for plot, names in zip(plots, (("rss_mb",), ("threads", "tasks", "descriptors"), ("lag_p99_ms",)), strict=True):
        for name in names:
            plot.plot(minutes, [sample[name] for sample in samples], label=name)
        plot.set_ylim(bottom=0)
        plot.legend(loc="lower right")
    plots[-1].set_xlabel("minutes")
    figure.savefig(path, format="png", dpi=120)


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--media-workers", type=int, default=0, help="0: the tables are in the server's process")
    parser.add_argument("--churn", type=float, default=5.0, help="people a second who leave or come")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between samples")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--collect", action="store_true", help="collect the server's garbage before each sample: what is left is held"
    )
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--plot", metavar="FILE", help="a PNG; needs the extra `plot`")
    found = parser.parse_args(given)
    if found.tables < 1 or not found.media_workers >= 0 or not found.churn > 0 or not found.every > 0:
        parser.error("expected at least one table, no fewer than 0 workers, and churn and every above 0")
    if found.minutes * 60 < SAMPLES_WANTED * found.every:
        parser.error(
            f"expected time for {SAMPLES_WANTED} samples: --minutes {SAMPLES_WANTED * found.every / 60:g} or more"
        )
    if found.plot:
        from voice.bench.plot import refusal

        if lacks := refusal(str(found.plot)):
            parser.error(f"--plot: {lacks}")
    return found


def main(given: Sequence[str] | None = None) -> int:
    """Run, print the verdict, write the files."""
    import uvloop

    asked = _arguments(given)
    if not seems_writable("soak", asked.json) or not seems_writable("soak", asked.plot, "--plot"):
        return 2
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 65_536)), hard))

    def told(line: str) -> None:
        if sys.stderr.isatty():
            print(line, file=sys.stderr)

    try:
        result = uvloop.run(
            soak(
                asked.tables,
                asked.minutes * 60,
                workers=asked.media_workers,
                churn_per_s=asked.churn,
                every_s=asked.every,
                seed=asked.seed,
                collect=asked.collect,
                told=told,
            )
        )
    except (SoakError, OSError) as why:
        print(f"soak: {why}", file=sys.stderr)
        return 1
    written = write_json("soak", asked.json, result)
    drawn = write_with(lambda path: draw(path, result), "soak", asked.plot, "--plot")
    print(json.dumps({name: value for name, value in result.items() if name != "samples"}, indent=1))
    return 0 if written and drawn and not result["failures"] else 1


if __name__ == "__main__":
    sys.exit(main())
