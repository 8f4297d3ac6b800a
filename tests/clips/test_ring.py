"""The memory of what was said: bounded in time and in bytes, and cut by seat and line."""

from __future__ import annotations

from voice.clips.ring import LONGEST_S, MOST_BYTES, Ring
from voice.media.packet import AcceptedPacket


def packet(arrival: float, seat: int = 1, size: int = 80) -> AcceptedPacket:
    return AcceptedPacket(seat, 1, round(arrival * 50) % 2**16, round(arrival * 48_000) % 2**32, bytes(size), arrival)


def filled(ring: Ring, seconds: int, seats: tuple[int, ...] = (1,), size: int = 80) -> None:
    for i in range(seconds * 50):
        for seat in seats:
            ring.keep(packet(i * 0.02, seat, size))


def test_a_cut_is_of_one_seat_and_its_line_with_a_margin() -> None:
    ring = Ring(60.0)
    filled(ring, 10, (1, 2))
    cut = ring.cut(2, 3.0, 5.0)
    assert {each.seat for each in cut} == {2}
    assert 2.68 < cut[0].arrival <= 2.72
    assert 5.28 <= cut[-1].arrival < 5.32
    assert ring.cut(3, 3.0, 5.0) == []


def test_it_forgets_by_time_also_where_nobody_speaks() -> None:
    ring = Ring(5.0)
    filled(ring, 20)
    assert ring.cut(1, 0.0, 14.0) == []
    assert abs(len(ring) - 5 * 50) <= 1
    ring.forget(100.0)
    assert len(ring) == 0


def test_a_client_that_sends_too_much_gets_no_more_memory() -> None:
    ring = Ring(600.0)
    filled(ring, 300, size=1500)
    assert len(ring) * 1500 <= MOST_BYTES
    assert ring.cut(1, 299.0, 299.5)


def test_a_clip_is_no_longer_than_a_clip_may_be() -> None:
    ring = Ring(600.0)
    filled(ring, 60)
    cut = ring.cut(1, 0.0, 60.0)
    assert cut[-1].arrival - cut[0].arrival <= LONGEST_S
    assert cut[-1].arrival > 59.9


def test_with_no_time_nothing_is_kept() -> None:
    ring = Ring(0.0)
    filled(ring, 1)
    assert len(ring) == 0


def test_cleared_it_has_nothing() -> None:
    ring = Ring(60.0)
    filled(ring, 2)
    ring.clear()
    assert ring.cut(1, 0.0, 2.0) == []
