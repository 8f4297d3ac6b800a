"""The messages of a server to a client, as `docs/protocol.md` has them, encoded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from voice.table.records import Json, Spoken

_encode = msgspec.json.Encoder().encode


def event(n: int, phase: int, now: float, body: Mapping[str, object]) -> bytes:
    """One engine event that this viewer may know."""
    return _encode({"type": "event", "n": n, "phase": phase, "now": now, "event": body})


def line(n: int, phase: int, spoken: Spoken) -> bytes:
    """A final caption."""
    return _encode(
        {
            "type": "line",
            "n": n,
            "phase": phase,
            "line": spoken.line,
            "seat": spoken.seat,
            "text": spoken.text,
            "start": spoken.start,
            "end": spoken.end,
            "by": spoken.by,
        }
    )


def seated(n: int, seat: object, ruleset: str, people: Mapping[str, Json]) -> bytes:
    """Who sits where, and what is played."""
    return _encode({"type": "seated", "n": n, "seat": seat, "ruleset": ruleset, "people": people})


def lobby(people: Iterable[Json], owner: str) -> bytes:
    """Who waits for the game, whole."""
    return _encode({"type": "lobby", "people": list(people), "owner": owner})


def interim(seat: int, text: str, agreed: int, start: float) -> bytes:
    """A caption that may still change: how many of its characters hardly will, and when it was begun (table time)."""
    return _encode({"type": "interim", "seat": seat, "text": text, "agreed": agreed, "start": start})


def captions(state: str, lost: int) -> bytes:
    """Whether captions keep up with what is said, and how many lines of this table never had a text."""
    return _encode({"type": "captions", "state": state, "lost": lost})


def link(seats: Iterable[int]) -> bytes:
    """The seats whose voice link is alive."""
    return _encode({"type": "link", "seats": sorted(seats)})


def slots(change: int, seats: Iterable[int | None]) -> bytes:
    """Whose voice each stream carries."""
    return _encode({"type": "slots", "change": change, "seats": list(seats)})


def proposal(number: int, phase: int, until: float, command: Mapping[str, object]) -> bytes:
    """A command that this player may have spoken, to be done by a tap or not at all."""
    return _encode({"type": "proposal", "id": number, "phase": phase, "until": until, "command": command})


def proposal_gone(number: int) -> bytes:
    """A proposal is taken back."""
    return _encode({"type": "proposal", "id": number, "command": None})


def cases() -> bytes:
    """Something has changed in this player's cases or reports."""
    return _encode({"type": "cases"})


def clock(now: float) -> bytes:
    """The table's time."""
    return _encode({"type": "clock", "now": now})


def ping(at: float) -> bytes:
    """To be answered by `pong`."""
    return _encode({"type": "ping", "at": at})


def done(number: int) -> bytes:
    """A command was accepted."""
    return _encode({"type": "done", "id": number})


def refused(number: int, do: str, why: str, code: str) -> bytes:
    """A command was refused."""
    return _encode({"type": "refused", "id": number, "do": do, "why": why, "code": code})


def answer(number: int, sdp: str) -> bytes:
    """The answer to an offer."""
    return _encode({"type": "answer", "id": number, "sdp": sdp})


def error(code: str, message: str, number: int | None = None) -> bytes:
    """Something is wrong with what this client sent, or with its table."""
    body: dict[str, Any] = {"type": "error", "code": code, "message": message}
    if number is not None:
        body["id"] = number
    return _encode(body)


def welcome(fields: Mapping[str, object]) -> bytes:
    """The answer to `hello`."""
    return _encode({"type": "welcome", **fields})
