"""A real server process and real Chromium browsers with recorded speech as their microphones."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import wave
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser_here import HOW_TO_GET_ONE, find_browser

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from playwright.async_api import BrowserContext

ROOT = Path(__file__).parents[2]
QUIET_CHROMIUM = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--autoplay-policy=no-user-gesture-required",
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.skipif(find_browser() is None, reason=HOW_TO_GET_ONE))
            # Playwright leaves its pipes to the collector.
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))


@dataclass
class Server:
    """A `voicetable serve` of its own: a folder, a port, a process that can be killed and started again."""

    data: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def moderator(self) -> str:
        return (self.data / "moderator-token").read_text().strip()

    def start(self) -> None:
        environment = os.environ | {"VOICETABLE_RATE_LIMITS": "false"}
        with (self.data.parent / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "voice.cli.main", "serve", "--port", str(self.port), "--data", str(self.data)],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.address}/api/health") as answer:  # noqa: S310 -- http
                assert json.load(answer)["ok"]
                return
            assert self.process.poll() is None, self.log
            time.sleep(0.1)
        raise AssertionError("the server did not listen")

    def stop(self, number: int = signal.SIGTERM) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(20)

    @property
    def log(self) -> str:
        return (self.data.parent / "server.log").read_text()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Server(tmp_path / "data", port)
    server.start()
    yield server
    if server.process is not None and server.process.poll() is None:
        assert server.stop() == 0, server.log
    assert "Traceback" not in server.log


@contextlib.asynccontextmanager
async def chromium(folder: Path, microphone: Path | None = None, **options: Any) -> AsyncIterator[BrowserContext]:
    """A browser of its own, whose microphone plays `microphone` (WAV) from the time it is opened, again and again."""
    from playwright.async_api import async_playwright

    args = [*QUIET_CHROMIUM]
    if microphone is not None:
        args.append(f"--use-file-for-fake-audio-capture={microphone}")
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            folder, executable_path=find_browser(), args=args, headless=True, locale="en-GB", **options
        )
        try:
            yield context
        finally:
            await context.close()


def write_wav(path: Path, pcm: bytes, rate_hz: int) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(pcm)
