"""The rule by which the leak test judges: each of its clauses."""

from __future__ import annotations

import pytest

from voice.media.client import ReceivedPacket
from voice.media.packet import AcceptedPacket

from .leak.book import Book, Ear, Way
from .leak.speech import numbered, tone_of

SPEECH = tone_of(1)[0]


def heard(serial: int, seat: int = 1, slot: int = 0) -> ReceivedPacket:
    return ReceivedPacket(1, 960, numbered(SPEECH, seat, serial), 0.0, slot)


def let_in(serial: int, seat: int = 1) -> AcceptedPacket:
    return AcceptedPacket(seat, 1, 1, 960, numbered(SPEECH, seat, serial), 0.0)


@pytest.fixture
def book() -> Book:
    """Seat 1 is open, and packet 1 was its first."""
    made = Book(tap_sees_all=False)
    made.moved({1})
    return made


def test_what_comes_while_its_seat_is_open_may_be_heard(book: Book) -> None:
    way, listener = Way(1), Ear("seat 2", book, 2).connection()
    for serial in (1, 2, 3):
        book.reached(way, serial)
    for serial in (3, 2):
        book.tap(let_in(serial))
        listener.hear(heard(serial, slot=1))
    assert book.leaks == []
    assert book.counts["heard in a further slot"] == 2


@pytest.mark.parametrize(
    "steps", ["closed", "older than what came to the closed seat", "first", "first, again", "old page"]
)
def test_what_may_not_be_heard_is_a_leak_at_a_listener_and_at_the_tap(book: Book, steps: str) -> None:
    way, listener = Way(1), Ear("seat 2", book, 2).connection()
    serial = 5
    if steps.startswith("first"):
        book.reached(way, serial)
        if steps.endswith("again"):
            book.reached(way, serial)
    elif steps == "old page":
        book.reached(way, 1)
        way.replaced = True
        book.reached(way, serial)
    else:
        book.moved(())
        book.reached(way, 5 if steps == "closed" else 6)
        book.moved({1})
        if steps != "closed":
            book.reached(way, 5)
            book.reached(way, 7)
            book.reached(way, 5)
    listener.hear(heard(serial))
    book.tap(let_in(serial))
    assert len(book.leaks) == 2


def test_what_came_in_an_earlier_opening_is_none_of_this_one(book: Book) -> None:
    way = Way(1)
    book.reached(way, 1)
    book.reached(way, 2)
    book.moved({2})
    book.tap(let_in(2))
    book.moved({1})
    book.tap(let_in(2))
    assert [leak.partition(" ")[0] for leak in book.leaks] == ["tap:", "tap:", "tap:"]
    assert "are open" in book.leaks[0]
    assert "before its opening" in book.leaks[1]
    assert "twice" in book.leaks[2]


def test_an_old_packet_that_comes_late_is_not_the_first_of_an_opening(book: Book) -> None:
    way = Way(1)
    book.moved(())
    book.reached(way, 4)
    book.moved({1})
    for serial in (3, 5, 6):
        book.reached(way, serial)
    assert set(book.fair) == {6}


def test_oneself_twice_before_one_came_and_what_is_not_ours_are_leaks(book: Book) -> None:
    way = Way(1)
    for serial in (1, 2, 3):
        book.reached(way, serial)
    ear = Ear("seat 2", book, 2)
    late = ear.connection()
    late.answered()
    late.hear(heard(2))
    assert book.leaks.pop().endswith("from before it came")
    Ear("seat 1", book, 1).connection().hear(heard(3))
    assert book.leaks.pop().endswith("hears itself")
    other = Ear("moderator", book).connection()
    other.hear(heard(3))
    other.hear(heard(3))
    assert book.leaks.pop().endswith("twice")
    other.hear(ReceivedPacket(1, 1, b"\xf8\xff\xfe", 0.0))
    assert book.leaks == []
    other.hear(ReceivedPacket(1, 1, SPEECH, 0.0))
    assert book.leaks.pop().endswith("not ours")
    book.tap(AcceptedPacket(1, 1, 1, 1, SPEECH, 0.0))
    assert book.leaks.pop().endswith("of seat 1")


def test_where_the_tap_sees_all_nobody_hears_more_than_it() -> None:
    book = Book(tap_sees_all=True)
    book.moved({1})
    way = Way(1)
    book.reached(way, 1)
    book.reached(way, 2)
    Ear("seat 2", book, 2).connection().hear(heard(2))
    assert book.leaks.pop().endswith("which the tap was not given")
