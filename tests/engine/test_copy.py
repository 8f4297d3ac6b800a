"""A copy of a game goes its own way, and shares only what never changes."""

import pytest

from engine.lots import play
from engine.rulesets import names


@pytest.mark.parametrize("ruleset", names())
def test_a_copy_goes_on_like_its_game_and_leaves_it_alone(ruleset: str) -> None:
    played = play(4, ruleset)
    game, _ = played.start.game()
    for t, command in played.inputs:
        before, other = game.copy(), game.copy()
        assert other == game
        assert other.numbers is game.numbers
        events = other.advance(t) if command is None else other.command(command, t)
        assert game == before
        assert events == (game.advance(t) if command is None else game.command(command, t))
        assert other == game
    assert game == played.game
