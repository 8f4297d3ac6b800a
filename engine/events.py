"""Events: all that a game ever says."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Audience: TypeAlias = 'Literal["all"] | tuple[int, ...]'

HITS = frozenset({"black", "mafia", "sheriff"})
"""The answers that whoever checks is looking for."""

VOTED_OUT = frozenset({"vote", "lift"})
"""How a seat leaves by the table's own vote."""

MODERATORS: tuple[int, ...] = ()
"""The audience of what no seat may know."""


class Event(NamedTuple):
    """One thing that happened.

    t: table time in seconds. to: `"all"`, or the seats that may know of it, sorted (empty: moderators alone).
    fields: what the event says, as JSON values; never changed after the event was made.
    """

    t: float
    name: str
    to: Audience
    fields: dict[str, object]

    def to_json(self) -> dict[str, object]:
        """The stored form: `t`, `event`, `to`, then the event's own fields."""
        to = self.to if isinstance(self.to, str) else list(self.to)
        return {"t": self.t, "event": self.name, "to": to, **self.fields}
