"""What a viewer may see of an event: an allow-list of fields by event, closed for everything it does not name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from engine.events import Event

Viewer: TypeAlias = 'int | Literal["moderator"]'

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

    Moderators may know of everything. An event that the lists above do not name is shown to nobody.
    """
    shown = _ALL.get(event.name) if viewer == MODERATOR else _for_seat(event, viewer)
    if shown is None:
        return None
    seen: dict[str, object] = {"t": event.t, "event": event.name}
    for name in shown:
        if name in event.fields:
            seen[name] = event.fields[name]
    return seen


def _for_seat(event: Event, seat: int | str) -> tuple[str, ...] | None:
    if event.to == "all":
        return PUBLIC.get(event.name)
    if not isinstance(seat, int) or seat not in event.to:
        return None
    if event.name in OWN:
        return OWN[event.name] if event.fields.get("seat") == seat else None
    return PUBLIC.get(event.name) or NAMED.get(event.name)
