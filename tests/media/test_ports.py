"""The operator's ports and addresses: one range, a full range, the address behind 1:1 NAT, IPv6."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
from typing import TYPE_CHECKING

import pytest

from voice.media import selftest
from voice.media.client import VoiceClient
from voice.media.errors import MediaError
from voice.media.ports import PortRange, announce, bind, resolve
from voice.media.room import MediaRoom
from voice.media.settings import MediaSettings

from .conftest import CLIENT, opus_tone, speak, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from voice.media.packet import AcceptedPacket


@pytest.fixture
def few() -> PortRange:
    """Three ports in a row that are free."""
    for first in range(42_000, 60_000, 3):
        ports = PortRange(first, first + 2)
        with contextlib.ExitStack() as taken:
            try:
                for _ in range(3):
                    taken.enter_context(bind("127.0.0.1", ports))
            except (MediaError, OSError):
                continue
        return ports
    raise AssertionError("no three free UDP ports in a row")


class Table:
    """A room with settings of its own, and its clients."""

    def __init__(self, settings: MediaSettings) -> None:
        self.tapped: list[AcceptedPacket] = []
        self.room = MediaRoom("table", self.tapped.append, lambda seats: None, settings)
        self.clients: list[VoiceClient] = []

    async def join(self, seat: int, settings: MediaSettings = CLIENT) -> VoiceClient:
        client = VoiceClient(settings=settings)
        self.clients.append(client)
        self.answer = await self.room.connect(seat, await client.offer())
        await client.accept(self.answer)
        await client.connected()
        return client

    def candidates(self) -> list[tuple[str, int]]:
        """The addresses in the last answer."""
        return [(m[1], int(m[2])) for m in re.finditer(r"a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ host", self.answer)]

    async def close(self) -> None:
        await asyncio.gather(self.room.close(), *(client.close() for client in self.clients))


@pytest.fixture
async def tables() -> AsyncIterator[list[Table]]:
    made: list[Table] = []
    yield made
    for table in made:
        await table.close()


def seated(tables: list[Table], settings: MediaSettings) -> Table:
    tables.append(Table(settings))
    return tables[-1]


async def test_every_port_is_in_the_range_and_a_full_range_is_told(tables: list[Table], few: PortRange) -> None:
    table = seated(tables, MediaSettings(addresses=(), ports=few))
    for seat in (1, 2, 3):
        await table.join(seat)
        assert all(few.first <= port <= few.last for _, port in table.candidates())
    late = VoiceClient(settings=CLIENT)
    table.clients.append(late)
    offer = await late.offer()
    with pytest.raises(MediaError, match=str(few)) as full:
        await table.room.connect(4, offer)
    assert full.value.code == "ports_full"

    # The others go on, and a place that becomes free is used again.
    table.room.mic([1])
    await speak(table.clients[0], opus_tone(440, 20))
    await until(lambda: len([p for p in table.clients[1].received if len(p.payload) > 3]) >= 19)
    await table.room.disconnect(3)
    await table.join(4)


async def test_two_rooms_share_one_range(tables: list[Table], few: PortRange) -> None:
    ports = set()
    for seat in (1, 2, 3):
        table = seated(tables, MediaSettings(addresses=(), ports=few))
        await table.join(seat)
        ports |= {port for _, port in table.candidates()}
    assert ports == set(range(few.first, few.last + 1))


async def test_the_fallback_keeps_to_the_range_too(tables: list[Table], few: PortRange) -> None:
    from voice.media.fallback import FallbackLink

    table = seated(tables, MediaSettings(addresses=(), ports=few))
    table.room._links = FallbackLink
    await table.join(1)
    assert table.candidates()
    assert all(few.first <= port <= few.last for _, port in table.candidates())


async def test_the_public_address_is_told_beside_the_local_one(tables: list[Table]) -> None:
    # 127.0.0.2 stands for the machine's own address: `is_loopback` leaves it out, so the answer's text is tested below.
    table = seated(tables, MediaSettings(addresses=("127.0.0.2",), loopback=False, public_addresses=("203.0.113.5",)))
    await table.join(1)
    assert [host for host, _ in table.candidates()] == ["127.0.0.2"]


ANSWER = "\r\n".join(
    [
        "v=0",
        "a=candidate:1234 1 udp 2130706431 10.0.0.7 40001 typ host",
        "a=candidate:5678 1 udp 2130706431 127.0.0.1 40002 typ host",
        "a=candidate:9abc 1 udp 2130706431 2001:db8::7 40003 typ host",
        "a=end-of-candidates",
        "",
    ]
)


def test_what_is_announced() -> None:
    assert announce(ANSWER, ()) == ANSWER
    assert announce(ANSWER, ("203.0.113.5",)).splitlines()[1:3] == [
        "a=candidate:public01234 1 udp 2130706432 203.0.113.5 40001 typ host",
        "a=candidate:1234 1 udp 2130706431 10.0.0.7 40001 typ host",
    ]
    both = announce(ANSWER, ("203.0.113.5", "2001:db8::99"))
    assert "2001:db8::99 40003 typ host" in both
    assert both.count("typ host") == 5
    assert announce(ANSWER, ("10.0.0.7",)) == ANSWER, "the local address is not told twice"


async def test_a_client_that_knows_the_public_address_alone_connects(tables: list[Table]) -> None:
    """The twin's port is the socket's own: what NAT maps to is where we listen."""
    local = machine_address()
    table = seated(tables, MediaSettings(addresses=(local,), loopback=False, public_addresses=("203.0.113.5",)))
    client = VoiceClient(settings=MediaSettings(addresses=(local,), loopback=False))
    table.clients.append(client)
    answer = await table.room.connect(1, await client.offer())
    public = [line for line in answer.splitlines() if "203.0.113.5" in line]
    assert len(public) == 1
    # The NAT: what goes to the public address arrives at the local one.
    lines = [line for line in answer.splitlines() if not line.startswith("a=candidate") or line in public]
    await client.accept("\r\n".join(lines).replace("203.0.113.5", local) + "\r\n")
    await client.connected()


def machine_address() -> str:
    """An address of this machine beside loopback; the loopback network's where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no address but loopback")
        return str(probe.getsockname()[0])


