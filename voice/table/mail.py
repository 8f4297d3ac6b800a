"""What can be put into a table's mailbox."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Executable

    from voice.spoken import Wish
    from voice.table.flagging import Opinion
    from voice.table.parts import HeardLine
    from voice.table.records import Json


class TableError(Exception):
    """Something that can't be done at this table; `code` is stable, `message` says in English what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(slots=True)
class Person:
    """Somebody who joined. `place`: the order of joining. `seat`: from the draw on, None in the lobby."""

    id: str
    name: str
    place: int
    token_hash: str | None
    seat: int | None = None
    ready: bool = False


@dataclass(slots=True)
class Join:
    """Sit down in the lobby. Answered by None, or a TableError."""

    person: Person
    answer: asyncio.Future[None]


@dataclass(slots=True)
class Ready:
    """In the lobby: ready to begin, or not."""

    person: str
    ready: bool


@dataclass(slots=True)
class Start:
    """The owner begins the game."""

    person: str


@dataclass(slots=True)
class Leave:
    """Give the seat up."""

    person: str


@dataclass(slots=True)
class Order:
    """A player's command. `number` is the client's own, `phase` the phase it was meant for.

    `command` is whatever object the client sent: its values may be of any type, and nested as deep as JSON may be.
    """

    person: str
    number: int
    phase: int
    command: Json

    @property
    def do(self) -> str:
        """What it asks for; "" where that is no text."""
        do = self.command.get("do")
        return do if isinstance(do, str) else ""

    @property
    def line(self) -> str:
        """The line that it names; "" where that is no line's id."""
        line = self.command.get("line")
        return str(line) if isinstance(line, str | int) else ""


@dataclass(slots=True)
class Heard:
    """A recognised line."""

    line: HeardLine


@dataclass(slots=True)
class Thought:
    """A second opinion on a line: a model's, late. What was thought `before` it, and is with it (`found`)."""

    line: str
    before: Opinion
    found: Opinion


@dataclass(slots=True)
class Wished:
    """Commands in text that may still change, of an utterance that began at `start_s` of the clock."""

    seat: int
    wishes: tuple[Wish, ...]
    start_s: float


@dataclass(slots=True)
class Rule:
    """A moderator's ruling on a line, and the statements that keep it. Answered by None: it is kept whatever the game
    makes of it."""

    line: str
    uphold: bool
    category: str | None
    kept: Sequence[Executable] = field(repr=False)
    answer: asyncio.Future[None] = field(repr=False)


@dataclass(slots=True)
class Stop:
    """A moderator stops the game. Answered by None, or a TableError."""

    answer: asyncio.Future[None] = field(repr=False)


Mail: TypeAlias = Join | Ready | Start | Leave | Order | Heard | Thought | Wished | Rule | Stop


def answer(future: asyncio.Future[None], error: TableError | None = None) -> None:
    """Answer whoever waits, unless they have gone."""
    if future.done():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)


async def ask(
    post: Callable[[Mail], bool], task: asyncio.Task[None], mail: Callable[[asyncio.Future[None]], Mail]
) -> None:
    """Leave mail with a table whose task that is, and wait for its answer. Raises TableError: `busy`, or its answer."""
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    if not post(mail(future)):
        raise TableError("busy", "this table is too busy or closed: try again in a moment")
    await asyncio.wait({future, task}, return_when=asyncio.FIRST_COMPLETED)
    if not future.done():  # the table ended with this in its hands
        raise TableError("busy", "this table is closed")
    future.result()
