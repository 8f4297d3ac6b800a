"""Placeholders: numbers and the words beside them, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rulebook.fill import fill, number, placeholders

EN = "{n|second|seconds}"
RU = "{n|секунда|секунды|секунд}"


@pytest.mark.parametrize(
    ("value", "en", "ru"),
    [
        (0, "0 seconds", "0 секунд"),
        (1, "1 second", "1 секунда"),
        (1.0, "1 second", "1 секунда"),
        (2, "2 seconds", "2 секунды"),
        (4, "4 seconds", "4 секунды"),
        (5, "5 seconds", "5 секунд"),
        (11, "11 seconds", "11 секунд"),
        (12, "12 seconds", "12 секунд"),
        (14, "14 seconds", "14 секунд"),
        (21, "21 seconds", "21 секунда"),
        (22, "22 seconds", "22 секунды"),
        (25, "25 seconds", "25 секунд"),
        (100, "100 seconds", "100 секунд"),
        (101, "101 seconds", "101 секунда"),
        (111, "111 seconds", "111 секунд"),
        (112, "112 seconds", "112 секунд"),
        (1.5, "1.5 seconds", "1,5 секунды"),
        (0.001, "0.001 seconds", "0,001 секунды"),
        (1_000_000.0, "1000000 seconds", "1000000 секунд"),
        (-1, "−1 second", "−1 секунда"),
        (-3, "−3 seconds", "−3 секунды"),
    ],
)
def test_forms_of_the_word(value: float, en: str, ru: str) -> None:
    assert fill(EN, {"n": value}, "en") == en
    assert fill(RU, {"n": value}, "ru") == ru


def test_a_fraction_may_have_a_form_of_its_own() -> None:
    assert fill("{n|фразы|фраз|фраз|фразы}", {"n": 2.5}, "ru") == "2,5 фразы"


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.7, "+0.7"), (0, "0"), (-0.8, "−0.8"), (1e-7, "+0.0000001"), (1e21, "+1000000000000000000000")],
)
def test_signs(value: float, said: str) -> None:
    assert fill("{n:+}", {"n": value}, "en") == said
    assert fill("{n:+}", {"n": value}, "ru") == said.replace(".", ",")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (22, "22nd"),
        (111, "111th"),
    ],
)
def test_ordinals(value: int, said: str) -> None:
    assert fill("{n:th}", {"n": value}, "en") == said
    assert fill("{n:-го}", {"n": value}, "ru") == f"{value}-го"


def test_the_text_around_stays() -> None:
    assert fill("of {a} and {b:+}, {a|one|more}.", {"a": 1, "b": 2}, "en") == "of 1 and +2, 1 one."
    assert placeholders("of {a} and {b:+}, {c|one|more}.") == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("text", "lang", "raises"),
    [
        ("{m}", "en", KeyError),
        ("{n", "en", ValueError),
        ("n}", "en", ValueError),
        ("{}", "en", ValueError),
        ("{n!r}", "en", ValueError),
        ("{n:.2f}", "en", ValueError),
        ("{n|second}", "en", ValueError),
        ("{n|a|b|c}", "en", ValueError),
        ("{n|секунда|секунды}", "ru", ValueError),
    ],
)
def test_what_is_no_placeholder(text: str, lang: str, raises: type[Exception]) -> None:
    with pytest.raises(raises):
        fill(text, {"n": 2}, "ru" if lang == "ru" else "en")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back(value: float) -> None:
    said = number(value, "en")
    assert "e" not in said.lower()
    assert float(said.replace("−", "-")) == value
    assert number(value, "ru") == said.replace(".", ",")
