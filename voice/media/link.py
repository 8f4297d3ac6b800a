"""What the room needs of a connection, whichever way it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio

    from .sdp import Section
    from .settings import MediaSettings

OnRtp = Callable[[int, int, bytes, bytes, float], None]
"""sequence, timestamp, Opus payload, RFC 8285 header extension, arrival in monotonic seconds."""
OnState = Callable[[], None]
"""The link connected, or is down for good: look at `connected` and `down`."""
OnSlots = Callable[[int, tuple[int | None, ...]], None]
"""The number of the change, and the seat in each slot (None: nobody), for the listeners that have that many slots."""


class Link(Protocol):
    """One WebRTC connection with one audio stream in and `slots` of them out. Everything happens on the event loop."""

    connected: bool
    down: bool
    """Failed or closed; a link never comes back, a new offer makes a new one."""
    heard_at: float
    """When the last datagram of the peer came, in monotonic seconds."""
    audio_level: int | None
    """The header extension's id of RFC 6464 where it was negotiated."""
    slots: int
    """How many streams the answer gave the peer, 1 or more."""
    dropped: dict[str, int]
    """Datagrams that were dropped before the gate, by reason."""

    async def answer(self, offer: Section, speak: bool) -> str:
        """The answer to an offer. `speak`: the peer may send audio to us."""

    def send(self, sequence: int, timestamp: int, marker: bool, payload: bytes, now: float, slot: int = 0) -> bool:
        """Send one Opus packet of a slot's stream at once; False if it can't go out: not connected, a full socket."""

    def drain(self) -> asyncio.Future[None] | None:
        """Hand on what has come already: before it returns (None), or by the time that the future is done.

        It is cancelled by the next call, and when the link is closed.
        """

    def tick(self, now: float) -> None:
        """About once a second: reports, and a question to a peer that has gone silent."""

    async def close(self) -> None:
        """Close within `close_timeout_s`; can be called at any time, also twice."""


class LinkFactory(Protocol):
    """Makes links: `PeerLink`, or the fallback."""

    def __call__(self, settings: MediaSettings, on_rtp: OnRtp, on_state: OnState) -> Link: ...
