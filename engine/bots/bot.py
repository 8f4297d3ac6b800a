"""What a bot is to those who seat it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Lang: TypeAlias = Literal["en", "ru"]

Kind: TypeAlias = Literal["thinking", "random"]


@dataclass(frozen=True, slots=True)
class Move:
    """What a bot wants to do at a table time: a command, or a caption to be shown as its line.

    phase: the number of the phase it is meant for. When `at` comes in another phase, it must be dropped.
    """

    at: float
    phase: int
    command: Mapping[str, object] | None = None
    caption: str | None = None


class Bot(Protocol):
    """Plays one seat by what that seat is shown."""

    seat: int

    def see(self, event: Mapping[str, Any]) -> None:
        """Takes in one event, in the form the seat was shown it."""

    def act(self, now: float) -> list[Move]:
        """What the bot wants to do in the running phase, in order of time; empty when asked again in the same phase.

        Where its seat has done something already before the bot took over, such as voted, the table refuses the
        second one, and nothing is lost.
        """
