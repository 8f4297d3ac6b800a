"""A game that is played, with the laws and the model beside it at every step."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING, Any

from tests.engine.driver import TO_THE_END, Act, Driven, commands
from tests.engine.facts import FACTS
from tests.engine.laws import Laws
from tests.engine.ledger import Ledger
from tests.engine.model import Model, universe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Event
    from engine.replay import Start


class Follower:
    """Plays `driven` and holds each answer of the engine against what a reader of the contract expects."""

    def __init__(self, start: Start) -> None:
        self.driven = Driven.begin(start)
        self.ledger = Ledger(FACTS[start.ruleset], start.options, bots=set(start.bots))
        self.laws = Laws(self.ledger)
        self.model = Model(self.ledger)
        self._read(self.driven.events)
        self.advance(0.0)

    def advance(self, t: float) -> None:
        """Lets time pass."""
        before = len(self.driven.events)
        self.driven.advance(t)
        self._read(self.driven.events[before:])

    def do(self, command: dict[str, Any]) -> bool:
        """Does a well-formed command now, and returns whether it was accepted, as the model says it must be."""
        self.advance(self.driven.game.now)
        expected = self.model.may(command)
        before = None if expected else copy.deepcopy(self.driven.game)
        made = self.driven.do(command)
        accepted = not refused(made)
        assert accepted == expected, (command, self.ledger.phase, [event.to_json() for event in made])
        if accepted:
            self.model.accepted(command)
        else:
            assert len(made) == 1, made
            assert self.driven.game == before, command
        self._read(made)
        return accepted

    def act(self, number: int) -> None:
        """One drawn act."""
        game = self.driven.game
        act = Act.of(number, len(game.cards))
        due = game.due if act.wait == TO_THE_END else game.now + act.wait
        self.advance(game.now if due is None else due)
        for command in commands(game, act):
            self.do(command)

    def look(self) -> None:
        """What can be asked of the game is what its log has told."""
        game, ledger = self.driven.game, self.ledger
        assert list(game.mic) == ledger.open_mics() or game.now == 0.0
        assert game.living == tuple(sorted(ledger.living))
        assert game.bots == ledger.bots
        assert game.over == ledger.over
        assert (game.due is None) == game.over
        assert (game.phase.name, game.phase.seat) == (ledger.phase["name"], ledger.phase.get("seat"))

    def look_at_every_command(self, also: Iterable[dict[str, Any]] = ()) -> int:
        """Tries every command of the universe, each on the game as it is now; returns how many were accepted."""
        self.advance(self.driven.game.now)
        game = self.driven.game
        stored_game = pickle.dumps(game)
        scratch, accepted = pickle.loads(stored_game), 0  # noqa: S301 - our own bytes, the quickest way to copy
        for command in [*universe(len(game.cards)), *also]:
            made = scratch.command(command, scratch.now)
            may = not refused(made)
            assert may == self.model.may(command), (command, self.ledger.phase)
            if may:
                accepted += 1
                scratch = pickle.loads(stored_game)  # noqa: S301 - the same
        assert scratch == game
        return accepted

    def finish(self) -> None:
        """Lets time pass to the end of the game."""
        before = len(self.driven.events)
        self.driven.finish()
        self._read(self.driven.events[before:])
        assert self.driven.game.over

    def _read(self, events: list[Event]) -> None:
        self.laws.check([event.to_json() for event in events])


def refused(events: list[Event]) -> bool:
    """Whether the command that these events answer was refused."""
    return any(event.name == "refused" for event in events)


def stored(events: list[Event]) -> str:
    """A log as bytes are written of it."""
    return "\n".join(json.dumps(event.to_json()) for event in events)
