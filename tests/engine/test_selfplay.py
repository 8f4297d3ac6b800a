"""Games of bots, and games by lot: whole, repeatable, and by what each seat is shown alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine import selfplay
from engine.errors import GameError
from engine.lots import play as draw
from engine.replay import refold
from engine.rulesets import names
from engine.selfplay import Kinds, play, seated
from engine.view import view

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.bots import Bot, Move

RANDOM = Kinds("random", "random")


class Spy:
    """A bot that notes what it is shown, between the table and the bot that plays."""

    def __init__(self, bot: Bot) -> None:
        self.seat, self.bot, self.seen = bot.seat, bot, list[Any]()

    def see(self, event: Mapping[str, Any]) -> None:
        self.seen.append(event)
        self.bot.see(event)

    def act(self, now: float) -> list[Move]:
        return self.bot.act(now)


@pytest.mark.parametrize("ruleset", names())
def test_each_bot_is_shown_its_view_of_every_event_but_the_last(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spies: list[Spy] = []

    def spied(*args: Any, **kwargs: Any) -> Spy:
        spies.append(Spy(real(*args, **kwargs)))
        return spies[-1]

    real = selfplay.bot_for
    monkeypatch.setattr(selfplay, "bot_for", spied)
    played = play(5, ruleset, kinds=RANDOM)
    assert [spy.seat for spy in spies] == list(range(1, len(played.game.cards) + 1))
    for spy in spies:
        views = [seen for event in played.events if (seen := view(event, spy.seat)) is not None]
        assert spy.seen == views[: len(spy.seen)]
        assert {event["event"] for event in views[len(spy.seen) :]} >= {"over"}, "nobody has to be told that it is over"
        assert "over" not in {event["event"] for event in spy.seen}


@pytest.mark.parametrize("ruleset", names())
def test_played_games_are_over_repeatable_and_refold(ruleset: str) -> None:
    for game_of in (lambda seed: play(seed, ruleset, kinds=RANDOM), lambda seed: draw(seed, ruleset)):
        for seed in range(6):
            first, second = game_of(seed), game_of(seed)
            assert first.game.over
            assert first.events[-1].name == "over"
            assert (first.events, first.inputs) == (second.events, second.inputs)
            assert game_of(seed + 100).events != first.events
            game, events = refold(first.start, first.inputs)
            assert (game, events) == (first.game, first.events)


@pytest.mark.parametrize("ruleset", names())
def test_what_is_drawn_by_lot_is_never_refused(ruleset: str) -> None:
    seen: set[str] = set()
    for seed in range(150):
        game = draw(seed, ruleset)
        seen |= {event.name for event in game.events}
        seen |= {str(command["do"]) for _, command in game.inputs if command is not None}
    assert "refused" not in seen
    used = {"sport": {"order", "lift", "best_move", "tie"}, "quick": {"tie", "pass"}}
    house = {"check", "protect", "nominated", "pass"}
    assert seen >= {"votes", "shoot", "morning", "left", "over"} | used.get(ruleset, house)


def test_lots_keep_to_the_options() -> None:
    for options in ({"nominations": 0}, {"best_move_seats": 1}, {"skip_fouls": 1, "draw_nights": 1}):
        for seed in range(20):
            assert not [event for event in draw(seed, "sport", options).events if event.name == "refused"]
    assert len(draw(1, "party", {"seats": 7}).game.cards) == 7
    assert {event.fields["round"] for s in range(30) for event in draw(s, "quick", {"runoff": True}).events
            if event.name == "votes"} == {1, 2}  # fmt: skip


def test_each_side_may_have_its_own_kind_of_bots() -> None:
    played, bots = seated(3, kinds=Kinds(town="random", mafia="thinking"))
    mafia = played.game.state.mafia
    assert {type(bot).__name__ for bot in bots if bot.seat not in mafia} == {"ChanceBot"}
    assert "ChanceBot" not in {type(bot).__name__ for bot in bots if bot.seat in mafia}
    assert played.start.bots == tuple(range(1, 11))
    assert [event.name for event in played.events] == ["dealt"] * 10 + ["night", "phase"]


@pytest.mark.parametrize("ruleset", ["chess", "", None])
def test_an_unknown_ruleset_is_named(ruleset: Any) -> None:
    for game_of in (play, draw):
        with pytest.raises(GameError, match="expected one of sport, quick"):
            game_of(1, ruleset)


def test_a_table_of_seats_that_the_ruleset_has_not() -> None:
    with pytest.raises(GameError, match="option 'seats'"):
        play(1, "party", {"seats": 3})
