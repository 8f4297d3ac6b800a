"""HTTP with an end to its patience: who connects and does not ask, or asks without end, is not waited for.

Without it a few hundred silent connections of one stranger hold every file descriptor, and nobody else comes in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

    import h11
    from uvicorn.protocols.http.h11_impl import RequestResponseCycle

REQUEST_S: Final = 15.0  # from the connection, or from the answer before, to the last byte of a request


class PatientProtocol(H11Protocol):
    """uvicorn's protocol, one a connection; what has become a WebSocket has times of its own (`voice.web.socket`)."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Somebody is there: the time runs."""
        super().connection_made(transport)
        self._wait()

    def on_response_complete(self) -> None:
        """An answer is out: the time of the next request runs."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._wait()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """No HTTP any more."""
        self._rest()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Gone."""
        self._rest()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._rest()
        self._late = self.loop.call_later(REQUEST_S, self._too_late)

    def _rest(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _too_late(self) -> None:
        cycle: RequestResponseCycle | None = vars(self)["cycle"]  # None before the first request
        # A request that is whole and being answered takes as long as it takes.
        if cycle is None or cycle.response_complete or cycle.more_body:
            self.transport.close()