async def test_ipv6(tables: list[Table]) -> None:
    try:
        bind("::1", None).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    only6 = MediaSettings(addresses=("::1",), loopback=False)
    table = seated(tables, only6)
    speaker = await table.join(1, MediaSettings(addresses=("::1",), loopback=False))
    await table.join(2, MediaSettings(addresses=("::1",), loopback=False, packets_per_s=1e6, packets_burst=1e6))
    assert [host for host, _ in table.candidates()] == ["::1"]
    table.room.mic([1])
    await speak(speaker, opus_tone(440, 20))
    await until(lambda: len(table.tapped) >= 19)
    await until(lambda: len([p for p in table.clients[1].received if len(p.payload) > 3]) >= 19)


async def test_an_address_that_is_not_ours_is_a_clear_end(tables: list[Table]) -> None:
    await selftest.link_factory()
    table = seated(tables, MediaSettings(addresses=("203.0.113.77",), loopback=False))
    client = VoiceClient(settings=CLIENT)
    table.clients.append(client)
    offer = await client.offer()
    with pytest.raises(MediaError) as failed:
        await table.room.connect(1, offer)
    assert failed.value.code == "media_failed"


@pytest.mark.parametrize(
    ("text", "first", "last"), [("40000-40100", 40000, 40100), ("1024", 1024, 1024), (" 5000 - 5001 ", 5000, 5001)]
)
def test_ranges(text: str, first: int, last: int) -> None:
    assert PortRange.of(text) == PortRange(first, last)


@pytest.mark.parametrize(
    "text", ["", "a-b", "40100-40000", "0-10", "80-90", "40000-70000", "1-2-3", "40000-", "-5", "４０００-4001"]
)
def test_what_is_no_range(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        PortRange.of(text)


def test_names_and_addresses() -> None:
    assert resolve("203.0.113.5") == ("203.0.113.5",)
    assert "127.0.0.1" in resolve("localhost")
    with pytest.raises(ValueError, match=r"no\.such\.invalid"):
        resolve("no.such.invalid")
    with pytest.raises(ValueError, match="players can send to"):
        resolve("0.0.0.0")  # noqa: S104 - refused
