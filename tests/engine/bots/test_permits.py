"""What a ruleset says a seat may choose is held against its rules themselves, in every phase of whole games."""

from collections.abc import Iterator

import pytest

from engine import Game, GameError
from engine.bots import bot_for
from engine.legal import legal_commands
from engine.lots import play
from engine.permits import Permits, permits_of
from engine.rulesets import names

GAMES = 6
"""So many games a ruleset have every choice, for a seat's own and for others'."""


def midway(ruleset: str) -> Iterator[Game]:
    """A game of lots again, as it is after each of its inputs."""
    for seed in range(GAMES):
        played = play(seed, ruleset)
        game, _ = played.start.game()
        for t, command in played.inputs:
            yield game
            if command is None:
                game.advance(t)
            else:
                game.command(command, t)


def chosen(game: Game, seat: int, do: str) -> set[object]:
    """The seats that a command may name now."""
    return {command["target"] for command in legal_commands(game, seat, [do])}


def believed(game: Game, seat: int, permits: Permits) -> dict[str, bool]:
    """By permit, what the rules say of it here; only of those that can be told in this phase, at this seat."""
    state, phase = game.state, game.phase
    told: dict[str, bool] = {}
    match phase.name:
        case "shot" if seat in state.mafia:
            shot = chosen(game, seat, "shoot")
            mates = {mate for mate in state.mafia if mate != seat and mate in state.living}
            told["shoots_self"] = seat in shot
            if mates:
                told["shoots_team"] = mates <= shot
                assert told["shoots_team"] or not mates & shot
        case "check" | "sheriff_check" if seats := chosen(game, seat, "check"):
            told["checks_self"] = seat in seats
        case "nomination" | "short_turn" if phase.seat in (None, seat):
            seats = chosen(game, seat, "nominate")
            if seats and seat not in state.nominees:
                told["nominates_self"] = seat in seats
        case "speech" if phase.seat == seat and not getattr(state.own, "nominated", {}).get(seat):
            seats = chosen(game, seat, "nominate")
            told["speech_nominates"] = bool(seats)
            if seats and seat not in state.nominees:
                told["nominates_self"] = seat in seats
        case "vote" if seat not in state.ballot.votes:
            votes = chosen(game, seat, "vote")
            told["may_abstain"] = bool(legal_commands(game, seat, ["pass"]))
            if seat in state.ballot.candidates:
                told["votes_self"] = seat in votes
            if state.ballot.round == 1:
                told["votes_anybody"] = not state.nominees
        case _:
            pass
    return told


@pytest.mark.parametrize("ruleset", names())
def test_permits_say_what_the_rules_allow(ruleset: str) -> None:
    permits = permits_of(ruleset)
    told: dict[str, set[bool]] = {}
    seen: set[object] = set()
    for game in midway(ruleset):
        position = (game.phase, len(game.state.ballot.votes), len(game.state.nominees))
        if position in seen:
            continue
        seen.add(position)
        for seat in game.living:
            for name, allowed in believed(game, seat, permits).items():
                told.setdefault(name, set()).add(allowed)
    silent = {"speech_nominates": ruleset in ("quick", "party"), "checks_self": ruleset == "quick",
              "nominates_self": ruleset == "quick", "shoots_team": ruleset == "teaching"}  # fmt: skip
    assert set(told) == {name for name in Permits.__slots__ if not silent.get(name)}
    assert {name: {getattr(permits, name)} for name in told} == told


def test_without_permits_nothing_is_drawn_by_lot(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = Game.start("quick")[0].numbers
    monkeypatch.setattr("engine.rulesets.quick.rules.Quick.permits", None)
    with pytest.raises(GameError, match="ruleset 'quick' has no `permits`"):
        play(1, "quick")
    with pytest.raises(GameError, match="ruleset 'quick' has no `permits`"):
        bot_for("quick", 1, "en", 1, numbers, "random")
