"""The voice's network: UDP ports, real calls to oneself, the public address, the relay."""

from __future__ import annotations

import errno
import ipaddress
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from voice.media.errors import MediaError
from voice.media.ports import PortRange, bind
from voice.media.settings import TurnServer
from voice.player.door import DoorError
from voice.web.ice import ice_servers

from .call import Call, CallError, Echo, call, unseen
from .finding import fail, ok, warn

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from voice.media.settings import MediaSettings
    from voice.settings import Settings

    from .finding import Finding

ENOUGH_PORTS: Final = 20
SYSTEM_PORTS: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")
RESERVED: Final = Path("/proc/sys/net/ipv4/ip_local_reserved_ports")


def local_addresses(media: MediaSettings) -> list[str]:
    """The addresses that a server with these settings listens on."""
    from aioice.ice import get_host_addresses

    if media.addresses is not None:
        return list(media.addresses)
    found = [each for each in get_host_addresses(use_ipv4=True, use_ipv6=True) if _ours(each)]
    return [*found, "127.0.0.1"] if media.loopback else found


def _ours(address: str) -> bool:
    return not ipaddress.ip_address(address).is_link_local


def check_ports(media: MediaSettings) -> Iterator[Finding]:
    """Bind the whole range once at every address."""
    if media.ports is None:
        yield ok("udp ports", "any_port")
        return
    for address in local_addresses(media):
        yield _free(address, media.ports)
    overlap = _system_ports()
    if overlap is not None and media.ports.first <= overlap[1] and media.ports.last >= overlap[0]:
        yield warn("udp ports", "ephemeral", ports=media.ports, low=overlap[0], high=overlap[1])


def _free(address: str, ports: PortRange) -> Finding:
    free = 0
    for port in range(ports.first, ports.last + 1):
        try:
            bind(address, PortRange(port, port)).close()
            free += 1
        except MediaError:
            continue  # taken
        except OSError as error:
            why = errno.errorcode.get(error.errno or 0, "") if error.strerror is None else error.strerror
            return fail("udp ports", "no_port", address=address, why=why)
    facts = {"free": free, "all": len(ports), "ports": str(ports), "address": address}
    if not free:
        return fail("udp ports", "few_ports", **facts)
    return ok("udp ports", "ports", **facts) if free >= ENOUGH_PORTS else warn("udp ports", "few_ports", **facts)


def _system_ports() -> tuple[int, int] | None:
    """The range that Linux gives other programs' sockets from; None where it can't be seen, or some are kept back."""
    try:
        if RESERVED.read_text().strip():
            return None
        low, high = SYSTEM_PORTS.read_text().split()
        return int(low), int(high)
    except (OSError, ValueError):
        return None


async def check_calls(settings: Settings, media: MediaSettings) -> AsyncIterator[Finding]:
    """A real call to oneself at every address, with the ports and addresses of the settings."""
    from voice.media import selftest

    try:
        await selftest.check()
    except MediaError as error:
        yield warn("voice", "slow_aiortc", why=error.message)
    for address in local_addresses(media):
        try:
            made = await _call_oneself(media, to=address)
        except CallError as error:
            yield fail("voice", "no_call", address=address, why=error)
        else:
            yield ok("voice", "call", address=made.address, ms=made.ms)
    async for finding in _public(settings, media):
        yield finding


async def _call_oneself(media: MediaSettings, to: str | None = None, turn: tuple[TurnServer, ...] = ()) -> Call:
    echo = Echo(media)

    async def answer(offer: str) -> str:
        return await echo.answer(offer if to is None else unseen(offer))

    try:
        return await call(answer, to=to, turn=turn)
    finally:
        await echo.close()


async def _public(settings: Settings, media: MediaSettings) -> AsyncIterator[Finding]:
    addresses = local_addresses(media)
    if media.public_addresses:
        for address in media.public_addresses:
            if address in addresses:
                yield ok("public address", "addresses", addresses=address)
                continue
            try:
                await _call_oneself(media, to=address)
            except CallError:
                url = settings.public_url or f"http://{address}:{settings.port}"
                yield warn("public address", "public_unproven", address=address, url=url)
            else:
                yield ok("public address", "public_inside", address=address)
        return
    outer = [each for each in addresses if ipaddress.ip_address(each).is_global]
    told = ", ".join(addresses) or "-"
    if outer or settings.turn or settings.host in ("127.0.0.1", "::1", "localhost"):
        yield ok("public address", "addresses", addresses=told)
    else:
        yield warn("public address", "private", addresses=told)


async def check_turn(settings: Settings, media: MediaSettings) -> AsyncIterator[Finding]:
    """A relay with the credentials that clients get, and a call through it."""
    if not settings.turn:
        yield warn("turn", "no_turn")
        return
    told = ice_servers(settings, "doctor", time.time())[-1]
    for url in settings.turn:
        server = TurnServer((url,), told["username"], told["credential"])
        yield await through(server, lambda server: _call_oneself(media, turn=(server,)))


async def through(server: TurnServer, calls: Callable[[TurnServer], Awaitable[Call]]) -> Finding:
    """What there is to say of a relay (of one URL): whether it is given, and whether a call goes through it.

    `calls` may raise CallError, and DoorError where a server elsewhere is called.
    """
    (url,) = server.urls
    try:
        relay = await allocate(server)
    except OSError as error:
        return fail("turn", "turn_no_relay", url=url, why=error)
    try:
        made = await calls(server)
    except (CallError, DoorError) as error:
        return warn("turn", "turn_no_call", url=url, relay=relay, why=error)
    return ok("turn", "turn", url=url, relay=relay, ms=made.ms)


async def allocate(server: TurnServer) -> str:
    """Ask for a relay and give it back; its address. Raises ConnectionError with the server's reason, or OSError."""
    import asyncio

    from aioice import stun, turn
    from aiortc.rtcicetransport import parse_stun_turn_uri

    parsed = parse_stun_turn_uri(server.urls[0])
    try:
        async with asyncio.timeout(10):
            transport, _ = await turn.create_turn_endpoint(
                asyncio.DatagramProtocol,
                server_addr=(parsed["host"], parsed["port"]),
                username=server.username,
                password=server.credential,
                ssl=parsed["scheme"] == "turns",
                transport=parsed["transport"],
            )
    except stun.TransactionFailed as error:
        code, reason = error.response.attributes.get("ERROR-CODE", (0, "no reason given"))
        raise ConnectionError(f"it refused with {code} {reason}") from error
    except (stun.TransactionError, TimeoutError) as error:
        raise ConnectionError("it does not answer") from error
    except socket.gaierror as error:
        raise ConnectionError(f"its name can't be found ({error.strerror})") from error
    host, port = transport.get_extra_info("sockname")
    transport.close()
    await asyncio.sleep(0.05)  # the word that it is not needed any more
    return f"{host}:{port}"
