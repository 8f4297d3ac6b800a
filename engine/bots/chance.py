"""Bots that do not think: in every phase one legal act, each as likely as the others.

They are what thinking bots are measured against, and the players of a game that only has to be played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.bots import temper
from engine.bots.bot import Move
from engine.bots.scene import Scene
from engine.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.numbers import Numbers

THINK_S = 5.0
"""The longest a bot that does not think takes, in seconds from the phase's start."""


class ChanceBot:
    """Plays one seat of any ruleset without a word. The same seat, seed and views give the same moves."""

    __slots__ = ("_acted_in", "_numbers", "_scene", "_stream", "seat")

    def __init__(self, ruleset: str, seat: int, seed: int, numbers: Numbers) -> None:
        self.seat = seat
        self._numbers = numbers
        self._stream = Stream(seed * 1_000_003 + seat)
        self._scene = Scene(ruleset, seat, numbers)
        self._acted_in = 0

    def see(self, event: Mapping[str, Any]) -> None:
        """Takes in one event, in the form the seat was shown it."""
        self._scene.see(event)

    def act(self, now: float) -> list[Move]:
        """What the bot wants to do in the running phase; empty when asked again in the same phase."""
        scene = self._scene
        if self._acted_in == scene.phase or scene.ends is None:
            return []
        self._acted_in = scene.phase
        choose = _CHOICES.get(scene.phase_name)
        commands = choose(self) if choose is not None else []
        if not commands:
            return []
        at, step = now, min(THINK_S, max(0.0, scene.ends - now) * temper.LATEST) / len(commands)
        moves = []
        for command in commands:
            at += step * self._stream.chance()
            moves.append(Move(round(at, 3), scene.phase, command))
        return moves

    def _name(self, do: str, seats: list[int]) -> list[dict[str, object]]:
        return [{"do": do, "seat": self.seat, "target": self._stream.pick(seats)}] if seats else []

    def _pass(self) -> list[dict[str, object]]:
        return [{"do": "pass", "seat": self.seat}]

    def _maybe_nominate(self) -> list[dict[str, object]]:
        scene = self._scene
        most: int = getattr(self._numbers, "nominations", 1)
        if scene.own_nominations >= most or self._stream.chance() < 0.5:
            return []
        return self._name("nominate", scene.nominations())

    def _speech(self) -> list[dict[str, object]]:
        if not self._scene.its_turn:
            return []
        named = self._maybe_nominate() if self._scene.permits.speech_nominates else []
        return named + self._pass()

    def _turn(self) -> list[dict[str, object]]:
        """Name somebody, which ends the turn, or pass."""
        return (self._maybe_nominate() or self._pass()) if self._scene.its_turn else []

    def _nomination(self) -> list[dict[str, object]]:
        """A turn where the phase has a seat; else any living seat may, and the first ends it."""
        scene = self._scene
        if scene.phase_seat is None:
            return self._maybe_nominate() if scene.lives else []
        if not scene.its_turn:
            return []
        # Here a seat may name whom another has named already.
        return self._name("nominate", scene.others()) if self._stream.chance() < 0.5 else self._pass()

    def _only_pass(self) -> list[dict[str, object]]:
        return self._pass() if self._scene.its_turn else []

    def _vote(self) -> list[dict[str, object]]:
        scene = self._scene
        seats = scene.ballots()
        abstains = scene.lives and scene.permits.may_abstain and self._stream.below(len(seats) + 1) == 0
        return self._pass() if abstains else self._name("vote", seats)

    def _lift(self) -> list[dict[str, object]]:
        if not self._scene.lives:
            return []
        return [{"do": "lift", "seat": self.seat, "yes": self._stream.chance() < 0.5}]

    def _order(self) -> list[dict[str, object]]:
        if self._scene.card != "don":
            return []
        return [{"do": "order", "seat": self.seat, "seats": self._stream.shuffled(self._scene.living)}]

    def _best_move(self) -> list[dict[str, object]]:
        if not self._scene.its_turn:
            return []
        most: int = getattr(self._numbers, "best_move_seats", 0)
        named = self._stream.shuffled(self._scene.others())[: self._stream.below(most + 1)]
        return [{"do": "best_move", "seat": self.seat, "seats": named}]

    def _shot(self) -> list[dict[str, object]]:
        return self._name("shoot", self._scene.shots())

    def _don_check(self) -> list[dict[str, object]]:
        return self._name("check", self._scene.don_checks())

    def _sheriff_check(self) -> list[dict[str, object]]:
        return self._name("check", self._scene.seeker_checks("sheriff"))

    def _check(self) -> list[dict[str, object]]:
        return self._name("check", self._scene.seeker_checks("detective"))

    def _protect(self) -> list[dict[str, object]]:
        return self._name("protect", self._scene.protections())


_CHOICES: dict[str, Callable[[ChanceBot], list[dict[str, object]]]] = {
    "agreement": ChanceBot._order,
    "speech": ChanceBot._speech,
    "short_turn": ChanceBot._turn,
    "nomination": ChanceBot._nomination,
    "vote": ChanceBot._vote,
    "tie_speech": ChanceBot._only_pass,
    "defence": ChanceBot._only_pass,
    "last_word": ChanceBot._only_pass,
    "lift": ChanceBot._lift,
    "shot": ChanceBot._shot,
    "don_check": ChanceBot._don_check,
    "sheriff_check": ChanceBot._sheriff_check,
    "check": ChanceBot._check,
    "protect": ChanceBot._protect,
    "best_move": ChanceBot._best_move,
}
"""Phases without a choice: `discussion` and `recognition`, where it has nothing to say, and `over`."""
