"""Perft: how many outcomes a position has, by how many things are done. A count that changes is a rule that changed.

The name is the chess programs': they count the positions that legal moves lead to, and hold the counts against known
ones. Here a thing done is a legal command of any seat, or letting time pass to the next thing due.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING

from engine.legal import legal_moves
from engine.view import SPECTATOR, view

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator

    from engine.events import Event
    from engine.game import Game

MOVES = ("order", "ok", "shoot", "check", "protect", "nominate", "vote", "lift", "best_move", "floor", "pass")
"""The commands that move a game on; what is only said, and `stop`, are not among them."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What a number of things done leads to.

    paths: sequences of them. states: different games. logs: different events as a spectator is shown them.
    """

    paths: int
    states: int
    logs: int


def perft(game: Game, depth: int, moves: Collection[str] = MOVES) -> list[Outcomes]:
    """The outcomes after 1 to `depth` things done. The game is not touched.

    A finished game has no outcomes any more. `paths` and `logs` follow from the rules alone; `states` also from what a
    game remembers.
    """
    layer: dict[tuple[Hashable, bytes], tuple[Game, int]] = {(frozen(game.state), b""): (game, 1)}
    counted = []
    for _ in range(depth):
        following: dict[tuple[Hashable, bytes], tuple[Game, int]] = {}
        for (_, log), (before, paths) in layer.items():
            for after, events in _next(before, moves):
                key = frozen(after.state), _told(log, events)
                known = following.get(key)
                following[key] = (after, paths) if known is None else (known[0], known[1] + paths)
        layer = following
        counted.append(
            Outcomes(
                paths=sum(paths for _, paths in layer.values()),
                states=len({state for state, _ in layer}),
                logs=len({log for _, log in layer}),
            )
        )
    return counted


def _next(game: Game, moves: Collection[str]) -> Iterator[tuple[Game, list[Event]]]:
    for _, after, events in legal_moves(game, range(1, len(game.cards) + 1), moves):
        yield after, events
    due = game.due
    if due is not None:
        later = game.copy()
        yield later, later.advance(due)


def _told(log: bytes, events: Iterable[Event]) -> bytes:
    """A digest of a public log that goes on with these events."""
    for event in events:
        seen = view(event, SPECTATOR)
        if seen is not None:
            log = hashlib.blake2b(log + json.dumps(seen).encode(), digest_size=16).digest()
    return log


def frozen(value: object) -> Hashable:
    """A game's state, or a part of it, as something that can be told apart in a set: equal where the parts are."""
    if is_dataclass(value):
        return tuple(frozen(getattr(value, entry.name)) for entry in fields(value))
    if isinstance(value, Mapping):
        return frozenset((key, frozen(part)) for key, part in value.items())
    if isinstance(value, set | frozenset):
        return frozenset(value)
    if isinstance(value, list | tuple):
        return tuple(frozen(part) for part in value)
    assert isinstance(value, bool | int | float | str | None), value
    return value
