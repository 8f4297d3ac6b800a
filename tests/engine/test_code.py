"""A ruleset's code says exactly which rules a game ran, in few letters, and is read back."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Game, GameError
from engine.code import code_of, read_code
from engine.numbers import read
from engine.rulesets import MODULES, names, register, ruleset


@pytest.mark.parametrize("name", MODULES)
def test_a_ruleset_as_it_is_has_its_name_and_version_alone(name: str) -> None:
    assert Game.start(name)[0].code == f"{name}1"
    assert read_code(f"{name}1") == (name, {})


def test_only_what_differs_is_named_in_the_order_of_the_table() -> None:
    options = {"runoff": True, "discussion_s": 240, "shot_s": 7.5, "seats": 8, "vote_s": 60.0}
    game, _ = Game.start("quick", options)
    assert game.code == "quick1:seats=8,runoff,discussion_s=240,shot_s=7.5"
    name, read_back = read_code(game.code)
    assert Game.start(name, read_back)[0].numbers == game.numbers


def test_given_cards_count_as_seats() -> None:
    cards = ["mafia", "mafia", "town", "town", "town", "town", "town"]
    assert Game.start("quick", cards=cards)[0].code == "quick1:seats=7"


def options_of(name: str) -> st.SearchStrategy[dict[str, Any]]:
    drawn: dict[str, st.SearchStrategy[Any]] = {}
    for entry in fields(ruleset(name).numbers_type):
        held = entry.metadata["range"]
        if held is None:
            drawn[entry.name] = st.booleans()
        elif held.whole:
            drawn[entry.name] = st.integers(int(held.low), int(held.high))
        else:
            drawn[entry.name] = st.floats(held.low, held.high) | st.integers(int(held.low), int(held.high))
    return st.fixed_dictionaries({}, optional=drawn)


@given(st.data(), st.sampled_from(sorted(MODULES)))
def test_every_code_is_read_back_and_equal_rules_have_equal_codes(data: st.DataObject, name: str) -> None:
    numbers = read(ruleset(name).numbers_type, data.draw(options_of(name)))
    code = code_of(name, numbers)
    again, options = read_code(code)
    assert (again, read(ruleset(name).numbers_type, options)) == (name, numbers)
    assert code_of(again, read(ruleset(name).numbers_type, options)) == code
    assert code.isascii()
    assert " " not in code


def test_a_code_written_by_hand_gives_the_canonical_one() -> None:
    for written, canonical in (
        ("sport1:speech_s=60", "sport1"),
        ("quick1:shot_s=7.50,runoff,seats=8", "quick1:seats=8,runoff,shot_s=7.5"),
        ("quick1:runoff=no", "quick1"),
    ):
        name, options = read_code(written)
        assert Game.start(name, options)[0].code == canonical


def test_another_version_is_another_code_and_the_old_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = Game.start("quick", {"seats": 8})
    old = game.code
    monkeypatch.setattr("engine.rulesets.quick.rules.Quick.version", 2)
    assert Game.start("quick", {"seats": 8})[0].code == "quick2:seats=8" != old
    expected = "^code 'quick1:seats=8' is of version 1 of 'quick', and this engine has version 2: .* stored events$"
    with pytest.raises(GameError, match=expected):
        read_code(old)


@pytest.mark.parametrize(
    "code",
    [
        "", "sport", "1", "sport1:", "sport2", "sport0", "chess1", "sport1:speech_s", "sport1:speech_s=", "sport1:x=1",
        "sport1:speech_s=45,speech_s=45", "sport1:speech_s=nan", "sport1:speech_s=-1", "quick1:runoff=1", "quick1:,",
        "sport1\n", "sport1:seats=9", "sport1:speech_s=1e999", "sport٣",
    ],
)  # fmt: skip
def test_what_is_no_code_is_refused_in_one_line(code: str) -> None:
    with pytest.raises(GameError) as caught:
        read_code(code)
    assert "\n" not in str(caught.value)


def test_a_ruleset_from_outside_is_made_known_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.rulesets.MODULES", dict(MODULES))
    register("quick_again", "engine.rulesets.quick.rules")
    register("quick_again", "engine.rulesets.quick.rules")
    assert names()[-1] == "quick_again"
    assert Game.start("quick_again", seed=3)[1] == Game.start("quick", seed=3)[1]
    for name in ("sport", "Loud", "two words", "", "_x", "x1"):
        with pytest.raises(GameError):
            register(name, "engine.rulesets.quick.rules_of_mine")
