"""A player in a network namespace, with an address and a route of their own: the network changes, the seat stays."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from voice.media.room import MediaRoom
from voice.media.settings import MediaSettings

from .conftest import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from voice.media.packet import AcceptedPacket

ROOT = Path(__file__).parents[2]
SERVER = "10.213.77.1"
HOME, MOBILE = "10.213.77.2", "10.213.77.3"


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=20)


@pytest.fixture
def namespace() -> Iterator[str]:
    """A namespace with one end of a cable, whose other end is the server's."""
    name, ours, theirs = f"vt{os.getpid()}", f"vta{os.getpid()}"[:15], f"vtb{os.getpid()}"[:15]
    try:
        if shutil.which("ip") is None:
            raise FileNotFoundError("no `ip` here")
        _ip("netns", "add", name)
    except (OSError, subprocess.SubprocessError) as error:
        why = f"needs root, `ip` (iproute2) and network namespaces: {error}"
        if os.environ.get("VOICETABLE_TESTS_SKIP_NOTHING") and isinstance(error, FileNotFoundError):
            pytest.fail(why)  # `ip` can be installed; a kernel that gives no namespaces can't
        pytest.skip(why)
    try:
        _ip("link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", name)
        _ip("addr", "add", f"{SERVER}/24", "dev", ours)
        _ip("link", "set", ours, "up")
        _ip("-n", name, "addr", "add", f"{HOME}/24", "dev", theirs)
        _ip("-n", name, "link", "set", theirs, "up")
        yield name
    finally:
        with contextlib.suppress(subprocess.SubprocessError):
            _ip("link", "del", ours)
        _ip("netns", "del", name)


async def test_reports_10_and_24_another_address_and_the_same_seat(namespace: str) -> None:
    packets: list[AcceptedPacket] = []
    links: list[frozenset[int]] = []
    room = MediaRoom("t", packets.append, links.append, MediaSettings(addresses=(SERVER,), loopback=False))
    room.mic([1])
    child = await asyncio.create_subprocess_exec(
        *("ip", "netns", "exec", namespace, sys.executable, "-m", "tests.media.netns_client"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
        limit=1 << 20,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    offers = 0

    async def signalling() -> None:
        nonlocal offers
        async for line in child.stdout:  # type: ignore[union-attr]
            offers += 1
            answer = await room.connect(1, json.loads(line)["offer"])
            child.stdin.write(json.dumps({"answer": answer}).encode() + b"\n")  # type: ignore[union-attr]

    talking = asyncio.ensure_future(signalling())
    await until(lambda: len(packets) > 50, 20.0)
    assert offers == 1
    peer = room._peers[1].link
    assert peer._ice._nominated[1].remote_addr[0] == HOME  # type: ignore[attr-defined]  # the adapter's

    device = f"vtb{os.getpid()}"[:15]
    _ip("-n", namespace, "addr", "del", f"{HOME}/24", "dev", device)
    _ip("-n", namespace, "addr", "add", f"{MOBILE}/24", "dev", device)
    before = len(packets)
    await until(lambda: offers > 1 and len(packets) > before + 50, 20.0)
    peer = room._peers[1].link
    assert peer._ice._nominated[1].remote_addr[0] == MOBILE  # type: ignore[attr-defined]  # the adapter's
    assert room.stats()["peers"] == 1
    assert links[-1] == {1}

    child.stdin.close()
    await child.wait()
    await talking
    await room.close()
