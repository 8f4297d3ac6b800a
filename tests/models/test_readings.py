"""What else an utterance may have been."""

from __future__ import annotations

import math

import pytest

from models.readings import others


def test_readings_that_differ_in_marks_alone_are_one_and_their_shares_add_up() -> None:
    found = others(
        [
            ("You try any freak.", math.log(0.4)),
            ("Your friend.", math.log(0.1)),
            ("you try any freak!", math.log(0.1)),
            ("You tranny freak.", math.log(0.3)),
            ("You tranny freak", math.log(0.1)),
        ]
    )

    assert found is not None
    assert [reading.text for reading in found] == ["You tranny freak.", "Your friend."]
    assert [reading.share for reading in found] == pytest.approx([0.4, 0.1])


def test_shares_of_readings_that_are_all_unlikely_are_as_good() -> None:
    found = others([("a b", -2000.0), ("a c", -2000.0)])

    assert found is not None
    assert [reading.share for reading in found] == pytest.approx([0.5])


def test_a_search_that_agrees_with_itself_has_no_other_reading_and_one_of_a_single_way_does_not_tell() -> None:
    assert others([("Thank you.", -3.0), ("thank you", -3.1)]) == ()
    assert others([("Пошёл, пошёл.", -3.0), ("Пошел, пошел", -3.1)]) == ()
    assert others([("Thank you.", -3.0), ("", -3.0)]) == ()
    assert others([("Thank you.", -3.0)]) is None
    assert others([]) is None
