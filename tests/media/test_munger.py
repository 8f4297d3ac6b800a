"""The laws of one listener's timeline, and libsrtp's opinion of it."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pylibsrtp import Policy, Session

from tests.media.headers import rtp_header
from voice.media.munger import MAX_GAP, Munger
from voice.media.rtp import difference


def protector() -> Session:
    policy = Policy(key=os.urandom(30), ssrc_type=Policy.SSRC_ANY_OUTBOUND)
    policy.allow_repeat_tx = True
    policy.window_size = 1024
    return Session(policy)


START = st.integers(0, 0xFFFF)
START_TIME = st.integers(0, 0xFFFFFFFF)


@given(START, START_TIME, START, START_TIME, st.integers(1, 400))
def test_one_speaker_is_only_shifted(out: int, out_time: int, sequence: int, timestamp: int, count: int) -> None:
    munger = Munger(out, out_time)
    for n in range(count):
        made = munger.map(7, (sequence + n) & 0xFFFF, (timestamp + 960 * n) & 0xFFFFFFFF, 100.0 + n * 0.02)
        assert made == ((out + 1 + n) & 0xFFFF, (out_time + 960 * (n + 1)) & 0xFFFFFFFF, n == 0)


@given(START, START_TIME, START, START_TIME, st.data())
def test_loss_and_reordering_of_a_run_stay_visible(
    out: int, out_time: int, sequence: int, timestamp: int, data: st.DataObject
) -> None:
    munger = Munger(out, out_time)
    munger.map(7, sequence, timestamp, 1.0)
    order = data.draw(st.permutations(range(1, 30)))
    kept = data.draw(st.sets(st.sampled_from(order), min_size=1))
    for n in (n for n in order if n in kept):
        made = munger.map(7, (sequence + n) & 0xFFFF, (timestamp + 960 * n) & 0xFFFFFFFF, 1.0 + 0.02 * n)
        assert made == ((out + 1 + n) & 0xFFFF, (out_time + 960 * (1 + n)) & 0xFFFFFFFF, False)


@given(START, START_TIME, START, START_TIME)
def test_a_duplicate_is_dropped(out: int, out_time: int, sequence: int, timestamp: int) -> None:
    munger = Munger(out, out_time)
    assert munger.map(7, sequence, timestamp, 1.0) is not None
    assert munger.map(7, sequence, timestamp, 1.0) is None


@given(START, START_TIME, st.integers(0, 1 << 31))
def test_a_late_packet_with_a_time_of_another_place_is_dropped(sequence: int, timestamp: int, ahead: int) -> None:
    """A client may write any time; one that is not before a later packet's would turn the listeners' time back."""
    munger = Munger(5, 5)
    munger.map(7, sequence, timestamp, 1.0)
    munger.map(7, (sequence + 2) & 0xFFFF, (timestamp + 1920) & 0xFFFFFFFF, 1.04)
    assert munger.map(7, (sequence + 1) & 0xFFFF, (timestamp + 1920 + ahead) & 0xFFFFFFFF, 1.05) is None
    assert munger.map(7, (sequence + 1) & 0xFFFF, (timestamp + 960) & 0xFFFFFFFF, 1.05) is not None


@given(START, START_TIME, st.integers(1, MAX_GAP), st.booleans())
def test_what_is_older_than_the_switch_is_dropped(sequence: int, timestamp: int, age: int, filler: bool) -> None:
    munger = Munger(5, 5)
    munger.map(7, (sequence - 1) & 0xFFFF, (timestamp - 960) & 0xFFFFFFFF, 1.0)
    if filler:
        munger.fill(1.5)
    else:
        munger.map(8, 1, 1, 1.5)
    assert munger.map(7, sequence, timestamp, 2.0) is not None
    late = (sequence - age) & 0xFFFF, (timestamp - 960 * age) & 0xFFFFFFFF
    assert munger.map(7, *late, 2.0) is None


@given(st.floats(0.0, 3600.0))
def test_a_new_speaker_goes_on_at_the_time_that_has_passed(pause_s: float) -> None:
    munger = Munger(10, 1000)
    first = munger.map(1, 500, 70_000, 50.0)
    assert first is not None
    second = munger.map(2, 9, 4_000_000_000, 50.0 + pause_s)
    assert second is not None
    sequence, timestamp, marker = second
    assert (sequence, marker) == (first[0] + 1, True)
    passed_s = (50.0 + pause_s) - 50.0  # as the munger can know it: near half a frame the sum's rounding decides
    assert difference(timestamp, first[1], 32) == max(1, round(passed_s * 50)) * 960


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("packet"), st.integers(1, 4), st.integers(-40, 40), st.integers(-10, 10)),
        st.tuples(st.just("jump"), st.integers(1, 4), st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF)),
        st.tuples(st.just("fill"), st.just(0), st.just(0), st.just(0)),
    ),
    max_size=80,
)


@given(START, START_TIME, STEPS)
@settings(max_examples=300)
def test_it_never_goes_back_whatever_speakers_send(
    out: int, out_time: int, steps: list[tuple[str, int, int, int]]
) -> None:
    """A new run begins above all that was ever sent, and no number is used twice."""
    munger = Munger(out, out_time)
    speakers = {n: [n * 1000, n * 100_000] for n in range(1, 5)}
    used: set[int] = set()
    top, at = 0, 0.0
    session = protector()
    for what, who, a, b in steps:
        at += 0.02
        if what == "fill":
            made: tuple[int, int, bool] | None = (*munger.fill(at), True)
        else:
            speaker = speakers[who]
            if what == "jump":
                speaker[:] = [a, b]
            else:
                speaker[:] = [speaker[0] + a, speaker[1] + (a + b // 9) * 960]
            made = munger.map(who, speaker[0] & 0xFFFF, speaker[1] & 0xFFFFFFFF, at)
        if made is None:
            continue
        unwrapped = top + difference(made[0], (out + top) & 0xFFFF, 16)
        assert unwrapped not in used
        if made[2]:
            assert unwrapped == top + 1
        assert unwrapped - top <= MAX_GAP
        used.add(unwrapped)
        top = max(top, unwrapped)
        session.protect(rtp_header(96, made[2], made[0], made[1], 1) + b"x" * 20)


@pytest.mark.parametrize("seed", [1, 2])
def test_ten_thousand_switches_are_encrypted_without_an_error(seed: int) -> None:
    """Random speakers, pauses, fillers, loss and reordering: libsrtp refuses a sequence that falls back too far."""
    chance = random.Random(seed)
    munger, session = Munger(chance.randrange(0x10000), chance.randrange(1 << 32)), protector()
    speakers = [[chance.randrange(0x10000), chance.randrange(1 << 32)] for _ in range(10)]
    at, sent = 0.0, 0
    for switch in range(10_000):
        speaker = speakers[chance.randrange(10)]
        for _ in range(chance.randrange(1, 6)):
            at += chance.choice((0.0, 0.02, 0.02, 1.0))
            ahead = chance.choice((1, 1, 1, 2, 3, -1, -2, 30))
            speaker[0] = (speaker[0] + ahead) & 0xFFFF
            speaker[1] = (speaker[1] + 960 * ahead) & 0xFFFFFFFF
            made = munger.map(switch + 1, speaker[0], speaker[1], at)
            if made is not None:
                session.protect(rtp_header(96, made[2], made[0], made[1], 1) + b"x" * 20)
                sent += 1
        if chance.random() < 0.3:
            sequence, timestamp = munger.fill(at)
            session.protect(rtp_header(96, False, sequence, timestamp, 1) + b"\xf8")
    assert sent > 20_000


def test_the_protector_can_fail() -> None:
    """The control: a sequence that falls back by more than the window is refused."""
    session = protector()
    session.protect(rtp_header(96, False, 5000, 0, 1) + b"x")
    with pytest.raises(Exception, match="index too old"):
        session.protect(rtp_header(96, False, 100, 0, 1) + b"x")
