"""`voicetable user`: accounts of moderators, admins and players. The server may be at work meanwhile."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from voice.store import Store

DONE, FAILED, BAD_INPUT = 0, 1, 2


def run_add(name: str, role: str, db: str | None, data: str | None) -> int:
    """Makes an account; its token, which is told this once, on standard output."""
    from voice.accounts import ROLES, add
    from voice.web.bodies import clean

    chosen = next((each for each in ROLES if each == role), None)
    if chosen is None:
        return _bad(f"--role: expected one of {', '.join(ROLES)}, got {role!r}")
    try:
        name = clean(name)
    except ValueError as error:
        return _bad(f"NAME: {error}")

    async def work(store: Store) -> None:
        _tell(await add(store, name, chosen), moderates=chosen != "player")

    return _with_store(work, db, data)


def run_token(name: str, db: str | None, data: str | None) -> int:
    """Gives an account a new token; the old one opens nothing any more."""
    from voice.accounts import listed, renew

    async def work(store: Store) -> None:
        token = await renew(store, name)
        roles = {row["name"].casefold(): row["role"] for row in await listed(store)}
        _tell(token, moderates=roles.get(name.casefold()) != "player")

    return _with_store(work, db, data)


def run_list(db: str | None, data: str | None) -> int:
    """All accounts, one a line: name, role, since when, and whether it is disabled."""
    from voice.accounts import listed

    async def work(store: Store) -> None:
        for row in await listed(store):
            since = datetime.fromtimestamp(row["created_at"], UTC).date()
            state = "active" if row["disabled_at"] is None else "disabled"
            print(row["name"], row["role"], since, state, sep="\t")

    return _with_store(work, db, data)


def run_disable(name: str, db: str | None, data: str | None) -> int:
    """The account's token opens nothing any more; what it did stays in the record."""
    from voice.accounts import disable

    async def work(store: Store) -> None:
        await disable(store, name)
        print(f"{name} is disabled", file=sys.stderr)

    return _with_store(work, db, data)


def _tell(token: str, *, moderates: bool) -> None:
    print(token)
    where = "open SERVER/#/moderate/TOKEN" if moderates else "the app takes it at SERVER/#/account/TOKEN"
    print(f"This is the token, told this once: {where}. `voicetable user token NAME` makes another.", file=sys.stderr)


def _with_store(work: Callable[[Store], Awaitable[None]], db: str | None, data: str | None) -> int:
    from voice.accounts import AccountError
    from voice.store import BadAddressError, Store, StoreError

    folder = Path(data or "data")

    async def go() -> int:
        try:
            store = await Store.open(db or f"sqlite:///{folder / 'voicetable.sqlite3'}")
        except StoreError as error:
            return _bad(str(error), BAD_INPUT if isinstance(error, BadAddressError) else FAILED)
        try:
            await work(store)
        except AccountError as error:
            return _bad(str(error))
        finally:
            await store.close()
        return DONE

    if db is None:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            return _bad(f"--data: the folder {folder} can't be used: {error.strerror}")
    return asyncio.run(go())


def _bad(message: str, status: int = BAD_INPUT) -> int:
    print(f"user: {message}", file=sys.stderr)
    return status
