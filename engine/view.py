"""What a viewer may see of an event: an allow-list of fields by event, closed for everything it does not name.

The viewers are the seats by number, a spectator, who has no seat and sees what is for all, and a moderator, who sees
everything. A seat that has left is still a seat: it keeps what it was told, and what is for its team's living alone
does not name it any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from engine.events import Event

Viewer: TypeAlias = 'int | Literal["spectator", "moderator"]'

SPECTATOR: Literal["spectator"] = "spectator"
MODERATOR: Literal["moderator"] = "moderator"

PUBLIC: dict[str, tuple[str, ...]] = {
    "night": ("number",),
    "day": ("number",),
    "phase": ("name", "ends", "seat", "round"),
    "mic": ("seats",),
    "morning": ("killed",),
    "nominated": ("seat", "by"),
    "floor": ("seat", "until"),
    "votes": ("round", "votes"),
    "tie": ("seats",),
    "lifted": ("votes", "leave"),
    "left": ("seat", "how", "card"),
    "best_move": ("seat", "seats"),
    "signed": ("seat", "sentence"),
    "said": ("seat", "kind", "target", "card"),
    "warned": ("seat", "category", "line"),
    "fouled": ("seat", "fouls", "why", "category"),
    "cleared": ("seat", "line", "fouls"),
    "vote_cancelled": ("day",),
    "away": ("seat", "until"),
    "back": ("seat",),
    "bot": ("seat",),
    "over": ("winner", "cards", "points"),
    "abandoned": ("by",),
}
"""Events that may be for all: shown to whoever `to` has."""

NAMED: dict[str, tuple[str, ...]] = {
    "order": ("seats", "by"),
    "pick": ("seat", "target"),
}
"""Events of a team: shown to the seats that `to` lists, never to all."""

OWN: dict[str, tuple[str, ...]] = {
    "dealt": ("seat", "card", "team"),
    "answer": ("seat", "target", "answer"),
    "refused": ("seat", "do", "why"),
}
"""Events of one seat: shown to the seat they name, and only where `to` lists it."""

MODERATORS_ONLY: dict[str, tuple[str, ...]] = {
    "held": ("seat", "line", "category"),
    "kept": ("seat", "line", "category"),
    "reported": ("seat", "target", "line"),
    "decided": ("winner",),
}
"""Events that no seat is ever shown, whatever `to` says."""

_ALL = PUBLIC | NAMED | OWN | MODERATORS_ONLY


def view(event: Event, viewer: Viewer) -> dict[str, object] | None:
    """The event as `viewer` may see it, without `to`; None where it may not know of it.

    Moderators may know of everything. An event that the lists above do not name is shown to nobody, and nothing is
    shown to a viewer that is none of the three kinds. What is shown depends on the event and the viewer alone. It is to
    be read: its lists are the event's own.
    """
    if viewer == MODERATOR:
        shown = _ALL.get(event.name)
    elif viewer == SPECTATOR:
        shown = _for_all(event)
    else:
        shown = _for_seat(event, viewer)
    if shown is None:
        return None
    seen: dict[str, object] = {"t": event.t, "event": event.name}
    for name in shown:
        if name in event.fields:
            seen[name] = event.fields[name]
    return seen


def _for_all(event: Event) -> tuple[str, ...] | None:
    return PUBLIC.get(event.name) if event.to == "all" else None


def _for_seat(event: Event, seat: object) -> tuple[str, ...] | None:
    if not isinstance(seat, int) or isinstance(seat, bool) or seat < 1:
        return None
    if event.to == "all":
        return _for_all(event)
    if seat not in event.to:
        return None
    if event.name in OWN:
        return OWN[event.name] if event.fields.get("seat") == seat else None
    return PUBLIC.get(event.name) or NAMED.get(event.name)
