"""`voicetable mic` as a process at a served table of bots: heard, hearing, keys by a pty, and lost connections."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import re
import signal
import sys
import wave
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.media.conftest import energy, tone
from tests.web.client import Server, serving
from voice.media.client import VoiceClient
from voice.player.audio import RATE_HZ, read_pcm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.timeout(90)

ROOT = Path(__file__).parents[2]
# A discussion at once, in which everybody may speak.
TALK = {"seats": 6, "recognition_s": 1.0, "discussion_s": 60.0, "shot_s": 0.5}


class Terminal:
    """One `voicetable mic`; what it printed so far."""

    def __init__(self, child: asyncio.subprocess.Process, master: int | None) -> None:
        self.child, self.master = child, master
        self.said = ""
        self._news = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        if self.master is not None:
            loop = asyncio.get_running_loop()

            def readable() -> None:
                assert self.master is not None
                try:
                    self._add(os.read(self.master, 65536))
                except OSError:
                    loop.remove_reader(self.master)

            loop.add_reader(self.master, readable)
            await self.child.wait()
            loop.remove_reader(self.master)
            return
        assert self.child.stdout is not None
        while data := await self.child.stdout.read(4096):
            self._add(data)

    def _add(self, data: bytes) -> None:
        self.said += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", data.decode(errors="replace"))
        self._news.set()

    async def says(self, pattern: str, within_s: float = 40.0) -> re.Match[str]:
        """Wait until the pattern is there."""
        try:
            async with asyncio.timeout(within_s):
                while (found := re.search(pattern, self.said)) is None:
                    self._news.clear()
                    assert self.child.returncode is None or self._reader.done() is False, self.said
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"{pattern!r} did not come; it said:\n{self.said}") from None
        return found

    def press(self, keys: str) -> None:
        if self.master is not None:
            os.write(self.master, keys.encode())
        else:
            assert self.child.stdin is not None
            self.child.stdin.write(keys.encode())

    async def ends(self) -> int:
        async with asyncio.timeout(15):
            status = await self.child.wait()
            await self._reader
            return status


@contextlib.asynccontextmanager
async def mic(link: str, *more: str, terminal: bool = False) -> AsyncIterator[Terminal]:
    master = slave = None
    if terminal:
        master, slave = pty.openpty()
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "voice.cli.main", "mic", link, *more),
        cwd=ROOT,
        stdin=slave if slave is not None else asyncio.subprocess.PIPE,
        stdout=slave if slave is not None else asyncio.subprocess.PIPE,
        stderr=slave if slave is not None else asyncio.subprocess.STDOUT,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "40"},
    )
    if slave is not None:
        os.close(slave)
    made = Terminal(child, master)
    try:
        yield made
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()
        await made._reader
        if master is not None:
            os.close(master)


def link_of(server: Server, made: dict[str, Any]) -> str:
    return f"{server.address}/#/join/{made['invite']}"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(tmp_path / "data", media=True) as made:
        yield made


@pytest.mark.speech
async def test_its_speech_becomes_a_caption_and_it_writes_what_it_hears(tmp_path: Path) -> None:
    with as_file(files("voice.cli") / "demo_speech" / "en.flac") as path:
        speech = read_pcm(path)[: 4 * RATE_HZ * 2]
    recording, heard = tmp_path / "speech.wav", tmp_path / "heard.wav"
    with wave.open(str(recording), "wb") as file:
        file.setparams((1, 2, RATE_HZ, 0, "NONE", ""))
        file.writeframes(speech)
    async with serving(tmp_path / "data", media=True, speech=True) as server:
        made = await server.table(ruleset="quick", options=TALK)
        owner = await server.seat(made["token"])
        async with mic(
            link_of(server, made), "--name", "Vera", "--input", str(recording), "--output", str(heard)
        ) as it:
            await it.says("Vera")
            await owner.until(lambda frame: frame["type"] == "lobby" and len(frame["people"]) == 2)
            await owner.send(type="start")
            seat = int((await it.says(r"you have seat (\d+)"))[1])
            await it.says("voice connected")
            voice = VoiceClient()
            await owner.send(type="offer", id=1, sdp=await voice.offer())
            await voice.accept((await owner.of("answer", id=1))["sdp"])
            await voice.connected()
            await it.says("YOUR MICROPHONE IS OPEN")
            line = await owner.until(lambda frame: frame["type"] == "line" and frame["seat"] == seat)
            assert "left side of the table" in line["text"].lower()
            await it.says(rf"{seat} Vera: .*left side of the table")
            voice.speak(True, tone(440, 3.0))
            while voice.speaking:  # noqa: ASYNC110 - it has no event
                await asyncio.sleep(0.05)
            it.press("q")
            assert await it.ends() == 0
            assert "--token" in it.said
            await voice.close()
    with wave.open(str(heard)) as file:
        assert (file.getframerate(), file.getnchannels()) == (48_000, 1)
        pcm = file.readframes(file.getnframes())
    loudest = max(energy(pcm[at : at + 96_000], 440) for at in range(0, len(pcm) - 96_000, 48_000))
    assert loudest > 0.1


async def test_keys_on_a_terminal(server: Server) -> None:
    made = await server.table(ruleset="quick", options=TALK)
    owner = await server.seat(made["token"])
    async with mic(link_of(server, made), "--input", "null", "--output", "null", terminal=True) as it:
        await owner.until(lambda frame: frame["type"] == "lobby" and len(frame["people"]) == 2)
        await it.says("at the table: Anna, Mic")
        it.press("r")
        await owner.until(
            lambda frame: frame["type"] == "lobby" and any(p["ready"] and p["name"] == "Mic" for p in frame["people"])
        )
        await owner.send(type="start")
        await it.says("voice connected")
        await it.says("YOUR MICROPHONE IS OPEN")
        await it.says("ON AIR")
        it.press("m")
        await it.says("MUTED")
        it.press("?")
        await it.says("nominate")
        it.press("n3")
        await it.says("not now")
        it.press("z")
        await it.says("key z")
        it.child.send_signal(signal.SIGINT)  # what Ctrl-C is
        assert await it.ends() == 0


async def test_a_vote_by_a_key_is_the_tables(server: Server) -> None:
    made = await server.table(ruleset="quick", options={**TALK, "discussion_s": 1.0, "vote_s": 30.0})
    owner = await server.seat(made["token"])
    async with mic(link_of(server, made), "--input", "null", "--output", "null") as it:
        await owner.until(lambda frame: frame["type"] == "lobby" and len(frame["people"]) == 2)
        await owner.send(type="start")
        seat = int((await it.says(r"you have seat (\d+)"))[1])
        await it.says(r"\nvote")
        target = 2 if seat != 2 else 3
        it.press(f"v{target}")
        me = await owner.of("seated")
        await owner.send(
            type="command", id=1, phase=owner.numbered[-1]["phase"], command={"do": "vote", "target": seat}
        )
        votes = await owner.event("votes")
        assert votes["event"]["votes"][str(seat)] == target, (me, votes)


async def test_it_comes_back_to_its_seat(tmp_path: Path) -> None:
    """The server is started again: the same seat, the same game, a new voice link, and nothing is told twice."""
    data = tmp_path / "data"
    async with serving(data, media=True) as server:
        made = await server.table(ruleset="quick", options=TALK)
        owner = await server.seat(made["token"])
        port = int(server.address.rpartition(":")[2])
        it_made = mic(link_of(server, made), "--input", "null", "--output", "null")
        it = await it_made.__aenter__()
        await owner.until(lambda frame: frame["type"] == "lobby" and len(frame["people"]) == 2)
        await owner.send(type="start")
        await it.says("YOUR MICROPHONE IS OPEN")
        await it.says("voice connected")
    try:
        await it.says("connection lost")
        async with serving(data, media=True, port=port):
            await it.says("connected again")
            await it.says(r"connected again(.|\n)*voice connected", within_s=60)
            assert it.said.count("you have seat") == 1
            assert it.said.count("your card") == 1
            it.press("q")
            assert await it.ends() == 0
    finally:
        await it_made.__aexit__(None, None, None)


async def test_a_media_worker_that_is_killed_costs_it_a_moment(tmp_path: Path) -> None:
    """The table tells that it has lost the voice; ICE itself would notice after half a minute."""
    async with serving(tmp_path / "data", media=True, media_workers=1) as server:
        made = await server.table(ruleset="quick", options=TALK)
        owner = await server.seat(made["token"])
        async with mic(link_of(server, made), "--input", "null", "--output", "null") as it:
            await owner.until(lambda frame: frame["type"] == "lobby" and len(frame["people"]) == 2)
            await owner.send(type="start")
            seat = int((await it.says(r"you have seat (\d+)"))[1])
            await it.says("voice connected")
            await owner.until(lambda frame: frame["type"] == "link" and seat in frame["seats"])
            room: Any = next(each.running.voices._room for each in server.house.tables if each.running is not None)
            os.kill(room._worker.pid, signal.SIGKILL)
            await it.says(r"voice connected(.|\n)*voice connected", within_s=20)
            links = [frame["seats"] for frame in owner.frames if frame["type"] == "link"]
            assert [] in links
            await owner.until(lambda frame: frame["type"] == "link" and seat in frame["seats"])
            assert it.said.count("you have seat") == 1


async def test_the_same_seat_by_its_token_and_opened_elsewhere(server: Server) -> None:
    made = await server.table()
    async with mic(link_of(server, made), "--input", "null", "--output", "null") as first:
        await first.says("at the table")
        first.press("q")
        await first.ends()
        token = (await first.says(r"--token (\S+)"))[1]
    async with mic(link_of(server, made), "--input", "null", "--output", "null", "--token", token) as second:
        await second.says("at the table: Anna, Mic")
        await (await server.seat(token)).of("lobby")
        assert await second.ends() == 1
        assert "opened elsewhere" in second.said


@pytest.mark.parametrize(
    ("arguments", "said", "status"),
    [
        (("nonsense",), "invitation link", 2),
        (("http://127.0.0.1:9/#/join/abc", "--input", "null", "--output", "null"), "no server answers", 1),
        (("http://127.0.0.1:9/#/join/abc", "--lang", "de"), "--lang", 2),
        ((), "invitation link", 2),
    ],
)
async def test_what_goes_wrong_is_said_in_one_line(arguments: tuple[str, ...], said: str, status: int) -> None:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "voice.cli.main", "mic", *arguments),
        cwd=ROOT,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    _, stderr = await child.communicate()
    assert child.returncode == status
    assert said in stderr.decode()
    assert len(stderr.decode().splitlines()) == 1


async def test_a_wrong_invitation(server: Server) -> None:
    async with mic(f"{server.address}/#/join/abc", "--input", "null", "--output", "null") as it:
        assert await it.ends() == 2
        assert "not an invitation" in it.said
