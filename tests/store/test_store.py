"""The database: its schema, its groups of writes, and what it refuses to open."""

from __future__ import annotations

import asyncio
import gc
import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, delete, event, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from voice.store import LogRow, Store, StoreError, schema
from voice.store import store as store_module
from voice.store.file import MAGIC, damage
from voice.store.store import append, sqlite_path

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    made = await Store.open(f"sqlite:///{tmp_path}/x.sqlite3")
    yield made
    await made.close()


def table(name: str) -> Any:
    row = {"id": name, "name": "", "lang": "en", "ruleset": "", "options": "{}", "seats": 10, "state": "running"}
    return insert(schema.tables).values({**row, "reason": "", "owner": "", "now_s": 0.0, "created_at": 0.0})


def entry(number: int) -> LogRow:
    return LogRow(number, number / 2, "passed", f'{{"number":{number}}}')


async def test_the_migrations_build_the_schema(store: Store) -> None:
    async with store.engine.connect() as connection:
        different = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync), schema.metadata)
        )
    assert different == []


async def test_a_database_of_the_first_version_gets_what_later_ones_have_and_keeps_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    first = await Store.open(f"sqlite:///{path}")
    await first.write([table("a"), append("a", [entry(1)])])
    await first.close()
    with closing(sqlite3.connect(path)) as old, old:
        for name in ("shadows", "rule_states", "audit", "accounts", "clips", "reports", "rulings"):
            old.execute(f"drop table {name}")
        for name in ("ix_people_account", "ix_flagged_claimed_by", "flagged_by_queue"):
            old.execute(f"drop index {name}")
        for column in ("account", "erase_at"):
            old.execute(f"alter table people drop column {column}")
        for column in ("queued_at", "claimed_by", "claimed_until", "ruled_by", "ruled_at", "words_gone_at"):
            old.execute(f"alter table flagged drop column {column}")
        for column in ("appeal_state", "appeal_text", "appealed_at"):
            old.execute(f"alter table flagged drop column {column}")
        old.execute(
            "insert into flagged values (1, 'a', '1', 1, 1, 'en', 'x', 'insult', 'clear', 0, '{}', '[]', 'check', 7.5,"
            " 'open', '')"
        )
        for column in ("code", "ended_at", "words_gone_at"):
            old.execute(f"alter table tables drop column {column}")
        old.execute("drop index ix_people_left_hash")
        old.execute("alter table people drop column left_hash")
        old.execute("update alembic_version set version_num = '0001'")
    again = await Store.open(f"sqlite:///{path}")
    (row,) = await again.read(select(schema.tables))
    assert (row["id"], row["code"], row["ended_at"], row["words_gone_at"]) == ("a", "", None, None)
    assert await again.read_log("a") == [entry(1)]
    (case,) = await again.read(select(schema.flagged))
    assert (case["at"], case["queued_at"], case["claimed_by"], case["appeal_state"]) == (7.5, 7.5, None, None)
    await again.close()


async def test_the_audit_is_append_only(store: Store) -> None:
    row = {"at": 1.0, "who": "host", "what": "claim", "case": 1, "table": None, "detail": "{}"}
    await store.write([insert(schema.audit).values(row)])
    for change in (update(schema.audit).values(who="nobody"), delete(schema.audit)):
        with pytest.raises(SQLAlchemyError):
            await store.write([change])
    (kept,) = await store.read(select(schema.audit))
    assert {name: kept[name] for name in row} == row


async def test_the_log_comes_back_in_order(store: Store) -> None:
    await store.write([table("a"), append("a", [entry(1), entry(2)])])
    await store.write([append("a", [entry(3)])])
    assert await store.read_log("a") == [entry(1), entry(2), entry(3)]
    assert await store.read_log("b") == []


