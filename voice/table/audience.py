"""Who is connected to a table, and since when a seat has nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

REPLACED = 4409
CLOSED = 4410
COME_BACK = 1013
WATCHERS_LIMIT = 16


class Outlet(Protocol):
    """One connection, as the table sees it. Nothing here blocks; the connection pulls numbered messages itself."""

    def wake(self) -> None:
        """There may be new numbered messages."""

    def put(self, key: str, frame: bytes | None) -> None:
        """A message of the moment: it replaces an unsent one of the same `key`; None only takes that back."""

    def reply(self, frame: bytes) -> None:
        """An answer to something this connection sent; sent after the numbered messages there are."""

    def close(self, code: int, reason: str) -> None:
        """End the connection, after what waits."""


class Audience:
    """The connections of one table: at most one a person, and the moderators who watch."""

    def __init__(self) -> None:
        self._people: dict[str, Outlet] = {}
        self._opened_s: dict[str, float] = {}
        self._watchers: set[Outlet] = set()
        self.absent: dict[str, float] = {}  # person to the moment of the clock when they count as away

    def __len__(self) -> int:
        return len(self._people) + len(self._watchers)

    def __iter__(self) -> Iterator[Outlet]:
        yield from self._people.values()
        yield from self._watchers

    def connected(self, person: str) -> bool:
        """Whether the person's page is open."""
        return person in self._people

    def of(self, person: str) -> Outlet | None:
        """The person's connection."""
        return self._people.get(person)

    def enter(self, person: str, outlet: Outlet, opened_s: float | None = None) -> None:
        """The newest connection of a person wins: the one that was opened last (monotonic s), by default this one.

        One that was opened earlier may come in later: its token took longer to be looked up.
        """
        before = self._people.get(person)
        if before is not None and opened_s is not None and opened_s < self._opened_s.get(person, opened_s):
            outlet.close(REPLACED, "this seat was opened elsewhere")
            return
        self._people[person] = outlet
        if opened_s is not None:
            self._opened_s[person] = opened_s
        self.absent.pop(person, None)
        if before is not None:
            before.close(REPLACED, "this seat was opened elsewhere")

    def watch(self, outlet: Outlet) -> bool:
        """A moderator watches; False where too many do."""
        if len(self._watchers) >= WATCHERS_LIMIT:
            return False
        self._watchers.add(outlet)
        return True

    def exit(self, person: str | None, outlet: Outlet) -> bool:
        """A connection ended. True where the person is now without one."""
        if person is None:
            self._watchers.discard(outlet)
            return False
        if self._people.get(person) is not outlet:
            return False
        del self._people[person]
        return True

    def put(self, key: str, frame: bytes | None) -> None:
        """To everybody: a message of the moment."""
        for outlet in self:
            outlet.put(key, frame)

    def put_to(self, people: Iterable[str], key: str, frame: bytes) -> None:
        """The same, to these people where their pages are open."""
        for person in people:
            outlet = self._people.get(person)
            if outlet is not None:
                outlet.put(key, frame)

    def reply(self, person: str, frame: bytes) -> None:
        """To one person, if they are there."""
        outlet = self._people.get(person)
        if outlet is not None:
            outlet.reply(frame)

    def wake(self) -> None:
        """Everybody looks for new numbered messages."""
        for outlet in self:
            outlet.wake()

    def close(self, code: int, reason: str) -> None:
        """End every connection."""
        for outlet in list(self):
            outlet.close(code, reason)
