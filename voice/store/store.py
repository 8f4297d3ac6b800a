"""The database behind one server: opened, checked and upgraded at start; written by one task, in groups.

Everything that is written goes through `Store.write`: what several tables want to write at the same moment becomes
one transaction and one flush to the disk. A group that fails is written again part by part, so that what is wrong
with one table's part stops that table alone.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import structlog
from sqlalchemy import event, insert, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from voice.store import schema
from voice.store.file import damage
from voice.store.upgrade import NotOurSchemaError, upgrade

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from sqlalchemy import Executable, RowMapping

logger = structlog.get_logger(__name__)

T = TypeVar("T")

BUSY_MS = 5000  # how long another program may hold the file
WAITING_LIMIT = 10_000  # parts that wait to be written: far beyond it the disk has stopped


class StoreError(Exception):
    """The database can't be used; the message is one line that says what to do."""


class BadAddressError(StoreError):
    """What was given is not the address of a database that this version has."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """One entry of a table's log: `number` from 1, `t` in seconds of table time, `body` JSON."""

    number: int
    t: float
    kind: str
    body: str


@dataclass(slots=True)
class _Part:
    statements: Sequence[Executable]
    done: asyncio.Future[None]


def _configure(connection: Any, _record: object) -> None:
    """Per connection: WAL, each commit flushed (nothing told is lost with the power), foreign keys checked, and what is
    deleted overwritten."""
    cursor = connection.cursor()
    for pragma in (
        *(f"busy_timeout={BUSY_MS}", "journal_mode=WAL", "synchronous=FULL"),
        *("foreign_keys=ON", "secure_delete=ON"),
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def sqlite_path(url: str) -> Path:
    """The file of a `sqlite:///PATH` address. Raises StoreError for any other kind of address."""
    try:
        parsed = make_url(url)
    except SQLAlchemyError as error:
        raise BadAddressError(f"--db: expected sqlite:///PATH, got {url!r}") from error
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise BadAddressError(
            f"--db: expected sqlite:///PATH (the one kind of database this version has), "
            f"got {parsed.render_as_string(hide_password=True)!r}"
        )
    return Path(parsed.database)


class Store:
    """One open database. Make it with `await Store.open(url)`, end it with `await store.close()`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._parts: asyncio.Queue[_Part | None] = asyncio.Queue(WAITING_LIMIT)
        self._writer = asyncio.create_task(self._write_all(), name="store-writer")
        self._at_work: set[asyncio.Task[Any]] = set()

    @classmethod
    async def open(cls, url: str) -> Store:
        """Open `sqlite:///PATH`, make it where it is absent, bring its schema up to date.

        Raises StoreError, the file left untouched, for a file that is damaged, not a database, or of a later version.
        """
        path = sqlite_path(url)
        wrong = await asyncio.to_thread(damage, path)
        if wrong is not None:
            raise StoreError(
                f"the database {path} {wrong}; it was left as it is: put a backup in its place, or move it away "
                f"to begin with an empty one"
            )
        with contextlib.suppress(OSError):  # what hinders it is told below, where the database is opened
            path.touch(0o600)  # SQLite gives the log beside it the same rights
        # An error's text may reach a log: it must not hold names or lines.
        engine = create_async_engine(f"sqlite+aiosqlite:///{path}", hide_parameters=True)
        event.listen(engine.sync_engine, "connect", _configure)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(upgrade)
        except NotOurSchemaError as error:
            await engine.dispose()
            raise StoreError(f"the database {path} {error}") from error
        except SQLAlchemyError as error:
            await engine.dispose()
            cause = str(error.__cause__ or error).splitlines()[0]
            raise StoreError(f"the database {path} can't be opened: {cause}") from error
        with contextlib.suppress(OSError):  # another owner's file that we may write: its rights are theirs to set
            path.chmod(0o600)
        return cls(engine)

    async def close(self) -> None:
        """Write what waits, let what is being read be read, then close. No `write` and no `read` may come after."""
        await self._parts.put(None)
        await self._writer
        while self._at_work:
            await asyncio.wait(self._at_work)
        await self.engine.dispose()

    async def write(self, statements: Sequence[Executable]) -> None:
        """Run `statements` in one transaction; back when they are on the disk.

        Raises SQLAlchemyError (IntegrityError for a number that is taken already), also for a value that the
        driver can't store: then none of them was run.
        """
        part = _Part(statements, asyncio.get_running_loop().create_future())
        await self._parts.put(part)
        await part.done

    async def fold(self) -> None:
        """Bring what was written into the database's file and empty the log beside it: until then what was overwritten
        can still be read from both. Another program that reads may hinder it; then the next time does it."""
        await self._to_its_end(self._fold())

    async def _fold(self) -> None:
        async with self.engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            await connection.exec_driver_sql("PRAGMA busy_timeout=0")  # whoever writes would wait for that program too
            try:
                await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                await connection.exec_driver_sql(f"PRAGMA busy_timeout={BUSY_MS}")

    async def read(self, statement: Executable) -> Sequence[RowMapping]:
        """All rows of a select."""
        return await self._to_its_end(self._read(statement))

    async def _read(self, statement: Executable) -> Sequence[RowMapping]:
        async with self.engine.connect() as connection:
            return (await connection.execute(statement)).mappings().all()

    async def _to_its_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work even where whoever asked is cancelled meanwhile: a connection that is cancelled while it is made
        or used is lost with its thread, and who closes the database may wait for it for ever."""
        task = asyncio.create_task(work)
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        return await asyncio.shield(task)

    async def read_log(self, table: str) -> list[LogRow]:
        """A table's whole log, in order."""
        columns = schema.log.c
        rows = await self.read(
            select(columns.number, columns.t, columns.kind, columns.body)
            .where(columns.table == table)
            .order_by(columns.number)
        )
        return [LogRow(row["number"], row["t"], row["kind"], row["body"]) for row in rows]

    async def _write_all(self) -> None:
        async with self.engine.connect() as connection:
            while True:
                parts: list[_Part] = []
                more = await self._parts.get()
                while more is not None:
                    parts.append(more)
                    if self._parts.empty():
                        break
                    more = self._parts.get_nowait()
                if parts:
                    await self._write_parts(connection, parts)
                if more is None:
                    return

    async def _write_parts(self, connection: AsyncConnection, parts: Sequence[_Part]) -> None:
        try:
            async with connection.begin():
                for part in parts:
                    await _run(connection, part.statements)
        except Exception as error:  # one bad part must not end the writer: every table would wait for ever
            if len(parts) == 1:
                # SQLite's words on a file or disk are for the operator; other errors' may hold what was to be stored.
                cause = str(error.orig) if isinstance(error, OperationalError) else None
                logger.error("write failed", error=type(error).__name__, cause=cause)
                if not parts[0].done.cancelled():
                    parts[0].done.set_exception(_of_the_database(error))
                return
            for part in parts:
                await self._write_parts(connection, [part])
            return
        for part in parts:
            if not part.done.done():
                part.done.set_result(None)


def _of_the_database(error: Exception) -> SQLAlchemyError:
    """What callers of `write` expect; the driver's own errors (such as of text that is no UTF-8) come bare."""
    if isinstance(error, SQLAlchemyError):
        return error
    wrapped = SQLAlchemyError(f"a value can't be stored ({type(error).__name__})")
    wrapped.__cause__ = error
    return wrapped


async def _run(connection: AsyncConnection, statements: Sequence[Executable]) -> None:
    for statement in statements:
        await connection.execute(statement)


def append(table: str, rows: Sequence[LogRow]) -> Executable:
    """The statement that puts `rows` at the end of a table's log."""
    return insert(schema.log).values(
        [{"table": table, "number": row.number, "t": row.t, "kind": row.kind, "body": row.body} for row in rows]
    )
