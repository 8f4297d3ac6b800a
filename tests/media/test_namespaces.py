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
    from collections.abc import AsyncIterator, Iterator

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


@contextlib.asynccontextmanager
async def player(namespace: str, room: MediaRoom) -> AsyncIterator[list[str]]:
    """The client in the namespace, at seat 1; the offers that it made."""
    child = await asyncio.create_subprocess_exec(
        *("ip", "netns", "exec", namespace, sys.executable, "-m", "tests.media.netns_client"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
        limit=1 << 20,
    )
    assert child.stdin is not None
    offers: list[str] = []

    async def signalling() -> None:
        async for line in child.stdout:  # type: ignore[union-attr]
            offers.append(json.loads(line)["offer"])
            answer = await room.connect(1, offers[-1])
            child.stdin.write(json.dumps({"answer": answer}).encode() + b"\n")  # type: ignore[union-attr]

    talking = asyncio.ensure_future(signalling())
    yield offers
    child.stdin.close()
    await child.wait()
    await talking
    await room.close()


async def test_reports_10_and_24_another_address_and_the_same_seat(namespace: str) -> None:
    packets: list[AcceptedPacket] = []
    links: list[frozenset[int]] = []
    room = MediaRoom("t", packets.append, links.append, MediaSettings(addresses=(SERVER,), loopback=False))
    room.mic([1])
    async with player(namespace, room) as offers:
        await until(lambda: len(packets) > 50, 20.0)
        assert len(offers) == 1
        peer = room._peers[1].link
        assert peer._ice._nominated[1].remote_addr[0] == HOME  # type: ignore[attr-defined]  # the adapter's

        device = f"vtb{os.getpid()}"[:15]
        _ip("-n", namespace, "addr", "del", f"{HOME}/24", "dev", device)
        _ip("-n", namespace, "addr", "add", f"{MOBILE}/24", "dev", device)
        before = len(packets)
        await until(lambda: len(offers) > 1 and len(packets) > before + 50, 20.0)
        peer = room._peers[1].link
        assert peer._ice._nominated[1].remote_addr[0] == MOBILE  # type: ignore[attr-defined]  # the adapter's
        assert room.stats()["peers"] == 1
        assert links[-1] == {1}


NETEM = {
    "1 % loss": "loss 1%",
    "20 % loss": "loss 20%",
    "loss in bursts": "loss gemodel 2% 40%",
    "jitter": "delay 20ms 15ms",
    "reordering": "delay 20ms reorder 80% 25%",
    "duplicates": "duplicate 20%",
    "all at once": "delay 20ms 10ms loss 5% duplicate 5% reorder 90%",
}
"""What the kernel's network emulator is told (tc-netem(8)); `test_links.py` has such weather without its help."""


def emulate(namespace: str, weather: str) -> None:
    """From now on the namespace's end of the cable sends into this weather; the test is left out where none can be."""
    device = f"vtb{os.getpid()}"[:15]
    command = ["tc", "-n", namespace, "qdisc", "add", "dev", device, "root", "netem", *weather.split()]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=20)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"needs `tc` (iproute2) and a kernel with sch_netem: {error}")


@pytest.mark.parametrize("weather", NETEM.values(), ids=NETEM.keys())
async def test_a_player_behind_the_kernels_own_bad_network(namespace: str, weather: str) -> None:
    emulate(namespace, weather)
    packets: list[AcceptedPacket] = []
    room = MediaRoom("t", packets.append, lambda seats: None, MediaSettings(addresses=(SERVER,), loopback=False))
    room.mic([1])
    async with player(namespace, room) as offers:
        await until(lambda: len(packets) > 300, 60.0)
        assert len(offers) < 5, "it speaks on"
        numbers = [packet.sequence for packet in packets[-200:]]
        assert len(set(numbers)) == len(numbers), "nothing is let in twice"
        dropped = room.stats()["dropped"]
        assert isinstance(dropped, dict)
        if "duplicate" in weather:
            assert dropped.get("srtp", 0) > 0
