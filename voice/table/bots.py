"""The bots of a table: each sees what its seat may see, and acts at its own times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from voice.table.journal import Item
    from voice.table.play import Play
    from voice.table.records import Json


@dataclass(frozen=True, slots=True)
class Move:
    """What a bot does at table time `t`: a command (without `seat`), or a caption that it says."""

    t: float
    seat: int
    command: Json | None = None
    say: str | None = None


class Bots:
    """All bots of one table."""

    def __init__(self, lang: str, seed: int) -> None:
        self._lang = lang
        self._seed = seed

    def follow(self, play: Play, items: Sequence[Item]) -> None:
        """See what is new among `items`."""

    def due(self) -> float | None:
        """The table time of the next move; None where no bot means to move."""
        return None

    def pop(self) -> Move:
        """Take the next move."""
        raise LookupError
