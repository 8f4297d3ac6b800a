"""Voice packets wrapped as Ogg Opus: what FFmpeg, which a browser's player is like, makes of it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.clips.ogg import ticks_of, wrap
from voice.media.packet import AcceptedPacket

if TYPE_CHECKING:
    from collections.abc import Sequence

RATE_HZ = 48_000
FRAME = 960


def encoded(seconds: float) -> list[bytes]:
    """A tone as Opus packets of 20 ms."""
    codec: Any = av.CodecContext.create("libopus", "w")
    codec.sample_rate, codec.layout, codec.format = RATE_HZ, "mono", "s16"
    samples = (np.sin(np.arange(round(seconds * RATE_HZ)) * 440 * 2 * np.pi / RATE_HZ) * 8000).astype(np.int16)
    packets = []
    for start in range(0, len(samples) - FRAME + 1, FRAME):
        frame = av.AudioFrame.from_ndarray(samples[None, start : start + FRAME], format="s16", layout="mono")
        frame.sample_rate, frame.pts = RATE_HZ, start
        packets += [bytes(packet) for packet in codec.encode(frame)]
    return packets


def sent(payloads: Sequence[bytes], first: int = 0, ticks: int = 0, arrival: float = 0.0) -> list[AcceptedPacket]:
    return [
        AcceptedPacket(
            3, 1, (first + i) % 2**16, (ticks + i * FRAME) % 2**32, payload, arrival + i * 0.02
        )
        for i, payload in enumerate(payloads)
    ]  # fmt: skip


def decoded(file: bytes) -> np.ndarray[Any, Any]:
    with av.open(io.BytesIO(file)) as container:
        return np.concatenate([frame.to_ndarray().reshape(-1) for frame in container.decode(audio=0)])


def test_a_voice_comes_back_as_it_was_said() -> None:
    file, seconds = wrap(sent(encoded(3.0)))
    sound = decoded(file)
    assert seconds == pytest.approx(3.0, abs=0.03)
    assert len(sound) / RATE_HZ == pytest.approx(3.0, abs=0.05)
    spectrum = np.abs(np.fft.rfft(sound[RATE_HZ : 2 * RATE_HZ]))
    assert np.argmax(spectrum) == 440


def test_the_order_of_arrival_and_repeats_make_no_difference() -> None:
    packets = sent(encoded(1.0), first=2**16 - 20, ticks=2**32 - 10 * FRAME)
    mixed = [packets[1], packets[0], packets[1], *reversed(packets[2:])]
    assert wrap(mixed) == wrap(packets)


def test_a_pause_is_as_long_as_it_was() -> None:
    payloads = encoded(2.0)
    half = len(payloads) // 2
    packets = [*sent(payloads[:half]), *sent(payloads[half:], first=half, ticks=(half + 100) * FRAME)]
    file, seconds = wrap(packets)
    assert seconds == pytest.approx(4.0, abs=0.03)
    assert len(decoded(file)) / RATE_HZ == pytest.approx(4.0, abs=0.05)


def test_a_timestamp_far_away_makes_no_file_without_end() -> None:
    payloads = encoded(1.0)
    packets = [*sent(payloads), *sent(payloads, first=len(payloads), ticks=2**31 - 1)]
    file, seconds = wrap(packets)
    assert seconds < 25
    assert len(file) < 100_000


def test_nothing_is_no_file() -> None:
    assert wrap([]) == (b"", 0.0)
    assert wrap(sent([b"", b"\x03", b"\xff\x3f"])) == (b"", 0.0)


@given(st.lists(st.binary(max_size=1500), max_size=40), st.integers(0, 2**16 - 1), st.integers(0, 2**32 - 1))
def test_whatever_a_client_sends_it_becomes_pages_that_can_be_read(
    payloads: list[bytes], first: int, ticks: int
) -> None:
    file, seconds = wrap(sent(payloads, first, ticks))
    assert 0 <= seconds <= 40 * 0.12 + 20
    if any(ticks_of(payload) for payload in payloads):
        with av.open(io.BytesIO(file)) as container:
            assert container.streams.audio[0].codec.name in ("opus", "libopus")
    else:
        assert file == b""
