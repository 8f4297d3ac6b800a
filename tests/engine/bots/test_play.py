"""Bots of every ruleset: legal in every phase, seeded, in the table's language, and able to take over at any time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from engine.bots import Bot, Move, bot_for
from engine.bots.chance import _CHOICES as CHANCE_CHOICES
from engine.bots.party import PartyBot
from engine.bots.quick import QuickBot
from engine.bots.sport import SportBot
from engine.bots.teaching import TeachingBot
from engine.errors import GameError
from engine.game import Game
from engine.replay import refold
from engine.rulesets import names, ruleset
from engine.selfplay import Kinds, Played, play
from engine.view import view
from tests.engine.laws import check_laws

if TYPE_CHECKING:
    from engine.numbers import Numbers

KINDS = [
    Kinds("thinking", "thinking"),
    Kinds("thinking", "random"),
    Kinds("random", "thinking"),
    Kinds("random", "random"),
]


@dataclass(frozen=True)
class Setup:
    ruleset: str
    options: dict[str, object] = field(default_factory=dict)
    games: int = 20

    def __str__(self) -> str:
        return "_".join([self.ruleset, *(f"{name}_{value}" for name, value in self.options.items())])


SETUPS = [
    Setup("sport", games=24),
    Setup("quick"),
    Setup("quick", {"seats": 7, "runoff": True}),
    Setup("teaching"),
    Setup("party", {"seats": 7}),
    Setup("party", {"seats": 9}),
    Setup("party", games=6),
]
BOTS = {"sport": SportBot, "quick": QuickBot, "teaching": TeachingBot, "party": PartyBot}
setups = pytest.mark.parametrize("setup", SETUPS, ids=str)


def refusals(game: Played) -> list[Any]:
    return [event for event in game.events if event.name == "refused"]


@setups
@pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: f"{kinds.town}_town_{kinds.mafia}_mafia")
def test_no_bot_is_ever_refused(setup: Setup, kinds: Kinds) -> None:
    for seed in range(setup.games):
        game = play(seed, setup.ruleset, setup.options, kinds=kinds)
        assert refusals(game) == []
        stored = [event.to_json() for event in game.events]
        check_laws(stored, setup.ruleset, setup.options, game.start.bots)
        assert game.events[-1].name == "over"
        done = {command["do"] for _, command in game.inputs if command}
        # "ok" would tell that no person plays black; to stop a game is for people; nobody interrupts a bot.
        assert done.isdisjoint({"ok", "stop", "floor", "report"})


def test_bots_of_sport_use_what_there_is() -> None:
    games = [play(seed) for seed in range(40)]
    seen = {event.name for game in games for event in game.events}
    assert seen >= {"order", "pick", "answer", "nominated", "votes", "tie", "lifted", "said", "signed", "best_move"}
    assert {game.events[-1].fields["winner"] for game in games} >= {"town", "mafia"}
    claimants = [(game, event.fields["seat"]) for game in games for event in game.events if event.name == "said"]
    cards = {game.game.cards[seat - 1] for game, seat in claimants}
    assert "sheriff" in cards
    assert cards & {"don", "mafia"}, "black seats bluff"


@setups
def test_the_same_seed_plays_the_same_game_and_refolds(setup: Setup) -> None:
    first, second = (play(11, setup.ruleset, setup.options) for _ in range(2))
    assert first.events == second.events
    assert first.captions == second.captions
    game, events = refold(first.start, first.inputs)
    assert events == first.events
    assert game == first.game
    assert play(12, setup.ruleset, setup.options).events != first.events


PRINTS = """
from engine.selfplay import play
for ruleset in ("sport", "quick", "teaching", "party"):
    game = play(5, ruleset, {"seats": 9} if ruleset == "party" else {}, "ru")
    for event in game.events:
        print(event.to_json())
    for caption in game.captions:
        print(ascii(caption))
