"""A short fuzz of each parser of what strangers send; `python -m tests.fuzz NAME --seconds N` goes on for longer."""

from __future__ import annotations

import random
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
