"""Bots: legal in every phase, seeded, in the table's language, by what their seat is shown alone."""

from __future__ import annotations

import json
import re

import pytest

from engine import Game
from engine.bots import Bot, Move, bot_for
from engine.bots.sport import SportBot
from engine.bots.words import LANGS, LINES, REASONS
from engine.replay import refold
from engine.rulesets import ruleset
from engine.rulesets.sport.numbers import SportNumbers
from engine.selfplay import Played, play
from engine.view import view
from tests.engine.laws import check_laws

GAMES = 60


@pytest.fixture(scope="module")
def games() -> list[Played]:
    return [play(seed) for seed in range(GAMES)]


def test_no_bot_is_ever_refused(games: list[Played]) -> None:
    for game in games:
        assert [event for event in game.events if event.name == "refused"] == []
        check_laws([event.to_json() for event in game.events])
        assert game.events[-1].name == "over"


def test_both_sides_win_and_bots_use_what_there_is(games: list[Played]) -> None:
    seen = {event.name for game in games for event in game.events}
    assert seen >= {"order", "pick", "answer", "nominated", "votes", "tie", "lifted", "said", "signed", "best_move"}
    assert {game.events[-1].fields["winner"] for game in games} >= {"town", "mafia"}
    kills = [event for game in games for event in game.events if event.name == "morning" and event.fields["killed"]]
    assert len(kills) > GAMES


def test_no_bot_says_ok(games: list[Played]) -> None:
    """It would end the agreement early, and tell the table that no person plays black."""
    assert not [command for game in games for _, command in game.inputs if command and command["do"] == "ok"]


def test_the_same_seed_plays_the_same_game_and_refolds() -> None:
    first, second = play(11), play(11)
    assert first.events == second.events
    assert first.captions == second.captions
    game, events = refold(first.start, first.inputs)
    assert events == first.events
    assert game == first.game
    assert play(12).events != first.events


@pytest.mark.parametrize(
    "options", [{"best_move_seats": 1, "signs_per_speech": 0}, {"nominations": 0}, {"speech_s": 0.5}]
)
def test_bots_know_the_games_numbers(options: dict[str, object]) -> None:
    for seed in range(10):
        game = play(seed, options=options)
        assert not [event for event in game.events if event.name in ("refused", "fouled")]


@pytest.mark.parametrize("lang", LANGS)
def test_captions_are_of_the_tables_language(lang: str) -> None:
    game = play(3, lang=lang)
    assert len(game.captions) > 20
    for _, _, text in game.captions:
        assert bool(re.search("[а-яё]", text)) == (lang == "ru")
        assert "{" not in text
        assert len(text) < 120


def test_captions_say_what_was_done(games: list[Played]) -> None:
    for game in games[:10]:
        for event in game.events:
            if event.name == "nominated":
                by, target = event.fields["by"], event.fields["seat"]
                assert any(seat == by and str(target) in text for t, seat, text in game.captions if t >= event.t)


def test_every_topic_has_both_languages() -> None:
    assert set(LINES["en"]) == set(LINES["ru"])
    assert set(REASONS["en"]) == set(REASONS["ru"])
    for topic, lines in LINES["en"].items():
        for lang in LANGS:
            assert len(set(LINES[lang][topic])) >= 2
            for line in LINES[lang][topic]:
                assert ("{reason}" in line) == (topic == "suspect_because"), line
                assert not re.search(r"\{(?!seat\}|reason\})", line)
        assert {"{seat}" in line for line in lines} == {"{seat}" in line for line in LINES["ru"][topic]}, topic


def test_a_bot_has_a_choice_for_every_phase() -> None:
    assert set(SportBot.choices) | {"over"} == set(ruleset("sport").steps)


def test_moves_name_their_phase_and_come_once() -> None:
    game, events = Game.start("sport", seed=4)
    don = game.cards.index("don") + 1
    bot = fed(don, events)
    (move,) = bot.act(game.now)
    assert isinstance(move, Move)
    assert (move.phase, move.command and move.command["do"]) == (1, "order")
    assert 0 < move.at < 60
    assert bot.act(game.now) == []


def test_a_bot_that_takes_over_knows_what_its_seat_was_shown() -> None:
    """For every cut of a played game and every seat, a fresh bot fed the seat's views makes only legal moves.

    A vote may have been cast before it took over: that alone is refused.
    """
    played = play(21)
    game, events = played.start.game()
    for number, (t, command) in enumerate(played.inputs):
        events += game.advance(t) if command is None else game.command(command, t)
        if number % 7 or game.over:
            continue
        for seat in range(1, 11):
            start, inputs = played.start, played.inputs[: number + 1]
            moves = fed(seat, events).act(game.now)
            if not moves:
                continue
            branch, _ = refold(start, inputs)
            for move in moves:
                assert game.now <= move.at
                if move.command is None or branch.phase.number != move.phase:
                    continue
                refused = [event for event in branch.command(move.command, move.at) if event.name == "refused"]
                assert not refused or move.command["do"] in ("vote", "lift"), refused


def fed(seat: int, events: list[object]) -> Bot:
    bot = bot_for("sport", seat, "en", 1, SportNumbers())
    for event in events:
        seen = view(event, seat)  # type: ignore[arg-type]
        if seen is not None:
            bot.see(json.loads(json.dumps(seen)))
    return bot


def test_an_unseen_kind_of_event_does_not_trouble_a_bot() -> None:
    bot = bot_for("sport", 1, "en", 1, SportNumbers())
    bot.see({"t": 0.0, "event": "comet"})
    assert bot.act(0.0) == []
