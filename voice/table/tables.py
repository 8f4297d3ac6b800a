"""All tables of this server: made, found, brought back from their logs, and their clocks kept on the disk."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from typing import TYPE_CHECKING, Final

import structlog
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from engine import Game
from voice.cases.docket import Docket
from voice.cases.retention import forget_evidence
from voice.people.erase import erase_due
from voice.store import schema
from voice.table import lobby
from voice.table.bots import seat_bot
from voice.table.mail import Person, TableError
from voice.table.records import LogCorruptError, from_row, is_time
from voice.table.retention import forget, forget_words, is_up
from voice.table.rules import rules_or_none
from voice.table.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import RowMapping

    from voice.store import Store
    from voice.table.clock import Clock
    from voice.table.parts import Parts
    from voice.table.records import Json

logger = structlog.get_logger(__name__)

HEARTBEAT_S: Final = 1.0  # the most that a phase gets back after a crash
TABLES_LIMIT: Final = 200
SWEEP_S: Final = 3600.0  # how often words are looked for whose time is up
KEEP_WORDS_S: Final = 30 * 86400.0
WAITING_S: Final = 7 * 86400.0  # a table that has waited this long is gone: its invitations are too


class Tables:
    """The tables. `open` brings back what was running; `close` leaves every game where it stands."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        parts: Parts,
        keep_words_s: float = KEEP_WORDS_S,
        docket: Docket | None = None,
    ) -> None:
        """`keep_words_s`: for how long after a game what was said in it is kept. `docket`: where cases go."""
        self.docket = Docket() if docket is None else docket
        self.keep_words_s = keep_words_s
        self._store = store
        self._clock = clock
        self._parts = parts
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Future[Table]] = {}
        self._reapers: set[asyncio.Task[None]] = set()
        self._heart: asyncio.Task[None] | None = None
        self._broom: asyncio.Task[None] | None = None

    def __iter__(self) -> Iterator[Table]:
        return iter(list(self._tables.values()))

    async def open(self) -> None:
        """Bring back every table that runs. One that can't be is `broken`; the others go on."""
        columns = schema.tables.c
        await self._store.write(
            [delete(schema.tables).where(columns.state == "waiting", columns.created_at < time.time() - WAITING_S)]
        )
        for row in await self._store.read(select(columns.id).where(columns.state == "running")):
            await self.find(row["id"])
        self._heart = asyncio.create_task(self._beat(), name="tables-heartbeat")
        self._broom = asyncio.create_task(self._sweep(), name="tables-retention")

    async def close(self) -> None:
        """The server goes down."""
        for task in (self._heart, self._broom):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        with contextlib.suppress(SQLAlchemyError):
            await self.write_clocks()
        await asyncio.gather(*(table.stop() for table in self))
        await asyncio.gather(*self._reapers)

    async def create(self, table: str, name: str, lang: str, ruleset: str, options: Json, owner: Person) -> Table:
        """A new table with its owner in the lobby.

        Raises GameError for an unknown ruleset, bad options or a ruleset without bots, TableError `server_full`.
        """
        if len(self._tables) >= TABLES_LIMIT:
            raise TableError("server_full", "this server has as many tables as it can: try again later")
        game, _ = Game.start(ruleset, options)
        seat_bot(ruleset, 1, lang, 0, game.numbers)
        owner.place = 1
        row = {
            "id": table,
            "name": name,
            "lang": lang,
            "ruleset": ruleset,
            "options": json.dumps(options),
            "code": game.code,
            "seats": len(game.cards),
            "state": "waiting",
            "reason": "",
            "owner": owner.id,
            "now_s": 0.0,
            "created_at": time.time(),
        }
        await self._store.write([insert(schema.tables).values(row), lobby.add(owner, table)])
        made = self._make(row)
        made.people[owner.id] = owner
        self._begin(made)
        return made

    async def find(self, table: str) -> Table | None:
        """The table of that id, brought back from its log where it is not at work; None where there is none."""
        known = self._tables.get(table)
        if known is not None:
            if not known.ended.is_set():
                return known
            await known.done()
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = asyncio.ensure_future(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        try:
            return await asyncio.shield(loading)
        except KeyError:
            return None

    async def person(self, token_hash: str) -> tuple[Table, str] | None:
        """Whose seat token it is: their table and id."""
        columns = schema.people.c
        rows = await self._store.read(select(columns.id, columns.table).where(columns.token_hash == token_hash))
        if not rows:
            return None
        table = await self.find(rows[0]["table"])
        if table is None or rows[0]["id"] not in table.people:
            return None
        return table, rows[0]["id"]

    async def write_clocks(self) -> None:
        """Keep each running table's time."""
        statements = [
            update(schema.tables).where(schema.tables.c.id == table.id).values(now_s=table.now())
            for table in self
            if table.running is not None and table.state == "running"
        ]
        if statements:
            await self._store.write(statements)

    async def forget_words(self) -> None:
        """Delete the words of the games whose time is up, from the database's files too."""
        await forget_words(self._store, self.keep_words_s, time.time(), self._tables)
        await self._store.fold()

    async def forget_evidence(self) -> None:
        """Delete the words and clips of the cases whose time is up, from the database's files too."""
        if await forget_evidence(self._store, self.docket.keep_s, time.time()):
            self.docket.ring()
            await self._store.fold()

    async def erase(self) -> int:
        """Delete the data of those who asked for it and whose tables are closed; of how many people."""
        gone = await erase_due(self._store, time.time(), self._tables)
        if gone:
            self.docket.ring()
            await self._store.fold()
        return gone

    def _forget_sound(self) -> None:
        for table in self:
            if table.running is not None:
                table.running.voices.forget(self._clock.now())

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            self._forget_sound()  # a call of its own: a loop here would hold the last table while this sleeps
            try:
                await self.write_clocks()
            except SQLAlchemyError as error:
                logger.error("the clocks can't be written", error=type(error).__name__)

    async def _sweep(self) -> None:
        while True:
            try:
                await self.forget_words()
            except SQLAlchemyError as error:
                logger.error("old words can't be deleted now", error=type(error).__name__)
            try:
                await self.forget_evidence()
                await self.erase()
            except SQLAlchemyError as error:
                logger.error("old cases' words can't be deleted now", error=type(error).__name__)
            await asyncio.sleep(SWEEP_S)

    async def _load(self, table: str) -> Table:
        rows = await self._store.read(select(schema.tables).where(schema.tables.c.id == table))
        if not rows:
            raise KeyError(table)
        row = rows[0]
        try:
            made = self._make(row)
        except ValueError as error:
            logger.error("a table's row can't be read", table=table, error=type(error).__name__)
            raise KeyError(table) from error
        made.words_gone = row["words_gone_at"] is not None
        if not made.words_gone and is_up(row, self.keep_words_s, time.time()):
            # Else a page that comes back each time the table is closed would keep them from the sweep.
            await forget(self._store, table, time.time())
            made.words_gone = True
        for person in await self._store.read(select(schema.people).where(schema.people.c.table == table)):
            made.people[person["id"]] = _person(person)
        if made.state in ("running", "over"):
            await self._resume(made, row["now_s"])
        if made.state != "broken":
            self._begin(made)
        return made

    async def _resume(self, table: Table, now_s: object) -> None:
        try:
            rows = await self._store.read_log(table.id)
            # A clock that can't be read is that of the last entry.
            since_s = now_s if is_time(now_s) else 0.0
            table.resume([from_row(row, i) for i, row in enumerate(rows, 1)], since_s)
        except Exception as error:  # whatever a damaged log makes of the fold, the other tables go on
            reason = str(error) if isinstance(error, LogCorruptError) else type(error).__name__
            logger.error("a table can't be brought back", table=table.id, reason=reason)
            ended = {"ended_at": time.time()} if table.state == "running" else {}  # one that was over ended then
            table.state, table.reason = "broken", f"its log can't be read: {reason}"
            await self._store.write(
                [
                    update(schema.tables)
                    .where(schema.tables.c.id == table.id)
                    .values(state="broken", reason=table.reason, **ended)
                ]
            )

    def _make(self, row: RowMapping | Json) -> Table:
        options = json.loads(row["options"])
        return Table(
            self._store,
            self._clock,
            self._parts,
            self.docket,
            table=row["id"],
            name=row["name"],
            lang=row["lang"],
            ruleset=row["ruleset"],
            options=options,
            seats=row["seats"],
            rules=rules_or_none(row["ruleset"], options),
            owner=row["owner"],
            state=row["state"],
            reason=row["reason"],
        )

    def _begin(self, table: Table) -> None:
        self._tables[table.id] = table
        table.start()
        reaper = asyncio.create_task(self._reap(table))
        self._reapers.add(reaper)
        reaper.add_done_callback(self._reapers.discard)

    async def _reap(self, table: Table) -> None:
        await table.done()
        if self._tables.get(table.id) is table:
            del self._tables[table.id]


def _person(row: RowMapping) -> Person:
    return Person(row["id"], row["name"], row["place"], row["token_hash"], row["seat"], row["ready"])
