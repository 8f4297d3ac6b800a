"""A game whose options let no time pass is refused at its start: it would never come back from `advance`."""

import dataclasses

import pytest

from engine import Game, GameError
from engine.pace import IDLE_PHASES, LEAST_S
from engine.rulesets import names, ruleset
from engine.scenario import check


def lengths(name: str, seconds: float) -> dict[str, object]:
    """Every length of the ruleset's table at `seconds`."""
    table = ruleset(name).numbers_type
    return {entry.name: seconds for entry in dataclasses.fields(table) if entry.name.endswith("_s")}


@pytest.mark.parametrize("name", ["teaching", "party"])
@pytest.mark.parametrize("seconds", [0, 1e-10, 0.01])
def test_a_game_that_would_turn_over_without_time_is_refused(name: str, seconds: float) -> None:
    with pytest.raises(GameError, match="hardly let time pass"):
        Game.start(name, lengths(name, seconds))


@pytest.mark.parametrize("name", ["sport", "quick"])
def test_a_game_that_ends_by_itself_may_end_at_once(name: str) -> None:
    game, _ = Game.start(name, lengths(name, 0))
    assert game.advance(0)[-1].fields["winner"] == "draw"


@pytest.mark.parametrize("name", ["teaching", "party"])
def test_a_defence_that_nobody_comes_to_does_not_help(name: str) -> None:
    with pytest.raises(GameError, match="not 0 s"):
        Game.start(name, {**lengths(name, 0), "defence_s": 60, "vote_s": 60})


@pytest.mark.parametrize("name", names())
def test_every_length_may_be_nought_by_itself_and_all_may_be_short(name: str) -> None:
    for option in lengths(name, 0):
        Game.start(name, {option: 0})
    Game.start(name, lengths(name, LEAST_S / IDLE_PHASES))


@pytest.mark.parametrize("name", names())
def test_the_look_ahead_leaves_the_game_as_it_is(name: str) -> None:
    options = {"away_s": 0}
    game, events = Game.start(name, options, seed=7)
    other, same = Game.start(name, {"away_s": 1}, seed=7)
    assert [event.to_json() for event in events] == [event.to_json() for event in same]
    assert game.state.stream == other.state.stream
    assert game.now == 0


def test_a_scenario_of_such_a_game_is_not_valid() -> None:
    with pytest.raises(GameError, match="hardly let time pass"):
        check({"ruleset": "party", "options": lengths("party", 0), "steps": [{"until": "vote"}]})
