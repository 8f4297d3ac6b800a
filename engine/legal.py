"""What a seat may do now. The rules themselves are asked, on a copy of the game: there are no second rules here."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from engine.conduct import WORD_SIGNS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from engine.events import Event
    from engine.game import Game

Made: TypeAlias = dict[str, object]
"""A command, as `Game.command` takes it."""


def legal_commands(game: Game, seat: int, dos: Collection[str] | None = None) -> list[Made]:
    """Every command that `seat` may give at the game's present time; the game itself is not touched.

    dos: only commands of these kinds, in this module's order. Two kinds are given in part: an `order` for one seat and
    a `sign` sentence of one sign, for what is legal in them one by one is legal together, up to their limits. Left out
    is what is no move of the game: `report` (of a line that the rules know nothing of), `away` and `back`.
    """
    return [command for command, _, _ in legal_moves(game, (seat,), dos)]


def is_legal(game: Game, command: Made) -> bool:
    """Whether the rules would take this very command at the game's present time; the game itself is not touched."""
    scratch = game.copy()
    return not any(event.name == "refused" for event in scratch.command(command, scratch.now))


def legal_moves(
    game: Game, seats: Iterable[int], dos: Collection[str] | None = None
) -> Iterator[tuple[Made, Game, list[Event]]]:
    """The same commands, of all these seats, each with the game after it and the events that answered it."""
    present = game.copy()
    present.advance(present.now)
    scratch = present.copy()
    for seat in seats:
        for command in _candidates(present, seat, dos):
            events = scratch.command(command, scratch.now)
            if any(event.name == "refused" for event in events):
                continue  # a refusal has changed nothing: the copy serves for the next one
            yield command, scratch, events
            scratch = present.copy()


def _candidates(game: Game, seat: int, dos: Collection[str] | None) -> Iterator[Made]:
    for do, candidates in CANDIDATES.items():
        if dos is None or do in dos:
            for fields in candidates(game, seat):
                yield {"do": do, "seat": seat, **fields}


def _bare(_game: Game, _seat: int) -> Iterator[Made]:
    yield {}


def _targets(game: Game, _seat: int) -> Iterator[Made]:
    for target in game.living:
        yield {"target": target}


def _single(game: Game, _seat: int) -> Iterator[Made]:
    for target in game.living:
        yield {"seats": [target]}


def _sets(game: Game, seat: int) -> Iterator[Made]:
    """All sets of living seats, smaller ones first. They are many only for the one seat that may name some."""
    if game.phase.seat != seat:
        return
    for size in range(len(game.living) + 1):
        for named in combinations(game.living, size):
            yield {"seats": list(named)}


def _answers(_game: Game, _seat: int) -> Iterator[Made]:
    yield {"yes": True}
    yield {"yes": False}


def _signs(game: Game, _seat: int) -> Iterator[Made]:
    for number in range(1, len(game.cards) + 1):
        yield {"sentence": [number]}
    for word in sorted(WORD_SIGNS):
        yield {"sentence": [word]}


def _sayings(game: Game, seat: int) -> Iterator[Made]:
    for card in sorted(set(game.cards)):
        yield {"kind": "claim", "card": card}
    for kind in ("ask", "defend"):
        for target in range(1, len(game.cards) + 1):
            if target != seat:
                yield {"kind": kind, "target": target}


CANDIDATES: dict[str, Callable[[Game, int], Iterator[Made]]] = {
    "order": _single,
    "ok": _bare,
    "shoot": _targets,
    "check": _targets,
    "protect": _targets,
    "nominate": _targets,
    "vote": _targets,
    "lift": _answers,
    "best_move": _sets,
    "floor": _bare,
    "pass": _bare,
    "say": _sayings,
    "sign": _signs,
    "stop": _bare,
}
"""The fields that a command of each kind can have at a table: all that may ever be legal, and some that is not."""
