"""Who may be heard now: the one authority over every microphone of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Gate:
    """The set of open microphones of one table. Closed by default; only `set` moves it.

    `open` holds the seats whose microphone is open, `epoch` counts the changes, and `opened` has, for each open
    seat, the epoch at which it went from closed to open: an opening is named by it. An open seat that is held is not in
    `opened`: its packets are refused as those of a closed one.
    """

    __slots__ = ("_held", "epoch", "open", "opened")

    def __init__(self) -> None:
        self.open: frozenset[int] = frozenset()
        self.epoch: int = 0
        self.opened: dict[int, int] = {}
        self._held: frozenset[int] = frozenset()

    def set(self, seats: Iterable[int]) -> bool:
        """Open exactly these seats' microphones; True if that changed anything."""
        seats = frozenset(seats)
        if seats == self.open:
            return False
        self.epoch += 1
        kept = {seat: epoch for seat, epoch in self.opened.items() if seat in seats}
        self._held &= seats
        self.opened = {seat: kept.get(seat, self.epoch) for seat in seats - self._held}
        self.open = seats
        return True

    def hold(self, seat: int) -> None:
        """A seat that is about to open is not heard before `release`: what came before is not read yet."""
        self._held |= {seat}

    def release(self, seat: int) -> None:
        """If the seat was held, and has not been closed meanwhile, it is heard from now on."""
        if seat in self._held:
            self._held -= {seat}
            self.opened[seat] = self.epoch


class Intake:
    """The gate as one connection of one seat meets it: decides on each packet at its arrival.

    A packet is admitted only if the seat is open now AND it was sent after all that was seen before the opening:

    - the highest sequence number is remembered while the gate is closed too, so a packet that comes late (reordered,
      delayed, or sent twice) can't bring out what was said before the minute began;
    - the first of those is never used: Opus in-band FEC (RFC 6716, 2.1.7) lets it carry the 20 ms before it, spoken
      while the gate was still closed.
    """

    __slots__ = ("_floor", "_gate", "_highest", "_opening", "_seat")

    def __init__(self, gate: Gate, seat: int) -> None:
        self._gate = gate
        self._seat = seat
        self._opening = 0
        self._floor: int | None = None
        self._highest: int | None = None

    def refuses(self, sequence: int) -> str | None:
        """None for a packet that may be heard, else why it may not: `closed`, `first` or `before_opening`."""
        opening = self._gate.opened.get(self._seat, 0)
        highest = self._highest
        if highest is None:
            extended = sequence
            newest = True
        else:
            extended = highest + ((sequence - highest + 0x8000) & 0xFFFF) - 0x8000
            newest = extended > highest
        if newest:
            self._highest = extended
        if not opening:
            self._floor = self._highest
            self._opening = 0
            return "closed"
        if opening != self._opening:
            if not newest:
                return "before_opening"  # the first that was sent in it is still to come
            self._opening = opening
            self._floor = extended
            return "first"
        if self._floor is not None and extended <= self._floor:
            return "before_opening"
        return None

    @property
    def opening(self) -> int:
        """The epoch of the opening that the last packet met; 0 for none."""
        return self._opening
