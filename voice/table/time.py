"""A table's time: 0 at the deal, standing still while the server is down."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voice.table.clock import Clock


@dataclass(slots=True)
class TableTime:
    """Table time runs from `base_s` since the clock said `since_s`."""

    clock: Clock
    base_s: float
    since_s: float

    @classmethod
    def running_from(cls, clock: Clock, base_s: float) -> TableTime:
        """It is `base_s` now."""
        return cls(clock, base_s, clock.now())

    def now(self) -> float:
        """Table time, s, down to the whole millisecond (short on the wire and in the log)."""
        return math.floor(self.at(self.clock.now()) * 1000) / 1000

    def at(self, clock_s: float) -> float:
        """The table time at a moment of the clock, s."""
        return self.base_s + clock_s - self.since_s

    def when(self, table_s: float) -> float:
        """The moment of the clock at a table time, s; a hair late, so that `now` has passed `table_s` by then."""
        return self.since_s + table_s - self.base_s + 0.001
