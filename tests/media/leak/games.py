"""The games: whose microphones are open when, and what happens to those who are at the table."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import Game

from .player import Moderator
from .speech import SEATS
from .tables import Table, table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WHERE = ("room", "worker", "room", "worker", "fallback")
"""Of one game after the other: where the voice is."""
RULESETS = ("sport", "quick", "sport", "held floor")
"""The same: one speaker, all at once, and all at once with the floor held in between."""
PHASE_S = 0.06
STEP_S = 0.01
RECONNECTS = 0.25
"""The part of the phases in which a seat's page is opened anew."""
LATE = 0.3
"""... in which the server is late: seats have sent some packets that it has not read yet when the gate moves."""
STANDS_S = 0.15
"""A worker that is late stands still for so long at most."""
HANGS = 0.1
"""The part of the workers that are ended because they hang; the others are killed."""
DOWN_PHASES = (1, 4)
"""The game goes on for so many phases, at least and at most, while a worker is away; then it waits for it."""


def microphones(seed: int, ruleset: str = "sport") -> list[tuple[int, ...]]:
    """Whose microphones are open, in the order of a game that nobody steers."""
    if ruleset == "held floor":
        chance = random.Random(seed)
        return [seats for _ in range(6) for seats in (SEATS, (chance.choice(SEATS),), SEATS, ())]
    game, events = Game.start(ruleset, seed=seed)
    seen: list[tuple[int, ...]] = [()]
    while True:
        seen += [tuple(event.fields["seats"]) for event in events if event.name == "mic"]
        if game.due is None:
            return seen
        events = game.advance(game.due)


@dataclass
class Outcome:
    """Of all games."""

    leaks: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


class Match:
    """One game at a table."""

    def __init__(self, at: Table, phases: Sequence[tuple[int, ...]], plan: random.Random) -> None:
        self._at = at
        self._phases = phases
        self._plan = plan
        self._coming: list[asyncio.Task[None]] = []
        self._absent = plan.choice(SEATS)
        openings = [number for number, seats in enumerate(phases) if seats]
        self._seat_comes, self._moderator_comes, self._worker_dies = (plan.choice(openings) for _ in range(3))
        self._down_phases = 0

    async def play(self) -> None:
        """Everybody talks all the time."""
        at = self._at
        await at.players[self._absent].leave()
        talking = asyncio.ensure_future(self._talk())
        try:
            for number, seats in enumerate(self._phases):
                await self._phase(number, seats)
                if talking.done():
                    talking.result()
            await at.back()
            at.mic(())
            await asyncio.gather(*self._coming)
            await asyncio.sleep(0.1)
        finally:
            talking.cancel()
        at.book.look_at_samples([*(each.ear for each in at.moderators), *(each.ear for each in at.players.values())])
        for late in at.moderators[1:]:
            at.moderators.remove(late)
            await late.close()
        at.book.counts["games"] += 1

    async def _talk(self) -> None:
        while True:
            for player in self._at.players.values():
                player.step()
            await asyncio.sleep(STEP_S)

    async def _phase(self, number: int, seats: tuple[int, ...]) -> None:
        at, book = self._at, self._at.book
        await self._move(frozenset(seats))
        before = book.counts["let through"]
        again = self._somebody_comes(number, seats)
        await asyncio.sleep(PHASE_S / 3)
        if number == self._worker_dies and at.kill(slowly=self._plan.random() < HANGS):
            self._down_phases = self._plan.randint(*DOWN_PHASES)
        for seat in seats:
            at.players[seat].leak()
        await asyncio.sleep(PHASE_S * 2 / 3)
        if again is not None and not at.down:
            await again
            await asyncio.sleep(0.02)
            for player in at.players.values():
                await player.forget_olds()
        if at.down:
            self._down_phases -= 1
            if self._down_phases > 0:
                return
            await at.back()
        if seats:
            book.counts["openings"] += 1
            for _ in range(100):
                if book.counts["let through"] > before + 3:
                    book.counts["openings that were heard"] += 1
                    break
                await asyncio.sleep(0.01)

    async def _move(self, seats: frozenset[int]) -> None:
        at, before = self._at, self._at.book.open
        if self._plan.random() >= LATE:
            return at.mic(seats)
        stands = at.stop()
        for seat in seats - before:
            at.players[seat].crowd()
        at.mic(seats)
        for seat in before - seats:
            at.players[seat].crowd()
        at.book.counts["moves of a late server"] += 1
        if stands:
            await asyncio.sleep(STANDS_S * self._plan.random())
            at.go_on()
        return None

    def _somebody_comes(self, number: int, seats: tuple[int, ...]) -> asyncio.Task[None] | None:
        at, plan = self._at, self._plan
        if number == self._seat_comes:
            self._coming.append(asyncio.ensure_future(at.players[self._absent].come_back()))
            at.book.counts["seats that came late"] += 1
        if number == self._moderator_comes:
            late = Moderator("late moderator", at.room, at.book)
            at.moderators.append(late)
            self._coming.append(asyncio.ensure_future(late.come_back()))
            at.book.counts["moderators that came late"] += 1
        # As often in one's own minute as in another's.
        seat = plan.choice(seats) if seats and plan.random() < 0.5 else plan.choice(SEATS)
        if plan.random() >= RECONNECTS or at.down:
            return None
        again = asyncio.ensure_future(at.players[seat].come_back())
        self._coming.append(again)
        return again


async def play(
    games: int, seed: int, where: Sequence[str] = WHERE, progress: Callable[[str], None] = lambda said: None
) -> Outcome:
    """So many games. Those in this process are at one table; each worker has one game, and dies in it."""
    outcome = Outcome()
    tables: dict[str, Table] = {}

    async def close(at: Table) -> None:
        await at.close()
        outcome.counts.update(at.book.counts)

    try:
        for game in range(games):
            place, ruleset = where[game % len(where)], RULESETS[game % len(RULESETS)]
            at = tables.get(place)
            if at is None:
                at = tables[place] = table(place, seed + game)
                await at.open()
            known = len(at.book.leaks)
            try:
                await Match(at, microphones(seed + game, ruleset), random.Random(f"{seed}/{game}")).play()
            finally:
                outcome.leaks += [f"game {game + 1} ({place}, {ruleset}): {leak}" for leak in at.book.leaks[known:]]
            outcome.counts[f"games: {place}, {ruleset}"] += 1
            if place == "worker":
                await close(tables.pop(place))
            progress(f"game {game + 1} of {games} ({place}, {ruleset}): {len(outcome.leaks)} leaks")
    finally:
        for at in tables.values():
            await close(at)
    return outcome
