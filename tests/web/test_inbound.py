"""Frames of a client: decoded, or refused with a reason, whatever they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.web.inbound import Command, Hello, MalformedError, Offer, Pong, decode

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
kinds = st.sampled_from(["hello", "ready", "start", "command", "offer", "pong", "leave", "x"])
fields = st.sampled_from(["token", "after", "table", "id", "phase", "command", "sdp", "at", "ready"])


@given(kinds, st.dictionaries(fields, anything, max_size=5))
def test_a_frame_is_decoded_or_malformed(kind: str, body: dict[str, Any]) -> None:
    try:
        decode(json.dumps({"type": kind, **body}))
    except MalformedError as error:
        assert str(error)  # noqa: PT017 - most frames are refused, some are not


@given(st.text())
def test_so_is_any_text(text: str) -> None:
    with pytest.raises(MalformedError):
        decode(text)


def test_the_messages_of_the_protocol() -> None:
    assert decode('{"type":"hello","token":"t","after":3}') == Hello("t", 3, None)
    assert decode('{"type":"pong","at":12.5}') == Pong(12.5)
    assert decode('{"type":"offer","id":1,"sdp":"v=0"}') == Offer(1, "v=0")
    command = decode('{"type":"command","id":7,"phase":2,"command":{"do":"vote","target":4}}')
    assert command == Command(7, 2, {"do": "vote", "target": 4})
