"""The laws of a slot's way out, as each of its listeners sees it, and libsrtp's opinion of them."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pylibsrtp import Policy, Session

from tests.media.headers import rtp_header
from voice.media.munger import MAX_GAP
from voice.media.rtp import DTX, SILENCE, difference
from voice.media.writer import SlotWriter


class FakeLink:
    """Keeps what it is given, and encrypts it as a real one does."""

    def __init__(self) -> None:
        self.connected = True
        self.sent: list[tuple[int, int, bool, bytes]] = []
        policy = Policy(key=os.urandom(30), ssrc_type=Policy.SSRC_ANY_OUTBOUND)
        policy.allow_repeat_tx = True
        policy.window_size = 1024
        self._session = Session(policy)

    def send(self, sequence: int, timestamp: int, marker: bool, payload: bytes, now: float, slot: int = 0) -> bool:
        self._session.protect(rtp_header(96, marker, sequence, timestamp, 1) + payload)
        self.sent.append((sequence, timestamp, marker, payload))
        return True


def joined(writer: SlotWriter, count: int) -> list[Any]:
    """So many links that listen to it."""
    links: list[Any] = [FakeLink() for _ in range(count)]
    for link in links:
        writer.add(link)
    return links


def steady(link: FakeLink) -> None:
    """No number twice, none that falls back further than a reordered packet, and a time that goes with the numbers."""
    used: set[int] = set()
    top, first = 0, link.sent[0][0] if link.sent else 0
    top_time = link.sent[0][1] if link.sent else 0
    for sequence, timestamp, marker, payload in link.sent:
        place = top + difference(sequence, (first + top) & 0xFFFF, 16)
        assert place not in used
        assert top - place <= MAX_GAP
        assert place - top <= MAX_GAP
        if place > top:
            assert difference(timestamp, top_time, 32) > 0
            top_time = timestamp
        if marker:
            assert place == top + 1 or not used, "a run begins at the next number"
        if payload in (DTX, SILENCE):
            assert place == top + 1 or not used
        used.add(place)
        top = max(top, place)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("packet"), st.integers(0, 3), st.integers(-30, 30), st.sampled_from((0.0, 0.02, 0.5))),
        st.tuples(st.just("jump"), st.integers(0, 3), st.integers(0, 0xFFFF), st.just(0.02)),
        st.tuples(st.sampled_from(("fill", "tail", "join", "leave")), st.integers(0, 3), st.just(0), st.just(0.4)),
    ),
    max_size=80,
)


@given(STEPS)
@settings(max_examples=200, deadline=None)
def test_every_listener_gets_a_steady_stream_whatever_comes(steps: list[tuple[str, int, int, float]]) -> None:
    """Speakers who are listeners too and do not hear themselves, who come and go, and all that a network does."""
    writer = SlotWriter()
    links = joined(writer, 4)
    present = list(links)
    speakers = [[n * 20_000, n << 30] for n in range(4)]
    at = 100.0
    for what, who, by, passed in steps:
        at += passed
        speaker = speakers[who]
        if what in ("packet", "jump"):
            speaker[:] = [by, by * 7] if what == "jump" else [speaker[0] + by, speaker[1] + by * 960]
            writer.forward(who + 1, speaker[0] & 0xFFFF, speaker[1] & 0xFFFFFFFF, b"opus" * 9, at, present[who])
        elif what == "fill":
            writer.fill(at)
        elif what == "tail":
            writer.end_run(3)
            writer.tail(at)
        elif what == "join":
            links.append(FakeLink())
            present[who] = links[-1]
            writer.add(links[-1])
        else:
            writer.remove(present[who])
    for link in links:
        steady(link)


@pytest.mark.parametrize("seed", [1, 2])
def test_ten_thousand_switches_are_encrypted_without_an_error(seed: int) -> None:
    """libsrtp refuses a sequence that falls back too far; the numbers go round several times here."""
    chance = random.Random(seed)
    writer = SlotWriter()
    links = joined(writer, 3)
    speakers = [[chance.randrange(0x10000), chance.randrange(1 << 32)] for _ in range(3)]
    at = 1.0
    for switch in range(10_000):
        who = chance.randrange(3)
        for _ in range(chance.randrange(1, 20)):
            at += chance.choice((0.0, 0.02, 0.02, 0.02, 1.0))
            ahead = chance.choice((1, 1, 1, 1, 2, 3, -1, -2, 30))
            speakers[who][0] = (speakers[who][0] + ahead) & 0xFFFF
            speakers[who][1] = (speakers[who][1] + 960 * ahead) & 0xFFFFFFFF
            writer.forward(switch + 1, *speakers[who], b"x" * 20, at, links[who])
        if chance.random() < 0.3:
            writer.fill(at)
    assert all(len(link.sent) > 40_000 for link in links)
    for link in links:
        steady(link)


def test_a_speaker_finds_no_gap_after_its_own_minute() -> None:
    """What went to the others meanwhile is not loss to it."""
    writer = SlotWriter()
    links = joined(writer, 2)
    for n in range(5):
        writer.forward(1, n, n * 960, b"a" * 20, n * 0.02 + 1, links[1])
    for n in range(3000):
        writer.forward(2, n, n * 960, b"b" * 20, n * 0.02 + 1.1, links[0])
    writer.forward(3, 7, 7, b"c" * 20, 61.1, links[1])
    sequences = [sequence for sequence, *_ in links[0].sent]
    assert [(sequence - sequences[0]) & 0xFFFF for sequence in sequences] == [0, 1, 2, 3, 4, 5]
    passed = difference(links[0].sent[5][1], links[0].sent[4][1], 32)
    assert passed == 3001 * 960, "60.02 seconds by the clock"


def test_two_speakers_with_the_same_numbers_are_two_runs() -> None:
    """The same SSRC, sequence and timestamp from two sources: nothing of it shows."""
    writer = SlotWriter()
    links = joined(writer, 1)
    for source in (1, 2):
        for n in range(3):
            writer.forward(source, 65_534 + n & 0xFFFF, 0xFFFFFFFF, b"x" * 20, source + n * 0.02, None)
    steady(links[0])
    assert [marker for _, _, marker, _ in links[0].sent].count(True) >= 2


def test_after_a_speaker_silence_fades_out_and_then_a_sign_of_life() -> None:
    writer = SlotWriter()
    links = joined(writer, 1)
    writer.forward(1, 1, 1, b"x" * 20, 1.0, None)
    assert writer.end_run(5) == pytest.approx(1.02)
    at = 1.0
    more = True
    while more:
        at += 0.02
        more = writer.tail(at)
    due = writer.fill(at)
    assert due == pytest.approx(at + 0.4)
    writer.fill(due)
    assert [payload for *_, payload in links[0].sent[1:]] == [SILENCE] * 4 + [DTX, DTX]
    assert writer.end_run(5) == 0.0, "nobody speaks"


def test_a_late_packet_of_a_run_reaches_only_those_who_were_in_it() -> None:
    writer = SlotWriter()
    links = joined(writer, 1)
    writer.forward(1, 10, 9600, b"a" * 20, 1.0, None)
    writer.forward(1, 12, 11_520, b"c" * 20, 1.04, None)
    links.append(FakeLink())
    writer.add(links[1])
    assert writer.forward(1, 11, 10_560, b"b" * 20, 1.05, None) == 1
    writer.forward(1, 14, 13_440, b"e" * 20, 1.08, None)
    assert writer.forward(1, 13, 12_480, b"d" * 20, 1.09, None) == 1
    assert [payload[:1] for *_, payload in links[1].sent] == [b"e"]
    for link in links:
        steady(link)


def test_a_speaker_that_had_no_slot_for_a_while_leaves_no_gap() -> None:
    """What it said meanwhile was sent to nobody: to the listeners nothing is missing, nothing is to be concealed."""
    writer = SlotWriter()
    (link,) = joined(writer, 1)
    for n in range(5):
        writer.forward(1, 100 + n, 960 * n, b"x" * 20, 1.0 + 0.02 * n, None)
    writer.end_run(1)
    for n in range(20, 25):
        writer.forward(1, 100 + n, 960 * n, b"x" * 20, 1.0 + 0.02 * n, None)
    numbers = [sequence for sequence, *_ in link.sent]
    assert [difference(number, numbers[0], 16) for number in numbers] == list(range(10))
    times = [timestamp for _, timestamp, *_ in link.sent]
    assert difference(times[5], times[0], 32) == 20 * 960, "and the time goes on as it went"


def test_silence_that_was_to_come_does_not_come_into_the_next_speech() -> None:
    writer = SlotWriter()
    (link,) = joined(writer, 1)
    writer.forward(1, 1, 1, b"x" * 20, 1.0, None)
    writer.end_run(5)
    assert writer.tail(1.02)
    writer.forward(2, 900, 5, b"y" * 20, 1.03, None)
    assert not writer.tail(1.04)
    writer.forward(2, 901, 965, b"y" * 20, 1.05, None)
    assert [payload[:1] for *_, payload in link.sent] == [b"x", SILENCE[:1], b"y", b"y"]
    steady(link)


def test_a_further_stream_begins_with_its_first_speaker_and_the_first_one_at_once() -> None:
    for slot, first in ((0, [DTX]), (1, [])):
        writer = SlotWriter(slot)
        (link,) = joined(writer, 1)
        assert writer.fill(5.0) > 5.0
        assert [payload for *_, payload in link.sent] == first
        writer.forward(1, 1, 1, b"x" * 20, 6.0, None)
        writer.fill(6.4)
        assert [payload for *_, payload in link.sent] == [*first, b"x" * 20, DTX]


def test_streams_begin_in_the_lower_half_of_their_numbers() -> None:
    """RFC 3711, 3.3.1: a receiver that misses the first packets before a wrap counts the roll-overs wrong."""
    writer = SlotWriter()
    assert all(0 < writer.add(link).sequence < 0x8000 for link in joined(SlotWriter(), 300))
