"""For how long a table stays at work. What is closed is brought back when somebody asks for it."""

from __future__ import annotations

from typing import Final

OVER_S: Final = 1800.0
"""How long people may go on talking after the game, whoever comes and goes: while the table is at work it has the words
of its lines, and their time may be up."""
EMPTY_S: Final = 120.0
"""How long a table that does not run waits for somebody to come."""


class Closing:
    """One table's. Times of the clock, s."""

    def __init__(self) -> None:
        self.at: float | None = None
        """When it is closed; None: not by itself."""
        self._over_until: float | None = None

    def look(self, state: str, people: int, now: float) -> None:
        """Its state has changed, or who is connected: one that runs stays, one that waits while somebody is there."""
        if state == "running" or (state == "waiting" and people):
            self.at = None
            return
        self.at = now + (OVER_S if people else EMPTY_S)
        if state == "over":
            self._over_until = now + OVER_S if self._over_until is None else self._over_until
            self.at = min(self.at, self._over_until)

    def due(self, now: float) -> bool:
        """Whether it is to be closed."""
        return self.at is not None and now >= self.at
