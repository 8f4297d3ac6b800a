"""The sound of one table: its room, its ears, and the one place where the gate is moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voice.clips.ring import Ring
from voice.memory import nobody

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from voice.media.packet import AcceptedPacket
    from voice.table.parts import HeardLine, OnSlots, Parts


class Voices:
    """Opened with the deal, closed with the table."""

    def __init__(
        self,
        table: str,
        lang: str,
        parts: Parts,
        on_line: Callable[[HeardLine], None],
        on_interim: Callable[[int, str, float], None],
        on_link: Callable[[frozenset[int]], None],
        on_slots: OnSlots,
        on_captions: Callable[[str, int], None],
    ) -> None:
        self.captions: tuple[str, int] | None = None
        """Whether captions keep up, and how many lines were lost; None where nobody has said anything of it."""
        self.linked: frozenset[int] = frozenset()
        self.slots: dict[int, tuple[int, tuple[int | None, ...]]] = {}
        """By how many there are: the number of the last change, and the seat in each."""
        self._open: frozenset[int] = frozenset()
        self._on_link = on_link
        self._on_slots = on_slots
        self._on_captions = on_captions
        self._ring = Ring(0.0)
        self._hearing = parts.hearing(table, lang, on_line, on_interim, self._caption_state)
        self._room = parts.room(table, self._packet, self._link, on_slots=self._slots)

    def mic(self, seats: Iterable[int]) -> None:
        """The event `mic` was published: open exactly these seats, and tell the ears."""
        self._open = frozenset(seats)
        self._room.mic(self._open)
        self._hearing.mic(self._open, self._room.epoch)

    def narrow(self, seats: Iterable[int]) -> None:
        """The event `mic` is being written: close all but these seats now, so that no minute is longer by the disk."""
        if not self._open.issubset(seats := frozenset(seats)):
            self.mic(self._open & seats)

    def stats(self) -> dict[str, object]:
        """What the room counted of its packets."""
        return self._room.stats()

    def remember(self, memory_s: float) -> None:
        """From now on remember what is said for so long, for clips."""
        self._ring = Ring(memory_s)

    def said(self, seat: int, start_s: float, end_s: float) -> Sequence[AcceptedPacket]:
        """The sound of a line, by its times (monotonic s); empty where it is forgotten."""
        return self._ring.cut(seat, start_s, end_s)

    def forget(self, now_s: float) -> None:
        """Forget the sound that is too old."""
        self._ring.forget(now_s)

    async def connect(self, viewer: int | str, sdp: str) -> str:
        """An offer to its answer. Raises MediaError (`code`, `message`)."""
        return await self._room.connect(viewer, sdp)

    async def disconnect(self, viewer: int | str) -> None:
        """End the viewer's voice link."""
        await self._room.disconnect(viewer)

    async def close(self) -> None:
        """End everything; nobody is told of anything after, so that the table is not held."""
        self._hearing.close()
        self._ring.clear()
        try:
            await self._room.close()
        finally:
            self._on_link, self._on_slots, self._on_captions = nobody, nobody, nobody

    def _packet(self, packet: Any) -> None:
        self._hearing.feed(packet)
        self._ring.keep(packet)

    def _link(self, seats: frozenset[int]) -> None:
        self.linked = seats
        self._on_link(self.linked)

    def _caption_state(self, state: str, lost: int) -> None:
        self.captions = state, lost
        self._on_captions(state, lost)

    def _slots(self, change: int, seats: tuple[int | None, ...]) -> None:
        self.slots[len(seats)] = (change, seats)
        self._on_slots(change, seats)
