"""Packets in their order, however they come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.speech.jitter import Arrived, JitterBuffer, timestamp_ahead


def packet(sequence: int, arrival: float = 0.0) -> Arrived:
    return Arrived(sequence % 65_536, (sequence * 960) % 2**32, b"x", arrival)


def numbers(released: list[object]) -> list[tuple[int, int]]:
    return [(item.packet.sequence, item.lost) for item in released]  # type: ignore[attr-defined]  # Released


def test_packets_in_order_pass_at_once() -> None:
    buffer = JitterBuffer()
    assert [numbers(buffer.push(packet(n))) for n in (7, 8, 9)] == [[(7, 0)], [(8, 0)], [(9, 0)]]
    assert not buffer.waiting


def test_a_late_packet_is_waited_for() -> None:
    buffer = JitterBuffer()
    buffer.push(packet(1, 0.00))
    assert buffer.push(packet(3, 0.04)) == []
    assert numbers(buffer.push(packet(2, 0.05))) == [(2, 0), (3, 0)]
    assert (buffer.counts.reordered, buffer.counts.lost) == (1, 0)


def test_a_lost_packet_is_given_up_after_the_wait() -> None:
    buffer = JitterBuffer()
    buffer.push(packet(1, 0.00))
    assert buffer.push(packet(4, 0.06)) == []
    assert buffer.poll(0.11) == []
    assert numbers(buffer.poll(0.12)) == [(4, 2)]
    assert buffer.push(packet(2, 0.13)) == [], "too late now"
    assert (buffer.counts.lost, buffer.counts.late) == (2, 1)


@pytest.mark.parametrize("ticks", [2**31 + 5, 960 * 1_000, -960 * 10_000])
def test_another_stream_whose_numbers_lie_just_behind_is_heard_at_once(ticks: int) -> None:
    buffer = JitterBuffer()
    for number in (300, 301, 302):
        buffer.push(packet(number))
    anew = [Arrived(150 + n, (302 * 960 + ticks + n * 960) % 2**32, b"x", 1.0) for n in range(3)]
    released = [item for each in anew for item in buffer.push(each)]
    assert [(item.packet.sequence, item.restart) for item in released] == [(150, True), (151, False), (152, False)]
    assert buffer.counts.late == 0


def test_a_packet_again_after_it_was_played_is_late() -> None:
    buffer = JitterBuffer()
    for number in (1, 2, 3):
        buffer.push(packet(number))
    assert [buffer.push(packet(number)) for number in (3, 1)] == [[], []]
    assert buffer.counts.late == 2


def test_the_next_packets_give_up_as_well_as_the_clock() -> None:
    buffer = JitterBuffer()
    buffer.push(packet(1, 0.00))
    buffer.push(packet(3, 0.04))
    buffer.push(packet(4, 0.06))
    assert numbers(buffer.push(packet(5, 0.10))) == [(3, 1), (4, 0), (5, 0)]


def test_duplicates_are_dropped() -> None:
    buffer = JitterBuffer()
    buffer.push(packet(1))
    assert buffer.push(packet(1)) == []
    buffer.push(packet(3))
    assert buffer.push(packet(3)) == []
    assert (buffer.counts.late, buffer.counts.duplicate) == (1, 1)


def test_sequence_numbers_wrap() -> None:
    buffer = JitterBuffer()
    released = [buffer.push(packet(n)) for n in (65_534, 65_536, 65_535, 65_537)]
    assert [n for group in released for n, _ in numbers(group)] == [65_534, 65_535, 0, 1]
    assert timestamp_ahead(2**32 - 480, 480) == 960
    assert timestamp_ahead(480, 2**32 - 480) == -960


def test_a_far_sequence_number_begins_anew() -> None:
    buffer = JitterBuffer()
    buffer.push(packet(100))
    (released,) = buffer.push(packet(40_000))
    assert released.restart
    assert released.lost == 0


@given(
    st.permutations(range(12)),
    st.lists(st.integers(0, 11), max_size=6),
    st.integers(0, 65_535),
    st.sets(st.integers(1, 10), max_size=4),
)
def test_nothing_twice_nothing_out_of_order(order: list[int], again: list[int], base: int, missing: set[int]) -> None:
    """For any order, repeats and losses: released once, rising, and lost ones are told to the packet behind them."""
    buffer = JitterBuffer()
    out = buffer.push(packet(base))
    for index, number in enumerate([*order, *again]):
        if number not in missing:
            out += buffer.push(packet(base + 1 + number, index * 0.001))
    out += buffer.flush()
    distances = [(item.packet.sequence - base) % 65_536 for item in out]
    assert distances == sorted(set(distances))
    assert len(out) == 1 + 12 - len(missing)
    assert sum(item.lost for item in out) == distances[-1] + 1 - len(out)
