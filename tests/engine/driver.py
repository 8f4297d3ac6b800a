"""Random games: small numbers, drawn by hypothesis, read as what to do next in the running phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from engine.replay import Input, Start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Event, Game

DECK = ["civilian"] * 6 + ["sheriff", "mafia", "mafia", "don"]
LINES = ["a", "b", "c", "d", "e", "f", 1, 2]
CATEGORIES = ["insult", "hate", "sexual"]
WAITS = [0.0, 0.0, 0.0, 0.1, 1.0, 10.0, 20.0, 60.0, 119.5]

# An act is (what, who, whom, how long to wait first), each a small number.
Act = tuple[int, int, int, int]
acts = st.lists(
    st.tuples(st.integers(0, 99), st.integers(1, 10), st.integers(1, 10), st.integers(0, len(WAITS) - 1)),
    max_size=150,
)
decks = st.permutations(DECK)
starts = st.builds(
    lambda cards, seed, bots, short: Start("sport", SHORT if short else {}, seed, cards, sorted(bots)),
    decks, st.integers(0, 2**64 - 1), st.sets(st.integers(1, 10)), st.booleans(),
)  # fmt: skip
SHORT: dict[str, object] = {"speech_s": 3, "vote_s": 3, "tie_speech_s": 2, "last_word_s": 2, "lift_s": 3, "away_s": 5}


def commands(game: Game, act: Act) -> list[dict[str, Any]]:
    """The commands that an act stands for: mostly what fits the phase, by one seat or the whole table."""
    what, who, whom, _ = act
    if what >= 75:
        return _conduct(what, 1 + who % 4, whom)
    phase, state = game.phase.name, game.state
    card = {"don_check": "don", "sheriff_check": "sheriff", "agreement": "don"}.get(phase)
    holder = game.cards.index(card) + 1 if card and what % 4 else who
    match phase:
        case "agreement" if what % 3:
            return [{"do": "order", "seat": holder, "seats": [whom, 11 - whom]}]
        case "agreement":
            return [{"do": "ok", "seat": who}]
        case "vote":
            up = state.ballot.candidates
            shares = 1 + what % 3  # all for one, or split so that a tie is likely
            voters = game.living if what % 4 else (who,)
            return [{"do": "vote", "seat": s, "target": up[i % min(shares, len(up))]} for i, s in enumerate(voters)]
        case "lift":
            return [
                {"do": "lift", "seat": seat, "yes": bool(what % 3)} for seat in (game.living if what % 4 else (who,))
            ]
        case "shot":
            shooters = state.mafia if what % 3 else (who,)
            return [{"do": "shoot", "seat": seat, "target": whom} for seat in shooters]
        case "don_check" | "sheriff_check":
            return [{"do": "check", "seat": holder, "target": whom}]
    own = game.phase.seat or who
    if phase == "best_move" and what % 2:
        return [{"do": "best_move", "seat": own, "seats": sorted({whom, who})}]
    if phase in ("speech", "short_turn") and what % 2:
        return [{"do": "nominate", "seat": own, "target": whom}, {"do": "pass", "seat": own}]
    if what % 5 == 0:
        return [{"do": "say", "seat": own, "kind": "ask", "target": whom}]
    return [{"do": "pass", "seat": own}]


def _conduct(what: int, who: int, whom: int) -> list[dict[str, Any]]:
    line = LINES[(what + whom) % len(LINES)]
    report = {"do": "report", "seat": whom, "target": who, "line": line}
    match what % 8:
        case 0 | 1:
            return [{"do": "sign", "seat": who, "sentence": [whom, "black"]}] * 5
        case 2:
            return [report, {"do": "ruling", "line": line, "uphold": True}]
        case 3:
            severity = "clear" if whom % 2 else "likely"
            return [{"do": "line", "seat": who, "line": line, "category": CATEGORIES[whom % 3], "severity": severity}]
        case 4:
            return [report]
        case 5:
            return [{"do": "ruling", "line": line, "uphold": whom > 4}]
        case 6:
            return [{"do": "away", "seat": who}]
        case _:
            return [{"do": "back", "seat": who}]


@dataclass
class Driven:
    game: Game
    events: list[Event]
    inputs: list[Input]


def drive(start: Start, drawn: Sequence[Act]) -> Driven:
    """Plays the acts, then lets time pass to the end of the game."""
    game, events = start.game()
    driven = Driven(game, events, [])
    for act in drawn:
        t = game.now + WAITS[act[3]]
        driven.inputs.append((t, None))
        events += game.advance(t)
        for each in commands(game, act):
            do(driven, t, each)
    while (due := game.due) is not None:
        driven.inputs.append((due, None))
        events += game.advance(due)
    return driven


def do(driven: Driven, t: float, what: dict[str, Any]) -> list[Event]:
    driven.inputs.append((t, what))
    made = driven.game.command(what, t)
    driven.events += made
    return made
