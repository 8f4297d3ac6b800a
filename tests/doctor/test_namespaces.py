"""The doctor's proof from outside over a real network: two namespaces, one with the server, one with the doctor.

Between them stands a link of two addresses; nftables is not needed: a route that is not there is a way that is closed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
SERVER, OUTSIDE = "10.77.0.1", "10.77.0.2"
PUBLIC = "198.51.100.7"


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


def possible() -> bool:
    """Whether namespaces can be made here; an error where it must not be left out."""
    name = f"vtprobe{os.getpid()}"
    if shutil.which("ip") and os.geteuid() == 0:
        made = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
        if made.returncode == 0:
            ip("netns", "delete", name)
            return True
    return False


pytestmark = pytest.mark.skipif(
    not possible(), reason="network namespaces need root and `ip` (iproute2), and a kernel that gives them"
)


@pytest.fixture
def namespaces() -> Iterator[tuple[str, str]]:
    """The server's and the outside's, joined by a link."""
    inner, outer = (f"vt{kind}{os.getpid()}" for kind in ("in", "out"))
    try:
        for name in (inner, outer):
            ip("netns", "add", name)
        ip("link", "add", "vtlink0", "netns", inner, "type", "veth", "peer", "name", "vtlink1", "netns", outer)
        for name, link, address in ((inner, "vtlink0", SERVER), (outer, "vtlink1", OUTSIDE)):
            ip("-n", name, "address", "add", f"{address}/24", "dev", link)
            ip("-n", name, "link", "set", link, "up")
            ip("-n", name, "link", "set", "lo", "up")
        yield inner, outer
    finally:
        for name in (inner, outer):
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


@contextlib.contextmanager
def serving(namespace: str, data: Path, *more: str) -> Iterator[str]:
    """A server in a namespace; its moderators' token."""
    child = subprocess.Popen(
        [
            *("ip", "netns", "exec", namespace, sys.executable, "-m", "voice.serve", "--no-speech"),
            *("--host", "0.0.0.0", "--port", "8000", "--data", str(data), *more),  # noqa: S104 - its own namespace
        ],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stderr is not None
    try:
        said = ""
        while (found := re.search(r"#/moderate/(\S+)", said)) is None:
            line = child.stderr.readline()
            assert line, said
            said += line
        yield found[1]
    finally:
        child.terminate()
        child.communicate(timeout=15)


def doctor(namespace: str, token: str, address: str = SERVER) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *("ip", "netns", "exec", namespace, sys.executable, "-m", "voice.cli.main", "doctor"),
            *("--from-outside", f"http://{address}:8000", "--token", token),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_a_server_that_is_reached(namespaces: tuple[str, str], tmp_path: Path) -> None:
    inner, outer = namespaces
    with serving(inner, tmp_path / "data", "--udp-ports", "20000-20010") as token:
        ran = doctor(outer, token)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (port,) = re.findall(rf"call from here to {re.escape(SERVER)}:(\d+) went both ways", ran.stdout)
    assert 20000 <= int(port) <= 20010


def test_a_server_whose_voice_is_not_reached(namespaces: tuple[str, str], tmp_path: Path) -> None:
    """The page is there and the voice is not: it listens at an address to which no way leads."""
    inner, outer = namespaces
    ip("-n", inner, "address", "add", "10.99.0.1/32", "dev", "lo")
    ip("-n", outer, "route", "add", "blackhole", "10.99.0.1/32")
    with serving(inner, tmp_path / "data", "--listen-address", "10.99.0.1") as token:
        begun = time.monotonic()
        ran = doctor(outer, token)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "no WebRTC call from here reached the server; it told 10.99.0.1:" in ran.stdout
    assert time.monotonic() - begun < 60, "a clear end, not an endless wait"


def test_one_to_one_nat(namespaces: tuple[str, str], tmp_path: Path) -> None:
    """The outside knows the public address alone, which stands for a NAT's: the packets are routed to the machine."""
    inner, outer = namespaces
    ip("-n", inner, "address", "add", f"{PUBLIC}/32", "dev", "lo")
    ip("-n", outer, "route", "add", f"{PUBLIC}/32", "via", SERVER)
    with serving(inner, tmp_path / "data", "--listen-address", PUBLIC) as token:
        ran = doctor(outer, token, PUBLIC)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"call from here to {PUBLIC}:" in ran.stdout
