"""`voicetable bench path`: the critical audio path over real WebRTC on this machine.

A server process of its own; at each table one voice client a seat, in this process. Every client sends without pause: a
closed microphone sends a tone, an open one the recording. So what is heard of whom, and when, is known on both ends.

mouth to ear: from the packet's handing to the speaker's socket to its arrival at a listener. Capture, encoding and the
  listener's own jitter buffer are the browser's and are not in it.
gate open, gate close: from the table time at which the microphone moves to the first packet heard of the new speaker,
  to the last of the one before. Packets go every 20 ms: an opening is seen up to 20 ms late, a close up to 20 ms early.
end to text, end to verdict: from the sending of an utterance's last voiced 20 ms to its caption, to its warning or
  foul, at the speaker's client. text to verdict: from that caption to that warning or foul.
end to case: from the same end to when a moderator at the console has the warned or fouled line with its sound.
leaked packets: packets of a seat that reached a listener outside that seat's minute.
leaked samples: samples that the speech side decoded beyond those of the packets that the open gate let through.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from voice.bench.figures import Figures, figures_of
from voice.bench.report import distribution
from voice.bench.seat import BenchSeat
from voice.bench.sound import make_sound
from voice.bench.watch import watching
from voice.player.door import get_stats, is_up, join_table, make_table

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from voice.bench.watch import Watch

CONNECT_S: Final = 3.0  # for one table's clients
AFTER_SPEECH_S: Final = 2.0
START_WITHIN_S: Final = 30.0
SAMPLES_A_PACKET: Final = 320


class BenchError(Exception):
    """The bench could not be run; one line says why."""


@dataclass(frozen=True, slots=True)
class Load:
    """tables: how many at once. listeners: clients beside the speaker at each. loss: percent, both ways, of packets."""

    tables: int
    listeners: int
    loss: float
    lang: str


async def measure(load: Load, progress: Callable[[str], None]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """One day's round of speeches at every table: rows by table, and the result over all of them. Raises BenchError."""
    async with _server() as (address, moderator):
        tables: list[list[BenchSeat]] = []
        try:
            for number in range(load.tables):
                tables.append([])
                await _sit_down(address, load, number, tables[-1])
            progress(f"{load.tables} tables of {load.listeners + 1} clients are connected")
            async with watching(address, moderator) as watch:
                await asyncio.gather(*(_play(seats, progress if not at else None) for at, seats in enumerate(tables)))
            stats = await get_stats(address, moderator)
        finally:
            await asyncio.gather(*(seat.leave() for seats in tables for seat in seats))
    _share_out(watch, tables)
    found = [
        figures_of([seat.seen for seat in seats], {s.seen.seat: s.sound.ends_s for s in seats}) for seats in tables
    ]
    rows = [_row(seats, figures, stats) for seats, figures in zip(tables, found, strict=True)]
    names = (
        *("mouth_to_ear_ms", "gate_open_ms", "gate_close_ms"),
        *("end_to_text_ms", "end_to_verdict_ms", "text_to_verdict_ms", "end_to_case_ms"),
    )
    result: dict[str, Any] = {
        name: distribution([value for figures in found for value in getattr(figures, name)]) for name in names
    }
    for name in ("leaked_packets", "leaked_samples"):
        result[name] = sum(row[name] for row in rows)
    return rows, result


def _share_out(watch: Watch, tables: list[list[BenchSeat]]) -> None:
    """Each case with its sound to the client whose line it is."""
    seen = {(seat.key.table, seat.seen.seat): seat.seen for seats in tables for seat in seats}
    for case in watch.cases:
        whose = seen.get((case.table, case.seat))
        if whose is not None and case.clip_bytes:
            whose.cases.append(case.had_s)


def _row(seats: list[BenchSeat], figures: Figures, stats: dict[str, Any]) -> dict[str, Any]:
    table = seats[0].key.table
    media = next(each["media"] for each in stats["tables"] if each["table"] == table)
    accepted = {int(seat): each["accepted"] for seat, each in media["seats"].items()}
    speech = stats["speech"]["streams"][table]
    decoded = {int(seat): each["samples_decoded"] for seat, each in speech["seats"].items()}
    return {
        "clients": len(seats),
        "packets_heard": figures.packets_heard,
        "packets_missing": figures.packets_missing,
        "utterances": sum(len(seat.sound.ends_s) for seat in seats),
        "captions": len(figures.end_to_text_ms),
        "verdicts": len(figures.end_to_verdict_ms),
        "leaked_packets": figures.leaked_packets,
        "leaked_samples": sum(max(0, decoded[at] - accepted.get(at, 0) * SAMPLES_A_PACKET) for at in decoded),
        "mouth_to_ear_ms": distribution(figures.mouth_to_ear_ms),
    }


async def _sit_down(address: str, load: Load, number: int, seats: list[BenchSeat]) -> None:
    """Make a table, and put its clients into `seats`."""
    sounds = [make_sound(load.lang, client) for client in range(load.listeners + 1)]
    options: dict[str, object] = {
        "agreement_s": CONNECT_S * load.tables,
        "speech_s": round(sounds[0].speech_s + AFTER_SPEECH_S, 1),
    }
    owner = await make_table(address, name=f"Bench {number}", display_name="P0", lang=load.lang, options=options)
    assert owner.invite is not None
    keys = [owner, *[await join_table(address, owner.invite, f"P{each}") for each in range(1, load.listeners + 1)]]
    chance = random.Random(number)
    for key, sound in zip(keys, sounds, strict=True):
        seats.append(BenchSeat(address, key, sound, load.loss / 100, chance))
        await seats[-1].sit_down()
    await seats[0].session.start()
    await asyncio.gather(*(seat.connect() for seat in seats))


async def _play(seats: list[BenchSeat], progress: Callable[[str], None] | None) -> None:
    """Until every client has spoken."""
    clients = frozenset(seat.seen.seat for seat in seats)
    for seat in seats:
        seat.follow(clients, progress if seat is seats[0] else None)
    for seat in seats:
        await seat.done.wait()


@contextlib.asynccontextmanager
async def _server() -> AsyncIterator[tuple[str, str]]:
    """A `voicetable serve` in a process of its own: its address and the moderators' token."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="voicetable-bench-") as folder:
        command = [sys.executable, "-m", "voice.serve", "--port", str(port), "--data", folder]
        environment = os.environ | {"VOICETABLE_RATE_LIMITS": "false"}
        server = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            address = f"http://127.0.0.1:{port}"
            await _listens(server, address)
            token = await asyncio.to_thread((Path(folder) / "moderator-token").read_text)
            yield address, token.strip()
        finally:
            with contextlib.suppress(ProcessLookupError):
                server.terminate()
            await server.wait()


async def _listens(server: asyncio.subprocess.Process, address: str) -> None:
    async with asyncio.timeout(START_WITHIN_S):
        while not await is_up(address):
            if server.returncode is not None:
                raise BenchError(f"the server ended with exit status {server.returncode}")
            await asyncio.sleep(0.1)