async def test_the_log_beside_the_file_is_emptied_as_soon_as_no_other_program_reads(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    store = await Store.open(f"sqlite:///{path}")
    log = tmp_path / "x.sqlite3-wal"
    with closing(sqlite3.connect(path)) as other:
        other.execute("begin")
        other.execute("select * from tables").fetchall()
        await store.write([table("a"), append("a", [entry(1)])])
        await store.fold()
        assert log.stat().st_size > 0
    await store.fold()
    assert log.stat().st_size == 0
    async with store.engine.connect() as connection:
        assert (await connection.exec_driver_sql("PRAGMA busy_timeout")).scalar() == store_module.BUSY_MS
    await store.close()


async def test_a_number_is_taken_once_and_the_part_is_all_or_nothing(store: Store) -> None:
    await store.write([table("a"), append("a", [entry(1)])])
    with pytest.raises(IntegrityError):
        await store.write([append("a", [entry(2)]), append("a", [entry(1)])])
    assert await store.read_log("a") == [entry(1)]


async def test_one_tables_fault_does_not_touch_what_others_write_with_it(store: Store) -> None:
    await store.write([table("a"), table("b"), append("a", [entry(1)])])
    bad, good = await asyncio.gather(
        store.write([append("a", [entry(1)])]), store.write([append("b", [entry(1)])]), return_exceptions=True
    )
    assert isinstance(bad, IntegrityError)
    assert good is None
    assert await store.read_log("b") == [entry(1)]


async def test_what_the_driver_cannot_take_fails_alone_and_its_error_has_no_words(store: Store) -> None:
    unwritable = LogRow(1, 0.0, "line", "secret words \ud800")  # half of a surrogate pair: no UTF-8
    twice = LogRow(1, 0.0, "line", "secret words")
    await store.write([table("a"), table("b")])
    bad, good = await asyncio.gather(
        store.write([append("a", [unwritable])]), store.write([append("b", [twice])]), return_exceptions=True
    )
    assert isinstance(bad, SQLAlchemyError)
    assert good is None
    with pytest.raises(IntegrityError) as taken:
        await store.write([append("b", [twice])])
    assert "secret" not in f"{bad} {taken.value}"
    assert await store.read_log("b") == [twice]


async def test_what_was_written_is_on_the_disk_for_another_process(store: Store, tmp_path: Path) -> None:
    await store.write([table("a"), append("a", [entry(1)])])
    with closing(sqlite3.connect(tmp_path / "x.sqlite3")) as other:
        assert other.execute("select count(*) from log").fetchone() == (1,)
        assert other.execute("pragma journal_mode").fetchone() == ("wal",)


async def test_many_writers_at_once(store: Store) -> None:
    await store.write([table(f"t{i}") for i in range(30)])
    await asyncio.gather(*(store.write([append(f"t{i}", [entry(n)])]) for n in range(1, 21) for i in range(30)))
    for i in range(30):
        assert [row.number for row in await store.read_log(f"t{i}")] == list(range(1, 21))


async def test_who_gave_up_waiting_does_not_stop_the_writer(store: Store) -> None:
    waiting = asyncio.create_task(store.write([table("a")]))
    await asyncio.sleep(0)
    waiting.cancel()
    await store.write([table("b")])
    assert [row["id"] for row in await store.read(select(schema.tables.c.id).where(schema.tables.c.id == "b"))]


async def test_opened_again_it_has_what_it_had(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/x.sqlite3"
    first = await Store.open(url)
    await first.write([table("a"), append("a", [entry(1)])])
    await first.close()
    again = await Store.open(url)
    assert await again.read_log("a") == [entry(1)]
    await again.close()


async def test_a_page_that_was_overwritten_is_found_and_the_file_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    store = await Store.open(f"sqlite:///{path}")
    await store.write([table("a"), *(append("a", [entry(n)]) for n in range(1, 400))])
    await store.close()
    good = path.read_bytes()
    path.write_bytes(good[:8192] + b"\xff" * 8192 + good[16384:])
    bad = path.read_bytes()
    assert damage(path)
    with pytest.raises(StoreError, match="damaged"):
        await Store.open(f"sqlite:///{path}")
    assert path.read_bytes() == bad


def test_what_is_no_database_is_told_from_an_empty_or_absent_one(tmp_path: Path) -> None:
    path = tmp_path / "x"
    assert damage(path) is None
    path.touch()
    assert damage(path) is None
    path.write_bytes(b"text")
    assert damage(path) == "is not a SQLite database"
    path.write_bytes(MAGIC)
    assert damage(path) is not None
    assert damage(tmp_path) is not None


@pytest.mark.parametrize("url", ["", "x", "sqlite://", "sqlite:///:memory:", "postgresql://a:secret@b/c", "mysql://x"])
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(StoreError, match="--db") as error:
        sqlite_path(url)
    assert "secret" not in str(error.value)


async def refused(path: Path) -> str:
    """A database that is not opened and not changed: what is said of it."""
    before = path.read_bytes()  # noqa: ASYNC240 - a small file of a test
    with pytest.raises(StoreError) as error:
        await Store.open(f"sqlite:///{path}")
    assert path.read_bytes() == before  # noqa: ASYNC240 - the same
    assert "\n" not in str(error.value)
    return str(error.value)


def made(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    return path


@pytest.mark.parametrize("name", ["notes", "people", "tables"])
async def test_another_programs_database_is_left_alone(tmp_path: Path, name: str) -> None:
    path = made(tmp_path / "x", f"create table {name} (x)")
    assert "another program's" in await refused(path)


@pytest.mark.parametrize(
    ("taken", "said"),
    [("drop table log", "'log'"), ("alter table tables drop column reason", "'reason'")],
)
async def test_a_database_that_lacks_something_is_told_at_the_start(tmp_path: Path, taken: str, said: str) -> None:
    path = tmp_path / "x"
    await (await Store.open(f"sqlite:///{path}")).close()
    assert said in await refused(made(path, taken))


async def test_an_upgrade_that_breaks_off_leaves_nothing_half_done(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x"
    made_tables: list[str] = []

    def break_off(connection: Any, _cursor: object, statement: str, *_rest: object) -> None:
        if statement.strip().startswith("CREATE TABLE"):
            made_tables.append(statement)
        if len(made_tables) == 4:
            raise KeyboardInterrupt

    event.listen(Engine, "before_cursor_execute", break_off)
    try:
        with pytest.raises(KeyboardInterrupt):
            await Store.open(f"sqlite:///{path}")
    finally:
        event.remove(Engine, "before_cursor_execute", break_off)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("select count(*) from sqlite_master").fetchone() == (0,)
    await (await Store.open(f"sqlite:///{path}")).close()


async def test_a_database_that_somebody_else_holds_is_no_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    await (await Store.open(f"sqlite:///{path}")).close()
    monkeypatch.setattr(store_module, "BUSY_MS", 50)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin exclusive")
        said = await refused(path)
    assert "locked" in said
    assert "damaged" not in said


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x")
    assert damage(tmp_path / "x") == "is not a file"


@pytest.mark.parametrize("rubbish", [b"\x00" * 40_000, b"\x37\x7f\x06\x82" * 10_000, b"?" * 31])
async def test_rubbish_where_the_journal_was_costs_nothing_that_is_in_the_file(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "x"
    first = await Store.open(f"sqlite:///{path}")
    await first.write([table("a"), append("a", [entry(1)])])
    await first.close()
    (tmp_path / "x-wal").write_bytes(rubbish)
    (tmp_path / "x-shm").write_bytes(rubbish)
    again = await Store.open(f"sqlite:///{path}")
    assert await again.read_log("a") == [entry(1)]
    await again.write([append("a", [entry(2)])])
    await again.close()


async def test_whoever_asks_may_be_cancelled_at_any_moment_and_the_store_closed_at_once(tmp_path: Path) -> None:
    """A connection that is still made or used then is lost, and says so when it is collected."""

    async def sweep(store: Store) -> None:
        await store.read(select(schema.tables))
        await store.fold()

    for moment in range(150):
        store = await Store.open(f"sqlite:///{tmp_path}/x.sqlite3")
        sweeping = asyncio.create_task(sweep(store))
        await asyncio.sleep(moment / 20_000)
        sweeping.cancel()
        await store.close()
        await asyncio.gather(sweeping, return_exceptions=True)
        gc.collect()
