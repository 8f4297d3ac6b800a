"""What a server and its child processes have in common on the wire: length-prefixed MessagePack over a socket pair."""

from __future__ import annotations

import struct
from typing import Any

import msgspec

LENGTH = struct.Struct("<I")
MAX_FRAME_BYTES = 4 << 20


class Message(msgspec.Struct, array_like=True, gc=False):
    """Common ground of all messages; each has its tag first on the wire."""


_encode = msgspec.msgpack.Encoder().encode


def frame(message: Message) -> bytes:
    """A message as it goes over the socket."""
    body = _encode(message)
    if len(body) > MAX_FRAME_BYTES:
        raise ValueError(f"expected a message of at most {MAX_FRAME_BYTES} bytes, got {len(body)}")
    return LENGTH.pack(len(body)) + body


def decoder(kinds: Any) -> msgspec.msgpack.Decoder[Any]:
    """A decoder for a union of messages, such as `voice.speech.wire.ToTap`."""
    return msgspec.msgpack.Decoder(kinds)
