"""Janus with its videoroom, for `voicetable bench media`: Debian's, with a configuration of its own.

One publisher and its subscribers a table. Orders go to its HTTP interface; it measures nothing itself, so its CPU time
and memory are read from /proc.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

PLUGINS: Final = ("/usr/lib/x86_64-linux-gnu/janus", "/usr/lib/aarch64-linux-gnu/janus", "/usr/lib/janus")
START_WITHIN_S: Final = 10.0
ANSWER_WITHIN_S: Final = 10.0


class JanusError(Exception):
    """Janus could not be run, or did not do what it was asked; one line says what."""


def find() -> str | None:
    """Janus's program; None where it is not installed with its videoroom and HTTP, or the machine has no address."""
    program = shutil.which("janus")
    return program if program is not None and _folder() is not None and address() is not None else None


def address() -> str | None:
    """An address of this machine other than the loopback interface's, which Janus does not use."""
    from aioice.ice import get_host_addresses

    return next(iter(get_host_addresses(use_ipv4=True, use_ipv6=False)), None)


def _folder() -> Path | None:
    needed = ("plugins/libjanus_videoroom.so", "transports/libjanus_http.so")
    return next((Path(each) for each in PLUGINS if all((Path(each) / name).exists() for name in needed)), None)


class Janus:
    """A running Janus. Raises JanusError if it does not start."""

    def __init__(self, port: int, prefix: Sequence[str]) -> None:
        program, folder = find(), _folder()
        if program is None or folder is None:
            raise JanusError("janus is not installed")
        self._folder = Path(tempfile.mkdtemp(prefix="voicetable-janus-"))
        self._address = f"http://127.0.0.1:{port}/janus"
        _configure(self._folder, folder, port)
        self._process = subprocess.Popen(
            [*prefix, program, "-F", str(self._folder), "-C", str(self._folder / "janus.jcfg")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._session = self._start()
        self._rooms: dict[int, int] = {}
        self._feeds: dict[int, int] = {}
        self._events: list[dict[str, Any]] = []

    def _start(self) -> int:
        until = time.monotonic() + START_WITHIN_S
        while True:
            try:
                return int(self._post("", janus="create")["data"]["id"])
            except (urllib.error.URLError, ConnectionError, TimeoutError) as why:
                if self._process.poll() is not None or time.monotonic() > until:
                    self.close()
                    raise JanusError(f"janus did not start: {why}") from why
                time.sleep(0.1)

    def publish(self, table: int, sdp: str) -> str:
        """A new room with its one publisher: the answer to the publisher's offer."""
        handle = self._attach()
        room = table + 1
        self._message(handle, {"request": "create", "room": room, "publishers": 1, "audiocodec": "opus"})
        joined = self._event(handle, {"request": "join", "ptype": "publisher", "room": room})
        self._feeds[table] = joined["plugindata"]["data"]["id"]
        jsep = {"type": "offer", "sdp": sdp}
        answer = self._event(handle, {"request": "publish", "audio": True, "video": False}, jsep)
        return str(answer["jsep"]["sdp"])

    def subscribe(self, table: int) -> tuple[int, str]:
        """A new listener of that room: its handle, and Janus's offer."""
        handle = self._attach()
        streams = [{"feed": self._feeds[table]}]
        body = {"request": "join", "ptype": "subscriber", "room": table + 1, "streams": streams}
        return handle, str(self._event(handle, body)["jsep"]["sdp"])

    def start(self, handle: int, sdp: str) -> None:
        """The listener's answer."""
        self._event(handle, {"request": "start"}, {"type": "answer", "sdp": sdp})

    def wait_for(self, table: int) -> None:
        """Until that room's publisher is up: nobody can listen to it before."""
        handle = self._attach()
        until = time.monotonic() + ANSWER_WITHIN_S
        while time.monotonic() < until:
            body = {"request": "listparticipants", "room": table + 1}
            found = self._message(handle, body)["plugindata"]["data"]["participants"]
            if any(each.get("publisher") for each in found):
                return
            time.sleep(0.05)
        raise JanusError("janus's publisher did not come up")

    def usage(self) -> dict[str, float]:
        """CPU seconds (in the kernel's ticks), resident memory, and the monotonic clock."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return {
            "cpu_s": (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"),
            "rss_mb": pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
            "at": time.monotonic(),
        }

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _attach(self) -> int:
        answer = self._post(f"/{self._session}", janus="attach", plugin="janus.plugin.videoroom")
        return int(answer["data"]["id"])

    def _message(self, handle: int, body: dict[str, Any], jsep: dict[str, str] | None = None) -> dict[str, Any]:
        more = {} if jsep is None else {"jsep": jsep}
        return self._post(f"/{self._session}/{handle}", janus="message", body=body, **more)

    def _event(self, handle: int, body: dict[str, Any], jsep: dict[str, str] | None = None) -> dict[str, Any]:
        """Send a message and wait for the event that answers it."""
        asked = self._message(handle, body, jsep)["transaction"]
        until = time.monotonic() + ANSWER_WITHIN_S
        while time.monotonic() < until:
            with urllib.request.urlopen(f"{self._address}/{self._session}?maxev=1", timeout=ANSWER_WITHIN_S) as answer:  # noqa: S310 - our own Janus
                event: dict[str, Any] = json.load(answer)
            if event.get("transaction") == asked and event.get("janus") == "event":
                if "error" in event["plugindata"]["data"]:
                    raise JanusError(f"janus refused {body['request']}: {event['plugindata']['data']['error']}")
                return event
        raise JanusError(f"janus did not answer {body['request']} within {ANSWER_WITHIN_S:g} s")

    def _post(self, path: str, **fields: object) -> dict[str, Any]:
        data = json.dumps({"transaction": os.urandom(6).hex(), **fields}).encode()
        request = urllib.request.Request(self._address + path, data, {"Content-Type": "application/json"})  # noqa: S310
        with urllib.request.urlopen(request, timeout=ANSWER_WITHIN_S) as answer:  # noqa: S310 - our own Janus
            found: dict[str, Any] = json.load(answer)
        if found["janus"] == "error":
            raise JanusError(f"janus refused {fields['janus']}: {found['error']['reason']}")
        return found


def _configure(folder: Path, installed: Path, port: int) -> None:
    """One address, one transport and one plugin, and a certificate of the kind that aiortc's clients accept."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    _certificate(certificate, key)
    transports = sorted(each.name for each in (installed / "transports").glob("*.so") if "http" not in each.name)
    plugins = sorted(each.name for each in (installed / "plugins").glob("*.so") if "videoroom" not in each.name)
    (folder / "janus.jcfg").write_text(
        f"""general: {{
    configs_folder = "{folder}"
    plugins_folder = "{installed / "plugins"}"
    transports_folder = "{installed / "transports"}"
    debug_level = 2
    session_timeout = 0
}}
certificates: {{ cert_pem = "{certificate}"  cert_key = "{key}" }}
nat: {{ ice_enforce_list = "{address()}" }}
media: {{ ipv6 = false }}
plugins: {{ disable = "{",".join(plugins)}" }}
transports: {{ disable = "{",".join(transports)}" }}
events: {{ broadcast = false }}
"""
    )
    (folder / "janus.transport.http.jcfg").write_text(
        'general: { json = "plain"  base_path = "/janus"  http = true  https = false'
        f'  port = {port}  ip = "127.0.0.1" }}\n'
    )
    (folder / "janus.plugin.videoroom.jcfg").write_text("general: { }\n")


def _certificate(certificate: Path, key: Path) -> None:
    from aiortc import RTCCertificate
    from cryptography.hazmat.primitives import serialization

    made = RTCCertificate.generateCertificate()
    certificate.write_bytes(made._cert.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        made._key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
