"""Is the aiortc that is installed the one the adapter knows? Asked once, before the first connection."""

from __future__ import annotations

import asyncio
import importlib.metadata
import threading
import time
from typing import TYPE_CHECKING

import structlog

from . import sdp
from .errors import MediaError
from .peer import PINS, PeerLink
from .settings import MediaSettings

if TYPE_CHECKING:
    from .link import LinkFactory

CALL_TIMEOUT_S = 10.0

log = structlog.get_logger(__name__)


async def check(links: type[PeerLink] = PeerLink) -> None:
    """Compare the versions with the pins, then make a call to oneself: both ways, byte for byte, without a thread.

    Raises MediaError `unsupported` with what was expected and what came.
    """
    for name, wanted in PINS.items():
        found = importlib.metadata.version(name)
        if found != wanted:
            raise MediaError("unsupported", f"the media adapter knows {name} {wanted}, and {found} is installed")
    try:
        await _call(links)
    except MediaError:
        raise
    except Exception as error:  # whatever a changed library throws: it is the answer
        raise MediaError(
            "unsupported", f"the media adapter's test call failed: {type(error).__name__} {error}"
        ) from error


async def _call(links: type[PeerLink]) -> None:
    settings = MediaSettings(addresses=(), connect_timeout_s=CALL_TIMEOUT_S)
    heard: list[tuple[str, bytes]] = []
    changed = asyncio.Event()

    def hears(name: str) -> PeerLink:
        return links(settings, lambda s, t, payload, x, now: heard.append((name, payload)), changed.set)

    threads = threading.active_count()
    ends = {"offerer": hears("offerer"), "answerer": hears("answerer")}
    try:
        offer = await ends["offerer"].offer(speak=True)
        await ends["offerer"].accept(await ends["answerer"].answer(sdp.parse(offer), speak=True))
        while not all(end.connected for end in ends.values()):
            if any(end.down for end in ends.values()):
                raise MediaError("unsupported", "the media adapter's test call to 127.0.0.1 did not connect")
            changed.clear()
            await asyncio.wait_for(changed.wait(), CALL_TIMEOUT_S)
        for number in range(3):
            for name, end in ends.items():
                end.send(number, number * 960, number == 0, f"{name}{number}".encode(), time.monotonic())
        expected = sorted(
            (hearer, f"{name}{number}".encode())
            for hearer, name in (("offerer", "answerer"), ("answerer", "offerer"))
            for number in range(3)
        )
        for _ in range(100):
            if len(heard) >= len(expected):
                break
            await asyncio.sleep(0.02)
        if sorted(heard) != expected:
            raise MediaError("unsupported", f"the media adapter's test call sent 6 packets, and {len(heard)} came")
        if threading.active_count() > threads:
            raise MediaError("unsupported", "aiortc started a decoder thread, which the adapter must prevent")
    finally:
        await asyncio.gather(*(end.close() for end in ends.values()))


_chosen: LinkFactory | None = None
_choosing: asyncio.Task[LinkFactory] | None = None


async def link_factory() -> LinkFactory:
    """What makes links in this process: the adapter if its self-test passes, else the fallback, with a loud line."""
    global _chosen, _choosing
    if _chosen is not None:
        return _chosen
    if _choosing is None or _choosing.get_loop() is not asyncio.get_running_loop():
        _choosing = asyncio.get_running_loop().create_task(_choose())
    _chosen = await asyncio.shield(_choosing)
    _choosing = None
    return _chosen


async def _choose() -> LinkFactory:
    try:
        await check()
    except MediaError as error:
        from .fallback import FallbackLink

        log.error("media.selftest_failed", why=error.message, using="the fallback: several times the CPU")
        return FallbackLink
    return PeerLink
