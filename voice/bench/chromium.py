"""A headless Chromium with one page, driven by its own debugging protocol: no driver library is needed.

Used like this:

    page = Page(find())
    page.evaluate("navigator.userAgent")
    page.close()
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START_WITHIN_S: Final = 30.0
ANSWER_WITHIN_S: Final = 30.0
END_WITHIN_S: Final = 5.0
OPTIONS: Final = (
    "--headless=new",
    "--remote-debugging-port=0",
    "--autoplay-policy=no-user-gesture-required",
    "--allow-loopback-in-peer-connection",
    "--disable-features=WebRtcHideLocalIpsWithMdns",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
)


class ChromiumError(Exception):
    """Chromium could not be run, or its page could not do what it was told; one line says what."""


def find() -> str | None:
    """The path of a Chromium: VOICETABLE_CHROMIUM, else the first of its usual names on PATH, else None."""
    named = os.environ.get("VOICETABLE_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """A Chromium of its own, with an empty page. `prefix`: what stands before its command, such as taskset.

    Raises ChromiumError if it does not start.
    """

    def __init__(self, program: str, prefix: Sequence[str] = ()) -> None:
        self._numbers = itertools.count(1)
        self._answers: dict[int, dict[str, Any]] = {}
        self._folder = Path(tempfile.mkdtemp(prefix="voicetable-chromium-"))
        # Chromium's sandbox refuses root, who needs none on a machine of their own.
        options = [*OPTIONS, *(["--no-sandbox"] if os.geteuid() == 0 else []), f"--user-data-dir={self._folder}"]
        try:
            self._process = subprocess.Popen(
                [*prefix, program, *options, "about:blank"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # it is many processes, which are ended together
            )
        except OSError as why:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise ChromiumError(f"{program} can't be started: {why.strerror}") from why
        try:
            self._open = contextlib.ExitStack()
            self._socket = self._open.enter_context(
                connect(self._address(), max_size=None, open_timeout=ANSWER_WITHIN_S)
            )
        except (OSError, WebSocketException, TimeoutError) as why:
            self._end()
            raise ChromiumError(f"{program} did not start: {why}") from why
        except BaseException:
            self._end()
            raise

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page; of a promise, what it becomes. Raises ChromiumError."""
        return self.answer(self.ask(expression))

    def ask(self, expression: str) -> int:
        """Send an expression, and do not wait for its value: that is `answer` of the number given back."""
        number = next(self._numbers)
        asked = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        try:
            self._socket.send(json.dumps({"id": number, "method": "Runtime.evaluate", "params": asked}))
        except (OSError, WebSocketException) as why:
            raise ChromiumError(f"Chromium's page is gone: {str(why) or type(why).__name__}") from why
        return number

    def answer(self, number: int) -> Any:
        """The value of what was asked. Raises ChromiumError."""
        try:
            while number not in self._answers:
                said = json.loads(self._socket.recv(ANSWER_WITHIN_S))
                if "id" in said:
                    self._answers[said["id"]] = said
        except (OSError, WebSocketException, TimeoutError) as why:
            raise ChromiumError(f"Chromium's page does not answer: {str(why) or type(why).__name__}") from why
        said = self._answers.pop(number)
        failed = said.get("error") or said["result"].get("exceptionDetails")
        if failed:
            text = failed.get("message") or failed.get("exception", {}).get("description") or failed.get("text")
            raise ChromiumError(f"in Chromium's page: {str(text).splitlines()[0]}")
        return said["result"]["result"].get("value")

    def close(self) -> None:
        """End it, with all of its processes."""
        with contextlib.suppress(OSError, WebSocketException, TimeoutError):
            self._open.close()
        self._end()

    def _address(self) -> str:
        """The page's own debugging address. Raises ChromiumError, OSError."""
        until = time.monotonic() + START_WITHIN_S
        told = self._folder / "DevToolsActivePort"
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise ChromiumError(f"Chromium ended with exit status {self._process.returncode}")
            with contextlib.suppress(OSError, IndexError, ValueError):
                port = int(told.read_text().splitlines()[0])
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=5) as answer:
                    for each in json.load(answer):
                        if each.get("type") == "page":
                            return str(each["webSocketDebuggerUrl"])
            time.sleep(0.1)
        raise ChromiumError(f"Chromium has no page after {START_WITHIN_S:g} s")

    def _end(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(END_WITHIN_S)
                break
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)  # helpers that outlived it
        shutil.rmtree(self._folder, ignore_errors=True)
