"""Games of lots are legal whatever the lengths of their phases."""

import dataclasses

import pytest

from engine.lots import play
from engine.rulesets import names, ruleset


@pytest.mark.parametrize("name", names())
def test_nothing_is_refused_where_one_length_is_nought(name: str) -> None:
    lengths = [entry.name for entry in dataclasses.fields(ruleset(name).numbers_type) if entry.name.endswith("_s")]
    for option in lengths:
        for seed in range(3):
            played = play(seed, name, {option: 0})
            assert played.game.over
            assert not [event for event in played.events if event.name == "refused"], option
