"""A table over a real database file, with a clock that the test moves, and sound that is only written down."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from voice.store import Store
from voice.table.clock import VirtualClock
from voice.table.mail import Order, Person, Start
from voice.table.parts import Parts
from voice.table.tables import Tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from voice.table.table import Table


class Outlet:
    """A connection that keeps what it was sent."""

    def __init__(self) -> None:
        self.replies: list[dict[str, Any]] = []
        self.moment: dict[str, dict[str, Any]] = {}
        self.closed: tuple[int, str] | None = None

    def wake(self) -> None:
        pass

    def put(self, key: str, frame: bytes | None) -> None:
        if frame is None:
            self.moment.pop(key, None)
        else:
            self.moment[key] = json.loads(frame)

    def reply(self, frame: bytes) -> None:
        self.replies.append(json.loads(frame))

    def close(self, code: int, reason: str) -> None:
        self.closed = self.closed or (code, reason)


@dataclass
class Room:
    """A voice room that only writes down what it was told."""

    table: str
    packet: Callable[[Any], None]
    link: Callable[[frozenset[int]], None]
    on_slots: Callable[[int, tuple[int | None, ...]], None]
    epoch: int = 0
    told: list[list[int]] = field(default_factory=list)
    gone: list[int | str] = field(default_factory=list)
    closed: bool = False

    def mic(self, seats: frozenset[int]) -> None:
        self.epoch += 1
        self.told.append(sorted(seats))

    async def connect(self, viewer: int | str, sdp: str) -> str:
        return f"answer to {sdp} for {viewer}"

    async def disconnect(self, viewer: int | str) -> None:
        self.gone.append(viewer)

    async def close(self) -> None:
        self.closed = True

    def stats(self) -> dict[str, object]:
        return {"moves": len(self.told)}


@dataclass
class Hearing:
    """Ears that hear what the test says."""

    table: str
    lang: str
    line: Callable[[Any], None]
    told: Callable[[int, str, float], None]
    captions: Callable[[str, int], None]
    clock: VirtualClock
    moved: list[tuple[list[int], int]] = field(default_factory=list)
    packets: list[Any] = field(default_factory=list)
    closed: bool = False

    def feed(self, packet: Any) -> None:
        self.packets.append(packet)

    def mic(self, seats: frozenset[int], epoch: int) -> None:
        self.moved.append((sorted(seats), epoch))

    def close(self) -> None:
        self.closed = True

    def interim(self, seat: int, text: str, start_s: float | None = None) -> None:
        """A caption so far, of an utterance that began half a second ago where nothing is said."""
        self.told(seat, text, self.clock.now() - 0.5 if start_s is None else start_s)

    def say(self, seat: int, text: str, start_s: float, end_s: float, others: Any = None) -> None:
        words = [SimpleNamespace(text=word, start_s=start_s, end_s=end_s, confidence=0.9) for word in text.split()]
        self.line(
            SimpleNamespace(
                id="x", seat=seat, text=text, words=words, start_s=start_s, end_s=end_s, lang=self.lang, others=others
            )
        )


def no_judge(_text: str, _lang: str, _words: object, _others: object) -> Any:
    """A check that flags nothing."""
    return SimpleNamespace(category=None, severity=None, review=False, scores={}, why=())


class World:
    """One server's tables without its web."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.clock = VirtualClock(self.settle)
        self.rooms: list[Room] = []
        self.ears: list[Hearing] = []
        self.judge: Any = no_judge
        self.store: Store
        self.tables: Tables
        self._people = 0

    async def open(self) -> None:
        self.store = await Store.open(f"sqlite:///{self.path}")
        parts = Parts(self._room, self._hearing, lambda *line: self.judge(*line))
        self.tables = Tables(self.store, self.clock, parts)
        await self.tables.open()
        await self.settle()

    async def close(self) -> None:
        await self.tables.close()
        await self.store.close()

    async def crash(self) -> None:
        """The process is gone: nothing is written, nobody is told."""
        for table in self.tables:
            assert table._task is not None
            table._task.cancel()
            await asyncio.wait({table._task})
        assert self.tables._heart is not None
        assert self.tables._broom is not None
        self.tables._heart.cancel()
        self.tables._broom.cancel()
        await asyncio.gather(*self.tables._reapers, return_exceptions=True)
        await self.store.close()

    async def settle(self) -> None:
        for table in self.tables:
            await table.settled()

    def _room(self, *args: Any, **more: Any) -> Room:
        self.rooms.append(Room(*args, **more))
        return self.rooms[-1]

    def _hearing(self, *args: Any) -> Hearing:
        self.ears.append(Hearing(*args, self.clock))
        return self.ears[-1]

    def person(self, name: str) -> Person:
        self._people += 1
        return Person(f"p{self._people}", name, 0, f"hash{self._people}")

    async def table(
        self, people: int = 1, ruleset: str = "sport", lang: str = "en", **options: Any
    ) -> tuple[Table, list[str]]:
        """A table with so many people in its lobby, their pages open."""
        owner = self.person("Person 1")
        table = await self.tables.create(f"t{self._people}", "Club", lang, ruleset, options, owner)
        ids = [owner.id]
        for i in range(1, people):
            person = self.person(f"Person {i + 1}")
            await table.join(person)
            ids.append(person.id)
        for person_id in ids:
            table.attach(person_id, Outlet())
        await self.settle()
        return table, ids

    async def dealt(self, people: int = 1, ruleset: str = "sport", **options: Any) -> tuple[Table, list[str]]:
        """The same, the cards dealt."""
        table, ids = await self.table(people, ruleset, **options)
        table.post(Start(ids[0]))
        await self.settle()
        assert table.state == "running"
        return table, ids

    async def order(self, table: Table, person: str, phase: int | None = None, **command: Any) -> dict[str, Any]:
        """Send a command; its answer."""
        at = table.running.play.phase if phase is None and table.running is not None else phase or 0
        outlet = self.outlet(table, person)
        assert table.post(Order(person, len(outlet.replies) + 100, at, command))
        await self.settle()
        return outlet.replies[-1]

    @staticmethod
    def outlet(table: Table, person: str) -> Outlet:
        outlet = table.audience.of(person)
        assert isinstance(outlet, Outlet)
        return outlet

    async def until(self, table: Table, done: Callable[[], bool], most_s: float = 20000.0) -> None:
        """Let time pass, second by second, until `done`."""
        passed = 0.0
        while not done():
            assert passed < most_s, "it never came"
            await self.clock.advance(1.0)
            passed += 1.0


def frames(table: Table, person: str | None) -> list[dict[str, Any]]:
    """All numbered messages of a viewer."""
    return [json.loads(each) for each in table.messages(person, 0, 100_000)]


def events(table: Table, person: str | None, name: str | None = None) -> list[dict[str, Any]]:
    """The events that a viewer was sent."""
    found = [frame["event"] for frame in frames(table, person) if frame["type"] == "event"]
    return [event for event in found if name is None or event["event"] == name]
