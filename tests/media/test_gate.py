"""The gate, and how one connection's packets meet it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from voice.media.gate import Gate, Intake


def test_it_is_closed_by_default() -> None:
    gate = Gate()
    assert gate.open == frozenset()
    assert gate.epoch == 0
    assert Intake(gate, 3).refuses(1) == "closed"


def test_each_change_is_an_epoch_and_each_opening_is_named_by_its_own() -> None:
    gate = Gate()
    assert gate.set([3])
    assert not gate.set([3, 3])
    assert (gate.epoch, gate.opened) == (1, {3: 1})
    assert gate.set([3, 4])
    assert gate.opened == {3: 1, 4: 2}
    assert gate.set([4])
    assert gate.set([3, 4])
    assert gate.opened == {4: 2, 3: 4}


def test_the_first_packet_of_an_opening_is_not_used() -> None:
    gate = Gate()
    intake = Intake(gate, 3)
    gate.set([3])
    assert [intake.refuses(n) for n in (10, 11, 12)] == ["first", None, None]
    gate.set([])
    gate.set([3])
    assert [intake.refuses(n) for n in (13, 14)] == ["first", None]


def test_a_packet_sent_before_the_opening_is_dropped_however_late_it_comes() -> None:
    gate = Gate()
    intake = Intake(gate, 3)
    for sequence in (100, 105):
        assert intake.refuses(sequence) == "closed"
    gate.set([3])
    assert intake.refuses(106) == "first"
    assert [intake.refuses(n) for n in (101, 104, 106, 107, 103)] == [
        "before_opening",
        "before_opening",
        "before_opening",
        None,
        "before_opening",
    ]


def test_a_late_packet_is_not_taken_for_the_first_of_an_opening() -> None:
    """The first that was sent in it has the 20 ms before it (FEC), however many older ones come before it."""
    gate = Gate()
    intake = Intake(gate, 3)
    for sequence in (100, 105):
        assert intake.refuses(sequence) == "closed"
    gate.set([3])
    assert [intake.refuses(n) for n in (103, 105, 104)] == ["before_opening"] * 3
    assert [intake.refuses(n) for n in (106, 107)] == ["first", None]
    gate.set([])
    gate.set([3])
    assert [intake.refuses(n) for n in (107, 101, 109, 108, 110)] == [
        "before_opening",
        "before_opening",
        "first",
        "before_opening",
        None,
    ]


def test_reordering_inside_the_minute_is_allowed() -> None:
    gate = Gate()
    intake = Intake(gate, 3)
    gate.set([3])
    assert [intake.refuses(n) for n in (0xFFFE, 1, 0xFFFF, 0, 2)] == ["first", None, None, None, None]


def test_a_minute_of_more_packets_than_sequence_numbers_goes_on() -> None:
    gate = Gate()
    intake = Intake(gate, 1)
    gate.set([1])
    answers = [intake.refuses(n & 0xFFFF) for n in range(200_000)]
    assert answers[0] == "first"
    assert set(answers[1:]) == {None}


@given(
    st.integers(0, 0xFFFF),
    st.lists(st.tuples(st.sampled_from(["open", "close", "packet", "late"]), st.integers(1, 200)), max_size=200),
)
def test_nothing_sent_before_an_opening_is_ever_admitted(start: int, steps: list[tuple[str, int]]) -> None:
    """The sender's own order is the judge: an admitted packet was sent after all that came before the opening."""
    gate = Gate()
    intake = Intake(gate, 5)
    top = start
    floor = start - 1
    is_open, seen = False, False
    for what, amount in steps:
        if what == "open":
            if not is_open:
                floor = top if seen else start - 1
            is_open = True
            gate.set([5])
        elif what == "close":
            is_open = False
            gate.set([])
        else:
            number = top + amount if what == "packet" else max(start, top - amount)
            top, seen = max(top, number), True
            if intake.refuses(number & 0xFFFF) is None:
                assert is_open
                assert number > floor


def test_an_open_seat_that_is_held_is_refused_until_it_is_released() -> None:
    gate = Gate()
    intake, other = Intake(gate, 3), Intake(gate, 4)
    gate.hold(3)
    gate.set([3, 4])
    assert gate.open == {3, 4}
    assert [intake.refuses(n) for n in (10, 14)] == ["closed", "closed"]
    assert [other.refuses(n) for n in (10, 11)] == ["first", None]
    gate.release(3)
    assert [intake.refuses(n) for n in (15, 13, 16)] == ["first", "before_opening", None]
    gate.release(3)
    assert intake.refuses(17) is None


def test_a_seat_that_was_closed_while_it_was_held_is_not_opened_by_its_release() -> None:
    gate = Gate()
    intake = Intake(gate, 3)
    gate.hold(3)
    gate.set([3])
    gate.set([4])
    gate.release(3)
    assert intake.refuses(10) == "closed"
    gate.set([3])
    assert [intake.refuses(n) for n in (11, 12)] == ["first", None]
