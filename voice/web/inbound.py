"""The messages of a client to the server, as `docs/protocol.md` has them."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

import msgspec

FRAME_LIMIT: Final = 64 * 1024  # bytes
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Hello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """The first frame. `table`: moderators name the table they watch."""

    token: Annotated[str, msgspec.Meta(max_length=200)]
    after: Number = 0
    table: Annotated[str, msgspec.Meta(max_length=64)] | None = None


class SetReady(msgspec.Struct, frozen=True, tag_field="type", tag="ready"):
    """In the lobby."""

    ready: bool


class Begin(msgspec.Struct, frozen=True, tag_field="type", tag="start"):
    """In the lobby, the owner."""


class Command(msgspec.Struct, frozen=True, tag_field="type", tag="command"):
    """One command of the engine, without `seat`."""

    id: Number
    phase: Number
    command: dict[str, Any]


class Offer(msgspec.Struct, frozen=True, tag_field="type", tag="offer"):
    """A WebRTC offer."""

    id: Number
    sdp: str


class Pong(msgspec.Struct, frozen=True, tag_field="type", tag="pong"):
    """The answer to `ping`."""

    at: float = 0.0


class GiveUp(msgspec.Struct, frozen=True, tag_field="type", tag="leave"):
    """Give the seat up."""


Inbound: TypeAlias = Hello | SetReady | Begin | Command | Offer | Pong | GiveUp

_decoder: msgspec.json.Decoder[Inbound] = msgspec.json.Decoder(Inbound)


class MalformedError(Exception):
    """A frame that is none of these messages; says where and what was expected."""


def decode(text: str) -> Inbound:
    """One frame. Raises MalformedError."""
    try:
        return _decoder.decode(text)
    except RecursionError as error:
        raise MalformedError("nested too deeply") from error
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise MalformedError(str(error)) from error
