"""`voicetable person`: what a server knows of somebody, given out and deleted, for the host whom they ask."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from voice.store import Store

DONE, FAILED, BAD_INPUT = 0, 1, 2


def run_export(
    table: str | None, seat: int | None, account: str | None, db: str | None, data: str | None, keys: str | None
) -> int:
    """Writes all that is kept of somebody, one JSON document for each table, to standard output."""
    from voice.clips.box import Box, ClipKeyError
    from voice.people.data import data_of

    path = Path(keys) if keys is not None else Path(data or "data") / "clip-keys"
    try:
        box = Box.kept(path) if path.exists() else Box.new()
    except ClipKeyError as error:
        return _bad(str(error))

    async def work(store: Store, people: list[str]) -> None:
        for person in people:
            print(json.dumps(await data_of(store, person, box), ensure_ascii=False))

    return _for_people(work, table, seat, account, db, data)


def run_erase(table: str | None, seat: int | None, account: str | None, db: str | None, data: str | None) -> int:
    """Deletes all that is kept of somebody, at the tables that have ended; at the others as soon as they have."""
    from voice.accounts import HOST
    from voice.people.erase import ask, erase_due

    async def work(store: Store, people: list[str]) -> None:
        now = time.time()
        for person in people:
            await ask(store, person, HOST.id, now)
        done = await erase_due(store, now)
        await store.fold()
        print(f"{len(people)} asked for, {done} deleted now", file=sys.stderr)

    return _for_people(work, table, seat, account, db, data)


def _for_people(
    work: Callable[[Store, list[str]], Awaitable[None]],
    table: str | None,
    seat: int | None,
    account: str | None,
    db: str | None,
    data: str | None,
) -> int:
    from sqlalchemy import select

    from voice.store import BadAddressError, Store, StoreError, schema
    from voice.store.store import sqlite_path
    from voice.table.lobby import name_key

    people, accounts = schema.people.c, schema.accounts.c
    if account is not None and table is None and seat is None:
        of = select(accounts.id).where(accounts.name_key == name_key(account))
        query = select(people.id).where(people.account.in_(of))
        nobody = f"nobody has sat at a table with the account {account!r}"
    elif account is None and table is not None and seat is not None:
        query = select(people.id).where(people.table == table, people.seat == seat)
        nobody = f"no person sat on seat {seat} of the table {table!r}"
    else:
        return _bad("expected --account, or --table with --seat")
    address = db or f"sqlite:///{Path(data or 'data') / 'voicetable.sqlite3'}"
    try:
        if not sqlite_path(address).exists():
            return _bad(f"there is no database {sqlite_path(address)}")
    except StoreError as error:
        return _bad(str(error))

    async def go() -> int:
        try:
            store = await Store.open(address)
        except StoreError as error:
            return _bad(str(error), BAD_INPUT if isinstance(error, BadAddressError) else FAILED)
        try:
            found = [row["id"] for row in await store.read(query)]
            if not found:
                return _bad(nobody)
            await work(store, found)
        finally:
            await store.close()
        return DONE

    return asyncio.run(go())


def _bad(message: str, status: int = BAD_INPUT) -> int:
    print(f"person: {message}", file=sys.stderr)
    return status
