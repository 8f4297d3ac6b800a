"""`python -m benchmarks.speech.kills`: recognisers killed in the middle of a decode; every line is to come, once.

Exit status 0 if each turn became one line of its own seat with the words that it has undisturbed, 1 if one did not,
2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import platform
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.speech.turns import SEATS, Clip, TalkingTable, TrialError, short_clips, undisturbed
from voice.bench.asr.words import errors, normal
from voice.cli.json_file import seems_writable, write_json
from voice.logs import configure_logs
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

SIGNALS = (signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP)
TAP_EACH = 10
"""After so many kills of a recogniser the tap is killed once, in the middle of an utterance."""
TAP_HEARS_S = 0.1
"""So long it has for what it was sent, before that."""
TAP_APART_S = 6.0
"""A tap that dies soon after it was let hear again what it had not finished is thought to have died of that."""
WORDS_WRONG = 0.34
"""An utterance that is heard again by a new tap may begin or end a little elsewhere: so much of its text may differ."""
LONGEST_S = 4.0
CLIPS = 8


class Killer:
    """Kills processes that are in the middle of a decode which is their utterance's first."""

    def __init__(self, service: SpeechService, seed: int) -> None:
        self._service = service
        self._chance = random.Random(seed)
        self._tap_s = time.monotonic()
        self._tap_due = False
        self.killed: Counter[str] = Counter()
        self.kept: list[int] = []
        """What a killed tap left to be heard again, each time: messages of the table at whose half turn it died."""

    @property
    def recognisers(self) -> int:
        """How many recognisers it has killed."""
        return sum(self.killed[each.name] for each in SIGNALS)

    async def kill(self, wanted: int, taps: int) -> None:
        """Kill until so many recognisers and taps have died."""
        kinds = itertools.cycle(SIGNALS)
        while self.recognisers < wanted or self.killed["tap"] < taps:
            due = self.killed["tap"] < min(taps, self.recognisers // TAP_EACH + 1)
            if due and time.monotonic() - self._tap_s > TAP_APART_S:
                self._tap_due = True
            if self.recognisers < wanted and await self._kill_recogniser(kind := next(kinds)):
                self.killed[kind.name] += 1
            await asyncio.sleep(0.005)

    async def _kill_recogniser(self, kind: signal.Signals) -> bool:
        while not self._victims():  # noqa: ASYNC110 - the work of other processes is waited for
            await asyncio.sleep(0.002)
        await asyncio.sleep(self._chance.uniform(0.0, 0.1))
        for pid in self._victims():
            os.kill(pid, kind)
            # Until its death is known it has the same utterance in hand.
            while pid in self._service.scheduler.pids:  # noqa: ASYNC110 - the same
                await asyncio.sleep(0.005)
            return True
        return await self._kill_recogniser(kind)

    def _victims(self) -> list[int]:
        """Processes with jobs, none of which another process has died of."""
        pool = self._service.scheduler.pool
        able = [each for each in pool if each.jobs and all(job.attempts == 1 for job in each.jobs)]
        return [each.pid for each in able if each.pid is not None]

    async def at_half(self, table: TalkingTable) -> None:
        """A turn is half said: kill the tap, where that is due."""
        if not self._tap_due:
            return
        self._tap_due = False
        await asyncio.sleep(TAP_HEARS_S)
        pid = self._service.stats()["tap"]["pid"]
        if pid is not None:
            self.kept.append(table.kept)
            os.kill(pid, signal.SIGKILL)
            self.killed["tap"] += 1
            self._tap_s = time.monotonic()


async def trial(
    kills: int, taps: int, tables: int, workers: int, seed: int = 1, clips: list[Clip] | None = None
) -> dict[str, Any]:
    """Run it; the counts, and under `failures` what must not be. Raises TrialError."""
    with tempfile.TemporaryDirectory() as folder:
        service = SpeechService(Path(folder), SpeechSettings(workers=workers))
        await service.start()
        try:
            known = await undisturbed(service, clips or short_clips("en", LONGEST_S), CLIPS)
            killer = Killer(service, seed)
            killing = asyncio.create_task(killer.kill(kills, taps))
            begun_s = time.monotonic()
            talks = [
                _talk(TalkingTable(service, f"t{number}", "en"), number, known, killing, killer.at_half)
                for number in range(tables)
            ]
            done = await asyncio.gather(*talks)
            await killing
            counts = service.stats()["recogniser"]
        finally:
            await service.stop()
    counted = ("deaths", "hung", "retried", "dropped_crash", "dropped_failed", "dropped_overload", "dropped_no_model")
    return {
        "machine": {"python": platform.python_version(), "cores": os.cpu_count(), "load": os.getloadavg()[0]},
        "tables": tables,
        "workers": workers,
        "killed": dict(killer.killed),
        "heard_again": killer.kept,
        "turns": sum(turns for turns, _ in done),
        "seconds": round(time.monotonic() - begun_s, 1),
        "counts": {name: counts[name] for name in counted},
        "failures": [failure for _, failures in done for failure in failures],
    }


async def _talk(
    table: TalkingTable,
    number: int,
    clips: Sequence[Clip],
    killing: asyncio.Task[None],
    at_half: Callable[[TalkingTable], Awaitable[None]],
) -> tuple[int, list[str]]:
    """Turns at one table until all that is to be killed has been; how many, and what was wrong with them."""
    failures = []
    turns = 0
    said: list[tuple[int, Clip]] = []
    while not killing.done():
        seat, clip = 1 + (turns + 3 * number) % SEATS, clips[(turns + number) % len(clips)]
        turns += 1
        said.append((seat, clip))
        try:
            await table.turn(seat, clip, at_half)
        except TimeoutError:
            failures.append(f"table {number}, turn {turns}: no line")
            break
    await asyncio.sleep(1.0)  # what comes twice comes by now
    if len(table.lines) != len(said):
        failures.append(f"table {number}: {len(table.lines)} lines of {len(said)} turns")
    for turn, ((seat, clip), line) in enumerate(zip(said, table.lines, strict=False), 1):
        if line.seat != seat:
            failures.append(f"table {number}, turn {turn}: the line is of another seat")
        wanted, got = normal(clip.text, clip.lang), normal(line.text, clip.lang)
        if errors(wanted, got) > WORDS_WRONG * len(wanted):
            failures.append(f"table {number}, turn {turn}: the line has other words")
    table.close()
    return turns, failures


def main(given: Sequence[str] | None = None) -> int:
    """Run, print the counts, write the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speech.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="recognisers, by SIGKILL, SIGSEGV and SIGSTOP in turn")
    parser.add_argument("--taps", type=int, default=10, help="taps, in the middle of an utterance")
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", metavar="FILE")
    asked = parser.parse_args(given)
    if min(asked.kills, asked.tables, asked.workers) < 1 or asked.taps < 0:
        parser.error("expected at least one kill, table and worker, and no fewer than 0 taps")
    if not seems_writable("kills", asked.json):
        return 2
    configure_logs()
    try:
        result = asyncio.run(trial(asked.kills, asked.taps, asked.tables, asked.workers, asked.seed))
    except TrialError as why:
        print(f"kills: {why}", file=sys.stderr)
        return 1
    written = write_json("kills", asked.json, result)
    print(json.dumps(result, indent=1))
    return 0 if written and not result["failures"] else 1


if __name__ == "__main__":
    sys.exit(main())
