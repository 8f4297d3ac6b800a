"""The doctor's proof from outside over a real network: two namespaces, one with the server, one with the doctor.

Between them stands a link, or a router that does 1:1 NAT.
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
    """Whether namespaces can be made here; an error where only `ip` is missing: a kernel can't be installed."""
    name = f"vtprobe{os.getpid()}"
    if shutil.which("ip") and os.geteuid() == 0:
        made = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
        if made.returncode == 0:
            ip("netns", "delete", name)
            return True
    if os.environ.get("VOICETABLE_TESTS_SKIP_NOTHING") and not shutil.which("ip"):
        raise RuntimeError("the tests in network namespaces must not be left out, and `ip` (iproute2) is not here")
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


@pytest.mark.skipif(shutil.which("nft") is None, reason="needs nft (Debian: nftables) to be a router with NAT")
def test_one_to_one_nat(namespaces: tuple[str, str], tmp_path: Path) -> None:
    """A router maps the public address to the server's private one, both ways; the outside has no way to that one."""
    inner, outer = namespaces
    router = f"vtnat{os.getpid()}"
    try:
        ip("netns", "add", router)
        ip("-n", outer, "link", "delete", "vtlink1")
        for name, link, peer, address, own in (
            (inner, "vtlink0", "vtr0", SERVER, "10.77.0.254"),
            (outer, "vtlink1", "vtr1", "192.0.2.9", "192.0.2.254"),
        ):
            ip("link", "add", link, "netns", name, "type", "veth", "peer", "name", peer, "netns", router)
            ip("-n", name, "address", "add", f"{address}/24", "dev", link)
            ip("-n", router, "address", "add", f"{own}/24", "dev", peer)
            ip("-n", name, "link", "set", link, "up")
            ip("-n", router, "link", "set", peer, "up")
        ip("-n", inner, "route", "add", "default", "via", "10.77.0.254")
        ip("-n", outer, "route", "add", f"{PUBLIC}/32", "via", "192.0.2.254")
        for command in (
            ["sysctl", "-q", "-w", "net.ipv4.ip_forward=1"],
            [
                "nft",
                (
                    "add table ip nat; add chain ip nat pre { type nat hook prerouting priority -100; }; "
                    "add chain ip nat post { type nat hook postrouting priority 100; }; "
                    f"add rule ip nat pre ip daddr {PUBLIC} dnat to {SERVER}; "
                    f"add rule ip nat post ip saddr {SERVER} snat to {PUBLIC}"
                ),
            ],
        ):
            subprocess.run(["ip", "netns", "exec", router, *command], check=True, capture_output=True)
        with serving(inner, tmp_path / "data", "--public-address", PUBLIC, "--udp-ports", "20000-20010") as token:
            ran = doctor(outer, token, PUBLIC)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert re.search(rf"call from here to {re.escape(PUBLIC)}:200\d\d went both ways", ran.stdout)
    finally:
        subprocess.run(["ip", "netns", "delete", router], capture_output=True, check=False)
