"""A real WebRTC call of a few packets: ICE, DTLS and SRTP both ways, as a player's browser makes one."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from voice.media import sdp
from voice.media.client import VoiceClient
from voice.media.errors import MediaError
from voice.media.peer import PeerLink
from voice.media.settings import MediaSettings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from voice.media.settings import TurnServer

CONNECT_S = 8.0
ECHO_S = 3.0
PACKETS = 5
PAYLOAD = b"\xf8voicetable doctor "


class CallError(Exception):
    """The call did not go through; one line says how far it came."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that went both ways: where to, and how long connecting and the first echo took."""

    address: str
    ms: int


class Echo:
    """The answering end: sends back what it hears, and is gone after `life_s`."""

    def __init__(self, settings: MediaSettings, life_s: float = CONNECT_S + ECHO_S + 2.0) -> None:
        self._number = 0
        self._gone = asyncio.Event()
        self._link = PeerLink(settings, self._heard, self._changed)
        self._end = asyncio.get_running_loop().create_task(self._live(life_s))

    async def answer(self, offer: str) -> str:
        """The answer to an offer. Raises MediaError."""
        try:
            return await self._link.answer(sdp.parse(offer), speak=True)
        except BaseException:
            await self.close()
            raise

    def _heard(self, sequence: int, timestamp: int, payload: bytes, extension: bytes, now: float) -> None:
        self._number += 1
        self._link.send(self._number, self._number * 960, False, payload, now)

    def _changed(self) -> None:
        if self._link.down:
            self._gone.set()

    async def _live(self, life_s: float) -> None:
        try:
            async with asyncio.timeout(life_s):
                await self._gone.wait()
        except TimeoutError:
            pass
        finally:
            await self._link.close()

    @property
    def ended(self) -> asyncio.Task[None]:
        """Done when this end is gone."""
        return self._end

    async def close(self) -> None:
        """End it now."""
        self._gone.set()
        await self._end


async def call(
    answer: Callable[[str], Awaitable[str]],
    *,
    to: str | None = None,
    turn: tuple[TurnServer, ...] = (),
    change: Callable[[str], str] | None = None,
) -> Call:
    """Call whoever `answer` takes an offer for, and wait for the echo.

    `to`: use only this address of the answer. `turn`: through this relay alone. `change`: the answer as it is to be
    taken. Raises CallError.
    """
    settings = MediaSettings(turn=turn, relay_only=bool(turn), connect_timeout_s=CONNECT_S, packets_per_s=1e4)
    client = VoiceClient(settings=settings)
    begun = time.monotonic()
    try:
        offer = await client.offer()
        if turn and " typ relay" not in offer:
            raise CallError("it gave no relay")
        text = await answer(offer)
        text = change(text) if change is not None else text
        await client.accept(text if to is None else _only(text, to))
        try:
            await client.connected(CONNECT_S + 1.0)
        except (TimeoutError, MediaError):
            raise CallError(f"no connection within {CONNECT_S:.0f} s") from None
        return await _echo(client, begun)
    except MediaError as error:
        raise CallError(error.message) from error
    except OSError as error:
        raise CallError(f"no socket for it: {error.strerror or error}") from error
    finally:
        await client.close()


async def _echo(client: VoiceClient, begun: float) -> Call:
    until = time.monotonic() + ECHO_S
    while time.monotonic() < until:
        client.send(PAYLOAD)
        await asyncio.sleep(0.02)
        if sum(each.payload == PAYLOAD for each in client.received) >= PACKETS:
            return Call(client.link.peer_address, round((time.monotonic() - begun) * 1000))
    raise CallError(f"connected to {client.link.peer_address}, but what was said did not come back")


def _only(answer: str, address: str) -> str:
    lines = [line for line in answer.splitlines() if not line.startswith("a=candidate:") or f" {address} " in line]
    return "\r\n".join(lines) + "\r\n"


def unseen(offer: str) -> str:
    """The offer with nobody at its candidates' ports (9, discard): who answers it can't reach the caller first.

    Without this, ICE connects two ends of one machine whatever addresses the answer tells.
    """
    return "\r\n".join(_at_port_9(line) for line in offer.splitlines()) + "\r\n"


def _at_port_9(line: str) -> str:
    words = line.split(" ")
    return " ".join([*words[:5], "9", *words[6:]]) if line.startswith("a=candidate:") else line


def told(answer: str) -> list[str]:
    """The addresses and ports in an answer."""
    words = [line.split() for line in answer.splitlines() if line.startswith("a=candidate:")]
    return [f"[{each[4]}]:{each[5]}" if ":" in each[4] else f"{each[4]}:{each[5]}" for each in words]
