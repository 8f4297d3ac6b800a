"""A short fuzz of each parser of what strangers send; `python -m tests.fuzz NAME --seconds N` goes on for longer."""

from __future__ import annotations

import random
import struct
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from . import targets
from .targets import TARGETS, mutated

if TYPE_CHECKING:
    from voice.media import rtp


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.binary(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_bytes(name: str, data: bytes) -> None:
    TARGETS[name].run(data)


@pytest.mark.parametrize("name", TARGETS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=300, deadline=None)
def test_almost_right(name: str, seed: int) -> None:
    TARGETS[name].run(mutated(TARGETS[name].seeds, random.Random(seed)))


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_themselves(name: str) -> None:
    for seed in TARGETS[name].seeds:
        TARGETS[name].run(seed)


def test_a_defect_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that trusts a length it was told."""

    def trusting(data: bytes) -> rtp.Rtp | None:
        return None if len(data) < 12 else (data[1] & 0x7F, 0, 0, 0, bytes(4 * (data[0] & 15)), b"")

    monkeypatch.setattr(targets.rtp, "parse_rtp", trusting)
    with pytest.raises(AssertionError):
        TARGETS["rtp"].run(b"\x8f" + bytes(30))


def test_defects_behind_the_socket_and_in_the_ear_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sealed and what is signed gets as far as it would, and so does a stream of speech."""

    def trusting(*_given: object) -> None:
        raise RuntimeError

    for place, at in (("voice.media.peer.parse_rtp", 3), ("aioice.ice.Connection.request_received", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(place, trusting)
            with pytest.raises(RuntimeError):
                TARGETS["socket"].run(TARGETS["socket"].seeds[at])
    with monkeypatch.context() as patch:
        patch.setattr("voice.speech.ear.MAX_SILENCE_S", 60.0)
        with pytest.raises(AssertionError):
            TARGETS["ear"].run(
                struct.pack("!HLBB", 1, 0, 1, 1) + b"\xf8" + struct.pack("!HLBB", 2, 1 << 30, 2, 1) + b"\xf8"
            )
