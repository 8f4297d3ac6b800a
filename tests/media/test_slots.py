"""The laws of the slots, on a virtual clock: packets every 20 ms, people who talk in words and fall silent."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voice.media.slot import (
    FREE_S,
    KEEP_S,
    LOUDER_DB,
    LOUDER_S,
    PAUSE_S,
    SPEECH,
    WITHIN_S,
    WORD_GAP_S,
    WORD_S,
    Slots,
    loudness,
)

STEP_S = 0.02
QUIET = 10.0
WORD = (15, 8)
"""Packets of a word, and of the gap after it."""


@dataclass
class Talk:
    """Slots under a clock of packets. Each seat says what `says` has for it: a loudness, or None for no packet."""

    slots: Slots
    now: float = 100.0
    changes: list[tuple[float, tuple[int | None, ...]]] = field(default_factory=list)

    def step(self, said: dict[int, float | None]) -> dict[int, int | None]:
        """One round of packets; who was heard where."""
        self.now += STEP_S
        heard: dict[int, int | None] = {}
        for seat, loud in said.items():
            if loud is not None:
                before = self.slots.seats
                heard[seat] = self.slots.take(seat, loud, self.now)
                if self.slots.seats != before:
                    self.changes.append((self.now, self.slots.seats))
                self.check()
        return heard

    def run(self, seconds: float, **voices: float) -> None:
        """Everybody talks on without a gap: `seat_3=90.0`."""
        for _ in range(round(seconds / STEP_S)):
            self.step({int(name.removeprefix("seat_")): loud for name, loud in voices.items()})

    def check(self) -> None:
        taken = [seat for seat in self.slots.seats if seat is not None]
        assert len(taken) == len(set(taken)), "one slot a seat"


def full(count: int = 3, loud: float = 90.0) -> Talk:
    """As many seats talk as there are slots, from 1 on, longer than a slot is kept."""
    talk = Talk(Slots(count))
    talk.run(KEEP_S + 0.1, **{f"seat_{seat}": loud for seat in range(1, count + 1)})
    assert talk.slots.seats == tuple(range(1, count + 1))
    return talk


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.integers(1, 6), st.sampled_from((0.0, QUIET, SPEECH, 80.0, 95.0, 120.0))),
        st.tuples(st.just("hush"), st.integers(1, 6), st.just(0.0)),
        st.tuples(st.just("open"), st.integers(0, 63), st.just(0.0)),
        st.tuples(st.just("rest"), st.just(0), st.just(0.0)),
        st.tuples(st.just("pass"), st.integers(1, 120), st.just(0.0)),
    ),
    max_size=60,
)


@given(st.integers(1, 5), STEPS)
@settings(max_examples=300, deadline=None)
def test_a_seat_has_one_slot_and_a_closed_seat_none(count: int, steps: list[tuple[str, int, float]]) -> None:
    """Whatever is said, opened and closed: also kept for its time, taken by who talks, and each change counted."""
    talk = Talk(Slots(count))
    slots = talk.slots
    saying: dict[int, float] = {}
    opened = frozenset(range(1, 7))
    given_at: dict[int, float] = {}
    heard_at: dict[int, float] = {}
    for what, number, loud in steps:
        before, counted = slots.seats, slots.changes
        if what == "say":
            saying[number] = loud
        elif what == "hush":
            saying.pop(number, None)
        elif what == "open":
            opened = frozenset(seat for seat in range(1, 7) if number >> seat - 1 & 1)
            slots.keep(opened)
            assert set(slots.seats) - {None} <= opened
            assert {seat for seat in before if seat in opened} == set(slots.seats) - {None} or len(opened) == 1
        elif what == "rest":
            slots.rest(talk.now)
        else:
            for _ in range(number):
                talk.now += STEP_S
                for seat in sorted(saying.keys() & opened):
                    held = slots.seats
                    if len(opened) == 1:
                        assert slots.alone(seat, talk.now) == 0
                        assert set(slots.seats) <= {seat, None}
                    else:
                        slot = slots.take(seat, saying[seat], talk.now)
                        assert slot is None or slots.seats[slot] == seat
                        if saying[seat] >= SPEECH:
                            heard_at[seat] = talk.now
                        if slots.seats != held and slot is not None:
                            assert saying[seat] >= SPEECH, "silence takes nothing"
                            loser = held[slot]
                            if loser is not None:
                                assert talk.now - given_at[slot] >= KEEP_S - 1e-6
                    talk.check()
                    assert set(slots.seats) - {None} <= opened
                    given_at |= {
                        n: talk.now for n, pair in enumerate(zip(held, slots.seats, strict=True)) if len({*pair}) > 1
                    }
        assert (slots.changes > counted) or slots.seats == before


def test_who_begins_to_talk_is_heard_from_the_first_packet() -> None:
    talk = Talk(Slots(3))
    assert talk.step({4: QUIET, 7: 80.0, 2: SPEECH, 9: 100.0}) == {4: None, 7: 0, 2: 1, 9: 2}


def test_a_seat_comes_back_to_its_own_slot() -> None:
    talk = full()
    assert talk.slots.rest(talk.now + FREE_S) == [0, 1, 2]
    talk.now += FREE_S
    assert talk.step({3: 90.0}) == {3: 2}


def test_a_silent_holder_gives_way_at_once() -> None:
    talk = full()
    talk.run(PAUSE_S, seat_1=90.0, seat_2=90.0, seat_3=QUIET)
    assert talk.step({1: 90.0, 2: 90.0, 4: SPEECH}) == {1: 0, 2: 1, 4: 2}
    assert talk.step({3: 90.0}) == {3: None}


def test_a_slot_is_kept_for_a_second_even_by_a_cough() -> None:
    talk = Talk(Slots(1))
    talk.step({1: 100.0})
    talk.run(KEEP_S - 2 * STEP_S, seat_2=110.0)
    assert talk.slots.seats == (1,)
    talk.run(4 * STEP_S, seat_2=110.0)
    assert talk.slots.seats == (2,)


def test_as_loud_as_the_holders_is_not_louder() -> None:
    talk = full()
    talk.run(20.0, seat_1=90.0, seat_2=90.0, seat_3=90.0, seat_4=90.0 + LOUDER_DB - 1.0)
    assert talk.slots.seats == (1, 2, 3)
    assert len(talk.changes) == 3


def test_a_shout_that_is_short_takes_no_slot() -> None:
    talk = full()
    for _ in range(10):
        talk.run(LOUDER_S - STEP_S, seat_1=90.0, seat_2=90.0, seat_3=90.0, seat_4=120.0)
        talk.run(PAUSE_S + STEP_S, seat_1=90.0, seat_2=90.0, seat_3=90.0)
    assert talk.slots.seats == (1, 2, 3)


@given(
    st.integers(1, 4),
    st.lists(st.floats(75.0, 95.0), min_size=4, max_size=4),
    st.floats(0.5, 20.0),
    st.integers(0, 30),
    st.booleans(),
)
@settings(max_examples=100, deadline=None)
def test_a_louder_newcomer_gets_in_within_the_bound(
    count: int, holders: list[float], louder: float, later: int, words: bool
) -> None:
    """Whether the holders talk in words or never stop: and it is the quietest that it replaces."""
    talk = Talk(Slots(count))
    now = 0

    def round_of(newcomer: float | None) -> None:
        nonlocal now
        said: dict[int, float | None] = {}
        for seat in range(1, count + 1):
            speaks = not words or (now + 5 * seat) % sum(WORD) < WORD[0]
            said[seat] = holders[seat - 1] if speaks else QUIET
        talk.step({**said, 9: newcomer})
        now += 1

    for _ in range(round(KEEP_S / STEP_S) + 25 + later):
        round_of(None)
    assert set(talk.slots.seats) == set(range(1, count + 1))
    begun = talk.now
    while 9 not in talk.slots.seats:
        round_of(max(holders[:count]) + LOUDER_DB + louder)
        assert talk.now - begun <= WITHIN_S
    assert talk.now - begun >= LOUDER_S - 1e-6
    out = set(range(1, count + 1)) - set(talk.slots.seats)
    assert len(out) == 1
    if not words:
        assert holders[out.pop() - 1] <= min(holders[:count]) + 0.1


def test_nobody_is_cut_within_a_word() -> None:
    """A holder loses the slot in the gap after its word, not before, however loud the other is."""
    talk = full(1)
    length, gap = 60, round(WORD_GAP_S / STEP_S) + 1
    for _ in range(gap + 3):  # the word begins after it
        talk.step({1: QUIET})
    for n in range(length + gap):
        word = n < length
        talk.step({1: 80.0 if word else QUIET, 2: 120.0})
        if word:
            assert talk.slots.seats == (1,), f"after {n} packets of a word"
    assert length * STEP_S > LOUDER_S
    assert length * STEP_S < WORD_S
    assert talk.slots.seats == (2,)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(2, 80)), min_size=1, max_size=120), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_it_does_not_flap(turns: list[tuple[int, int]], count: int) -> None:
    """However loudness jumps between the talkers, no slot changes hands twice within a second."""
    talk = Talk(Slots(count))
    for loudest, packets in turns:
        for _ in range(packets):
            talk.step({seat: 120.0 if seat == loudest else 80.0 for seat in range(6)})
    for slot in range(count):
        times = []
        before: int | None = None
        for at, seats in talk.changes:
            if seats[slot] != before:
                times.append(at)
                before = seats[slot]
        assert all(later - earlier >= KEEP_S - 1e-6 for earlier, later in pairwise(times))


def test_the_only_open_seat_is_in_slot_0() -> None:
    """The floor is held: the others' slots are free at once, and the speaker goes on in slot 0 with its next packet."""
    talk = full()
    assert talk.slots.keep(frozenset({3})) == [0, 1, 2]
    assert set(talk.slots.seats) == {None}
    assert talk.slots.alone(3, talk.now) == 0
    assert list(talk.slots.seats) == [3, None, None]
    assert talk.slots.keep(frozenset({1, 2, 3})) == []
    assert talk.step({1: 90.0, 2: 90.0, 3: 90.0}) == {1: 1, 2: 2, 3: 0}


def test_one_who_had_the_floor_is_not_cut_for_having_had_it() -> None:
    talk = Talk(Slots(1))
    for _ in range(200):
        talk.now += STEP_S
        talk.slots.alone(1, talk.now)
    talk.slots.keep(frozenset({1, 2}))
    talk.run(WORD_S - STEP_S, seat_1=80.0, seat_2=84.0)
    assert talk.slots.seats == (1,)


@pytest.mark.parametrize(
    ("level", "size", "speech"),
    [
        (30, 60, True),
        (55, 60, True),
        (56, 60, False),
        (127, 90, False),
        (0, 3, False),
        (None, 60, True),
        (None, 10, False),
    ],
)
def test_what_is_speech(level: int | None, size: int, speech: bool) -> None:
    """By the level where there is one; a frame of silence is none, whatever its client says of it."""
    assert (loudness(level, size) >= SPEECH) is speech


def test_more_bytes_are_louder() -> None:
    assert loudness(None, 20) < loudness(None, 60) < loudness(None, 140) <= loudness(0, 60)
