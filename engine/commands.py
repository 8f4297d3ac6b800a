"""The form of a command: which fields each has, and of what type. What may be done when is the rules' affair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from engine.errors import Refusal, shown

Sign: TypeAlias = int | str
LineId: TypeAlias = int | str


class Malformed(Refusal):
    """A command that is not of the form the contract gives it."""


def _mark(do: str) -> str:
    """What the refusal of a malformed `do` begins with, and that of a well-formed one never.

    A log keeps a refusal's words alone, so this much of them is form, and may not change: logs that are stored have it.
    """
    return f"{do!r}"


def is_form_refusal(do: str, why: str) -> bool:
    """Whether `why` is why a malformed command `do` was refused; else the rules refused it."""
    return why.startswith(_mark(do))


@dataclass(slots=True)
class Command:
    """A well-formed command. Fields that its `do` does not have keep their defaults.

    seat: who commands; 0 for a moderator, who has no seat. target: 0 where none was given.
    """

    do: str
    seat: int = 0
    target: int = 0
    seats: tuple[int, ...] = ()
    yes: bool = False
    sentence: tuple[Sign, ...] = ()
    kind: str = ""
    card: str = ""
    line: LineId = ""
    category: str = ""
    severity: str = ""
    uphold: bool = False


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a JSON value is a whole number; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def _sign(value: object) -> bool:
    return is_whole(value) or isinstance(value, str)


def _text(value: object) -> bool:
    return isinstance(value, str)


def _truth(value: object) -> bool:
    return isinstance(value, bool)


def _list(of: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list | tuple) and all(of(each) for each in value)


_FORMS: dict[str, tuple[Callable[[object], bool], str]] = {
    "seat": (is_whole, "a seat number"),
    "target": (is_whole, "a seat number"),
    "seats": (_list(is_whole), "a list of seat numbers"),
    "yes": (_truth, "true or false"),
    "sentence": (_list(_sign), "a list of signs"),
    "kind": (_text, "a text"),
    "card": (_text, "a text"),
    "line": (_sign, "a line's id"),
    "category": (_text, "a text"),
    "severity": (_text, "a text"),
    "uphold": (_truth, "true or false"),
}


class _Fields:
    """What a command must have and may have, each with its form."""

    __slots__ = ("forms", "needed")

    def __init__(self, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> None:
        self.needed = needed
        self.forms = {name: _FORMS[name] for name in (*needed, *optional)}


FIELDS: Mapping[str, _Fields] = {
    "order": _Fields(("seat", "seats")),
    "ok": _Fields(("seat",)),
    "shoot": _Fields(("seat", "target")),
    "check": _Fields(("seat", "target")),
    "protect": _Fields(("seat", "target")),
    "pass": _Fields(("seat",)),
    "nominate": _Fields(("seat", "target")),
    "vote": _Fields(("seat", "target")),
    "lift": _Fields(("seat", "yes")),
    "best_move": _Fields(("seat", "seats")),
    "sign": _Fields(("seat", "sentence")),
    "say": _Fields(("seat", "kind"), ("card", "target")),
    "floor": _Fields(("seat",)),
    "report": _Fields(("seat", "target", "line")),
    "stop": _Fields((), ("seat",)),
    "away": _Fields(("seat",)),
    "back": _Fields(("seat",)),
    "line": _Fields(("seat", "line", "category", "severity")),
    "ruling": _Fields(("line", "uphold")),
}

TO_MODERATORS = frozenset({"line", "ruling"})
"""Commands whose refusal no seat may know of."""


_OBJECT = (dict, Mapping)
"""A dict is a mapping, too: it is named because it is known at once."""


def parse(raw: object, seats: int) -> Command:
    """`raw`, a JSON object, as a command at a table of `seats` seats.

    Raises:
        Malformed: not an object, an unknown `do` or field, a missing or wrong-typed field, or a `seat` that
            is not at the table. Other values that make no sense are the rules' to refuse.
    """
    if not isinstance(raw, _OBJECT):
        raise Malformed(f"a command is an object, not {shown(raw)}")
    do = raw.get("do")
    if not isinstance(do, str) or (fields := FIELDS.get(do)) is None:
        raise Malformed(f"unknown command {shown(do)}" if "do" in raw else "a command without 'do'")
    command, forms = Command(do), fields.forms
    for name, value in raw.items():
        form = forms.get(name)
        if form is None:
            if name == "do":
                continue
            raise Malformed(f"{_mark(do)} has no field {shown(name)}")
        fits, expected = form
        if not fits(value):
            raise Malformed(f"{_mark(do)}: {name!r} must be {expected}, not {shown(value)}")
        setattr(command, name, tuple(value) if isinstance(value, list) else value)
    for name in fields.needed:
        if name not in raw:
            raise Malformed(f"{_mark(do)} needs {name!r}")
    if "seat" in raw and not 1 <= command.seat <= seats:
        raise Malformed(f"{_mark(do)}: there is no seat {shown(command.seat)} at this table of {seats}")
    return command
