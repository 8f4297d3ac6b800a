"""What is kept of a voice, as docs/speech.md says it: seconds in memory, nothing on disk, no words in logs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from sqlalchemy import LargeBinary
from structlog.testing import capture_logs

from tests.speech.sound import Clip, accepted, encode_opus
from voice.speech import replay
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings
from voice.store import schema

if TYPE_CHECKING:
    from voice.speech.lines import Line

WORDS = ("liar", "changed", "version", "twice")


async def spoken(service: SpeechService, clip: Clip, name: str, heard: list[Line]) -> None:
    """A table of that name at which one line is said; its first listener fails once it has the words."""

    def line(said: Line) -> None:
        heard.append(said)
        raise ValueError(said.text)

    stream = service.open(name, "en", line, lambda *_: None)
    stream.mic({1}, 1)
    packets = encode_opus(np.concatenate([clip.pcm, np.zeros(16_000, np.float32)]))
    for packet in accepted(packets, 1, 1, begin_s=time.monotonic()):
        stream.feed(packet)
    await service.settled()


def files_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def written_by(pid: int) -> list[str]:
    """The regular files that a process has open and may write to."""
    found = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            flags = int((Path(f"/proc/{pid}/fdinfo") / link.name).read_text().split("flags:")[1].split()[0], 8)
            if stat.S_ISREG(link.stat().st_mode) and flags & (os.O_WRONLY | os.O_RDWR):
                found.append(os.readlink(link))
    return found


def limits(pid: int) -> str:
    return Path(f"/proc/{pid}/limits").read_text()


def leaves_no_core(told: str) -> bool:
    """By /proc/PID/limits. At 1 byte Linux gives no core to a program, either; where the most is 0, 0 it stays."""
    soft, most = next(line for line in told.splitlines() if line.startswith("Max core file size")).split()[4:6]
    return soft == ("0" if most == "0" else "1")


@pytest.mark.speech
async def test_no_speech_on_disk_and_no_words_in_logs(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    clips: dict[str, Clip],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also not where a listener fails with the words in its hands, and where the recogniser crashes with the sound."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    data_dir = tmp_path_factory.getbasetemp() / "speech-data"
    heard: list[Line] = []
    with capture_logs() as logs:
        service = SpeechService(data_dir)
        await service.start()
        try:
            await spoken(service, clips["table_en_037"], "warm", heard)
            before = files_of(data_dir)
            await spoken(service, clips["table_en_037"], "table", heard)
            stats = service.stats()
            pids = [stats["tap"]["pid"], *stats["recogniser"]["pids"]]
            # Standard error is the server's, here a file of pytest's.
            assert {file for pid in pids for file in written_by(pid)} <= {os.readlink("/proc/self/fd/2")}
            assert all(leaves_no_core(limits(pid)) for pid in pids)
            os.kill(stats["recogniser"]["pids"][0], signal.SIGSEGV)
            await asyncio.sleep(0)
            await spoken(service, clips["table_en_037"], "after", heard)
        finally:
            await service.stop()
    assert len(heard) == 3
    assert set(WORDS) <= {word.text.strip(".,").lower() for word in heard[0].words}
    assert files_of(data_dir) == before
    assert files_of(tmp_path) == set()
    out, err = capfd.readouterr()
    told = f"{logs} {out} {err} {stats}".lower()
    assert "listener failed" in told, "what is looked at is there"
    assert [word for word in WORDS if word in told] == []


async def test_the_servers_ring_is_packets_of_seconds_and_empties_by_itself(
    tmp_path: Path, clips: dict[str, Clip], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voice.speech.service.HEARTBEAT_S", 0.05)
    monkeypatch.setattr(replay, "KEEP_S", 0.5)
    service = SpeechService(tmp_path, SpeechSettings(recogniser="tests.speech.complaints.fakes", models={"en": "none"}))
    await service.start()
    try:
        stream = service.open("t", "en", lambda _: None, lambda *_: None)
        stream.mic({1}, 1)
        packets = encode_opus(np.tile(clips["table_en_037"].pcm, 20))
        now_s = time.monotonic()
        for packet in accepted(packets, 1, 1, begin_s=now_s - replay.KEEP_S - 0.02 * len(packets) + 1.0):
            stream.feed(packet)
        async with asyncio.timeout(30):
            while len(stream.memory.messages()) > 1:  # noqa: ASYNC110 - it is the heartbeat that is waited for
                await asyncio.sleep(0.05)
    finally:
        await service.stop()


def test_the_database_has_no_place_for_sound_but_that_of_cases() -> None:
    """What lies there is encrypted: `tests/web/test_clips.py`."""
    columns = [column for table in schema.metadata.tables.values() for column in table.columns]
    assert [str(column) for column in columns if isinstance(column.type, LargeBinary)] == ["clips.body"]


def test_a_server_that_crashes_leaves_no_core() -> None:
    code = "from voice.processes.child import leave_no_core as f; f(); print(open('/proc/self/limits').read())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert leaves_no_core(done.stdout)
