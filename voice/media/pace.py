"""How many connections a process makes at a time: a DTLS handshake costs 4 to 7 ms of the loop that also forwards.

A whole house that comes back at once (a restart, a network that was away) would else stall the tables that play.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from .errors import MediaError

if TYPE_CHECKING:
    from .settings import MediaSettings


class Pace:
    """First come, first served: `burst` at once, then `per_s` a second; who would wait too long is told so."""

    def __init__(self, per_s: float, burst: float, longest_wait_s: float) -> None:
        self._step_s = 1.0 / per_s
        self._ahead_s = (burst - 1.0) / per_s
        self._longest_wait_s = longest_wait_s
        self._due = 0.0
        """When the next one would be due if all came evenly (the generic cell rate algorithm, ITU-T I.371)."""

    def wait_s(self, now: float) -> float:
        """Take the next turn, in so many seconds. Raises MediaError `busy`, and takes none, if that is too long."""
        due = max(self._due, now)
        wait_s = max(0.0, due - self._ahead_s - now)
        if wait_s > self._longest_wait_s:
            raise MediaError("busy", f"many are connecting now: offer again in {max(1, round(wait_s))} s")
        self._due = due + self._step_s
        return wait_s

    async def turn(self) -> None:
        """Wait for one's turn. Raises MediaError `busy`."""
        wait_s = self.wait_s(time.monotonic())
        if wait_s > 0.0:
            await asyncio.sleep(wait_s)


_paces: WeakKeyDictionary[asyncio.AbstractEventLoop, Pace] = WeakKeyDictionary()


def pace_of(settings: MediaSettings) -> Pace:
    """The pace of this process's media: one for the loop, with the numbers of the first room that asked."""
    loop = asyncio.get_running_loop()
    pace = _paces.get(loop)
    if pace is None:
        pace = _paces[loop] = Pace(settings.handshakes_per_s, settings.handshakes_burst, settings.handshake_wait_s)
    return pace
