"""The rulesets' own tables against the contract's, entry by entry."""

from __future__ import annotations

import pytest

from engine import Game, GameError
from engine.numbers import listed
from engine.rulesets import ruleset
from tests.engine.facts import FACTS, RULESETS, SPEECHES


@pytest.mark.parametrize("name", RULESETS)
def test_phases_speeches_and_what_a_ruleset_is(name: str) -> None:
    rules, facts = ruleset(name), FACTS[name]
    assert rules.name == name
    assert set(rules.steps) == {*facts.phases, "over"}
    assert {phase for phase, step in rules.steps.items() if step.speech} == SPEECHES & set(facts.phases)
    assert rules.mafia_cards == facts.mafia
    assert (rules.reveals, rules.stoppable) == (facts.reveals, facts.stoppable)


@pytest.mark.parametrize("name", RULESETS)
def test_numbers_by_default(name: str) -> None:
    facts, numbers = FACTS[name], listed(Game.start(name)[0].numbers)
    for phase in facts.phases:
        assert numbers[f"{phase}_s"] == facts.phases[phase].seconds
    for number, value in facts.numbers.items():
        assert numbers[number] == value
    assert numbers["seats"] == facts.seats[-1]


@pytest.mark.parametrize("name", RULESETS)
def test_decks_of_every_number_of_seats(name: str) -> None:
    facts = FACTS[name]
    for seats in facts.seats:
        game, _ = Game.start(name, {"seats": seats})
        assert sorted(game.cards) == sorted(facts.deck(seats))
        assert Game.start(name, cards=facts.deck(seats))[0].cards == tuple(facts.deck(seats))
    with pytest.raises(GameError, match=f"'{name}' is not played by so many"):
        Game.start(name, cards=["town"] * (facts.seats[-1] + 1))
