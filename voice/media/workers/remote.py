"""The server's end of a table's voice that a media worker carries."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import structlog

from voice.media.errors import MediaError
from voice.media.packet import AcceptedPacket
from voice.media.workers.wire import Accepted, Connect, Disconnect, Move, Open, Shut
from voice.memory import nobody

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from voice.media.link import OnSlots
    from voice.media.workers.keeper import WorkerKeeper

CONNECT_S = 15.0
"""For an answer to an offer: a worker may have its players wait up to 8 s for their turn."""
END_S = 2.5
READY_S = 8.0
"""A worker that died is back within a second or two."""

log = structlog.get_logger(__name__)


def add_up(past: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Counters of two lives of a worker as one: numbers and the numbers within added; of all else the newer."""
    total = dict(past)
    for name, value in now.items():
        before = total.get(name)
        if isinstance(value, dict) and isinstance(before, dict):
            total[name] = add_up(before, value)
        elif name != "peers" and isinstance(value, int) and isinstance(before, int):
            total[name] = before + value
        else:
            total[name] = value
    return total


class RemoteRoom:
    """All voice of one table, as `voice.media.room.MediaRoom` is, in a worker.

    `mic` is on its way when it returns, and the worker judges no packet by a gate that is older. `epoch` counts the
    changes of the set, as the gate does. A worker that dies or stalls closes the gate; it is told anew what is open
    when it is back, and what is let in then belongs to the same epoch.
    """

    def __init__(
        self,
        worker: WorkerKeeper,
        number: int,
        table_id: str,
        on_packet: Callable[[AcceptedPacket], None],
        on_link: Callable[[frozenset[int]], None],
        on_slots: OnSlots | None,
    ) -> None:
        self._worker = worker
        self._number = number
        self.table_id = table_id
        self._on_packet = on_packet
        self._on_link = on_link
        self._on_slots = on_slots
        self._open: frozenset[int] = frozenset()
        self._epoch = 0
        self._serial = 0
        self._linked: frozenset[int] = frozenset()
        self._slots: dict[int, tuple[int | None, ...]] = {}
        """By how many there are: the seat in each."""
        self._change = 0
        self._changes_past = 0
        """The worker that runs now counts from here."""
        self._closed = False
        self._counts: dict[str, Any] = {}
        self._past: dict[str, Any] = {}
        self._late = 0
        self._tap_failed = 0

    # --- the room's calls

    @property
    def epoch(self) -> int:
        """Counts the changes of the gate; each accepted packet carries it."""
        return self._epoch

    def mic(self, seats: Iterable[int]) -> None:
        """Open exactly these seats' microphones."""
        wanted = frozenset(seats)
        if self._closed or wanted == self._open:
            return
        self._worker.look()  # what was let in before this move and has come belongs to the epoch that ends
        self._open = wanted
        self._epoch += 1
        self._tell()

    async def connect(self, viewer: int | str, sdp: str) -> str:
        """Answer an offer. Raises MediaError as the room does, and `busy` while the worker is started anew."""
        if self._closed:
            raise MediaError("closed", "the table's voice is closed")
        await self._worker.ready(READY_S)
        try:
            answer = await self._worker.ask(lambda call: Connect(self._number, call, viewer, sdp), CONNECT_S)
        except TimeoutError:
            raise MediaError("busy", f"the voice did not answer within {CONNECT_S:g} s: offer again") from None
        return str(answer)

    async def disconnect(self, viewer: int | str) -> None:
        """Close this viewer's connection, if it has one."""
        with contextlib.suppress(MediaError, TimeoutError):  # a worker that is gone has no connections
            await self._worker.ask(lambda call: Disconnect(self._number, call, viewer), END_S)

    async def close(self) -> None:
        """Close the gate and every connection; the room can't be used after."""
        self.mic(())
        self._closed = True
        self._linked = frozenset()
        try:
            await self._worker.ask(lambda call: Shut(self._number, call), END_S)
        except TimeoutError:
            log.warning("media worker did not close a table's voice", table=self.table_id, after_s=END_S)
        except MediaError:
            pass
        finally:
            self._worker.forget(self._number)
            self._on_packet = self._on_link = nobody
            self._on_slots = None

    def stats(self) -> dict[str, object]:
        """The room's counters, half a second old at most, and those of the way to it.

        `tap_dropped`: packets for the recogniser for which the way was too full; `tap_late`: those that came when the
        gate had moved on.
        """
        counts: dict[str, object] = {"peers": 0, "alive": [], "accepted": 0, "forwarded": 0, "dropped": {}, "seats": {}}
        counts |= add_up(self._past, self._counts)
        counts["worker"] = self._worker.name
        counts["tap_late"] = self._late
        counts["tap_failed"] = self._tap_failed
        return counts

    # --- for the keeper

    def begin(self) -> None:
        """A worker runs: everything closed there, until it is told."""
        self._worker.send(Open(self._number, self.table_id))
        if self._open:
            self._tell()

    def tell_anew(self) -> None:
        """The worker has closed the gate by itself."""
        if not self._closed:
            self._tell()

    def ended(self) -> None:
        """The worker is gone, and all connections with it."""
        self._past = add_up(self._past, self._counts) | {"peers": 0, "alive": []}
        self._counts = {}
        self.linked(frozenset())
        for count, seats in list(self._slots.items()):
            if any(seat is not None for seat in seats):
                self.slotted(self._change - self._changes_past + 1, (None,) * count)
        self._slots.clear()
        self._changes_past = self._change

    def linked(self, seats: frozenset[int]) -> None:
        """Exactly these seats' links are alive."""
        if seats != self._linked and not self._closed:
            self._linked = seats
            self._on_link(seats)

    def slotted(self, change: int, seats: tuple[int | None, ...]) -> None:
        """Who has which slot; the changes go on counting over all lives of the worker."""
        self._change = self._changes_past + change
        self._slots[len(seats)] = seats
        if self._on_slots is not None and not self._closed:
            self._on_slots(self._change, seats)

    def counted(self, counts: dict[str, Any]) -> None:
        """The worker's counters of this room."""
        self._counts = counts

    def accepted(self, batch: Accepted) -> None:
        """Packets that the worker let in. What was let in before the gate's last move is not handed on: its epoch is
        over."""
        if batch.serial != self._serial or self._closed:
            self._late += len(batch.packets)
            return
        for seat, sequence, timestamp, payload, arrival in batch.packets:
            try:
                self._on_packet(AcceptedPacket(seat, self._epoch, sequence, timestamp, payload, arrival))
            except Exception:  # the tap is another owner's, and the next packet is not to blame
                self._tap_failed += 1
                if self._tap_failed == 1:
                    log.exception("media.tap_failed", table=self.table_id)

    def _tell(self) -> None:
        self._serial += 1
        self._worker.send(Move(self._number, sorted(self._open), self._serial))