"""


def test_games_repeat_byte_for_byte_whatever_the_hash_seed() -> None:
    outputs = set()
    for hash_seed in ("0", "1", "31337"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", PRINTS], env=environment, capture_output=True, check=True, timeout=60
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1
    assert len(outputs.pop()) > 10_000


@pytest.mark.parametrize(
    "options",
    [
        {"best_move_seats": 1, "signs_per_speech": 0},
        {"signs_per_sentence": 2, "nominations": 3},
        {"nominations": 0},
        {"speech_s": 0.5},
        {"vote_s": 0.0},
    ],
)
def test_bots_know_the_games_numbers(options: dict[str, object]) -> None:
    for seed in range(10):
        game = play(seed, options=options)
        assert not [event for event in game.events if event.name in ("refused", "fouled")]


def test_every_ruleset_has_bots_of_both_kinds_with_a_choice_for_every_phase() -> None:
    assert set(names()) >= set(BOTS)
    for name, bot in BOTS.items():
        steps = set(ruleset(name).steps)
        assert set(bot.choices) | {"over"} == steps
        assert steps - set(CHANCE_CHOICES) <= {"over", "discussion", "recognition"}
        assert ruleset(name).permits is not None


def test_unknown_rulesets_and_kinds_are_refused() -> None:
    numbers = Game.start("sport")[0].numbers
    with pytest.raises(GameError, match="no bots for ruleset 'whist'"):
        bot_for("whist", 1, "en", 1, numbers)
    with pytest.raises(GameError, match="unknown ruleset 'whist'"):
        bot_for("whist", 1, "en", 1, numbers, "random")
    with pytest.raises(GameError, match="expected thinking or random"):
        bot_for("sport", 1, "en", 1, numbers, "sleeping")  # type: ignore[arg-type]


def fed(setup: Setup, seat: int, events: list[Any], numbers: Numbers, kind: str = "thinking") -> Bot:
    bot = bot_for(setup.ruleset, seat, "en", 1, numbers, kind)  # type: ignore[arg-type]
    for event in events:
        seen = view(event, seat)
        if seen is not None:
            bot.see(json.loads(json.dumps(seen)))
    return bot


@setups
@pytest.mark.parametrize("kind", ["thinking", "random"])
def test_a_bot_that_takes_over_knows_what_its_seat_was_shown(setup: Setup, kind: str) -> None:
    """For many cuts of a played game and every seat, a fresh bot fed the seat's views makes only legal moves.

    A vote, a pass in one, or a lift may have been answered before it took over: that alone is refused.
    """
    played = play(21, setup.ruleset, setup.options)
    game, events = played.start.game()
    cuts = 0
    for number, (t, command) in enumerate(played.inputs):
        events += game.advance(t) if command is None else game.command(command, t)
        if number % 5 or game.over:
            continue
        cuts += 1
        for seat in range(1, len(game.cards) + 1):
            moves = fed(setup, seat, events, game.numbers, kind).act(game.now)
            branch = None
            for move in moves:
                assert game.now <= move.at
                if move.command is None:
                    continue
                branch = branch or refold(played.start, played.inputs[: number + 1])[0]
                if branch.phase.number != move.phase:
                    continue
                answered = branch.phase.name in ("vote", "lift")
                refused = [event for event in branch.command(move.command, move.at) if event.name == "refused"]
                assert not refused or answered, refused
    assert cuts > 5


def test_moves_name_their_phase_and_come_once() -> None:
    game, events = Game.start("sport", seed=4)
    don = game.cards.index("don") + 1
    bot = fed(Setup("sport"), don, events, game.numbers)
    (move,) = bot.act(game.now)
    assert isinstance(move, Move)
    assert (move.phase, move.command and move.command["do"]) == (1, "order")
    assert 0 < move.at < 60
    assert bot.act(game.now) == []


@setups
@pytest.mark.parametrize("kind", ["thinking", "random"])
def test_an_unseen_kind_of_event_does_not_trouble_a_bot(setup: Setup, kind: str) -> None:
    bot = fed(setup, 1, [], Game.start(setup.ruleset, setup.options)[0].numbers, kind)
    bot.see({"t": 0.0, "event": "comet"})
    assert bot.act(0.0) == []


@setups
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_captions_are_of_the_tables_language(setup: Setup, lang: str) -> None:
    captions = [text for seed in range(4) for _, _, text in play(seed, setup.ruleset, setup.options, lang).captions]
    assert len(captions) > 40
    assert len(set(captions)) > 20
    for text in captions:
        assert bool(re.search("[а-яё]", text)) == (lang == "ru")
        assert bool(re.search("[a-z]", text)) == (lang == "en")
        assert not re.search(r"[{}]|None", text)
        assert len(text) < 120


def test_random_bots_say_nothing() -> None:
    assert play(3, kinds=Kinds("random", "random")).captions == []


def hear_out(setup: Setup, seed: int) -> tuple[Played, list[list[list[Move]]]]:
    """A game, and what each seat's bot wanted at every step of it."""
    played = play(seed, setup.ruleset, setup.options)
    return played, wanted(setup, played.start.seed, *played.start.game(), played.inputs)


def wanted(setup: Setup, seed: int, game: Game, events: list[Any], inputs: list[Any]) -> list[list[list[Move]]]:
    bots = [bot_for(setup.ruleset, seat, "en", seed, game.numbers) for seat in range(1, len(game.cards) + 1)]
    steps, fresh = [], events
    for t, command in [*inputs, (game.now, None)]:
        for event in fresh:
            for bot in bots:
                seen = view(event, bot.seat)
                if seen is not None:
                    bot.see(seen)
        steps.append([bot.act(game.now) for bot in bots])
        fresh = game.advance(t) if command is None else game.command(command, t)
    return steps


def views(events: list[Any], seat: int) -> list[Any]:
    return [seen for event in events if (seen := view(event, seat)) is not None]


@setups
def test_a_bot_moves_by_its_own_view_alone(setup: Setup) -> None:
    """Two games with two hidden cards changed round: as long as a seat is shown the same, its bot does the same."""
    played, steps = hear_out(setup, 7)
    cards = list(played.game.cards)
    town = [seat for seat in range(1, len(cards) + 1) if seat not in played.game.state.mafia]
    pairs = [(a, b) for a in (1, 2) for b in range(3, len(cards) + 1) if cards[a - 1] != cards[b - 1]]
    compared = 0
    for a, b in pairs[:6]:
        other = list(cards)
        other[a - 1], other[b - 1] = other[b - 1], other[a - 1]
        first, first_events = played.start.game()
        second, second_events = Game.start(setup.ruleset, setup.options, played.start.seed, other, first.living)
        second_steps = wanted(
            setup, played.start.seed, *Game.start(setup.ruleset, setup.options, played.start.seed, other, first.living),
            played.inputs,
        )  # fmt: skip
        for number, (t, command) in enumerate(played.inputs):
            for seat in town:
                if views(first_events, seat) == views(second_events, seat):
                    assert steps[number][seat - 1] == second_steps[number][seat - 1]
                    compared += 1
            first_events += first.advance(t) if command is None else first.command(command, t)
            second_events += second.advance(t) if command is None else second.command(command, t)
            if number > 60:
                break
    assert compared > 30
