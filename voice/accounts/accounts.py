"""The accounts in the database. A token is shown once, when it is made; kept is its hash alone."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from voice.cases import audit
from voice.store import schema
from voice.table.lobby import name_key
from voice.web.keys import new_token, token_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import RowMapping, Select

    from voice.store import Store

Role: TypeAlias = Literal["player", "moderator", "admin"]
ROLES: Final[tuple[Role, ...]] = ("player", "moderator", "admin")


class AccountError(Exception):
    """Something that can't be done with an account; one line that says why."""


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who is known by name. `moderates` and `hosts` are what the role allows."""

    id: str
    name: str
    role: Role

    @property
    def moderates(self) -> bool:
        """Whether they may see the cases and rule on them."""
        return self.role in ("moderator", "admin")

    @property
    def hosts(self) -> bool:
        """Whether they may do what concerns all: people's data, and which rules are in the shadow."""
        return self.role == "admin"


HOST: Final = Account("host", "host", "admin")
"""Whoever holds the token in the data folder: it needs no account."""


async def by_token(store: Store, token: str) -> Account | None:
    """Whose token it is; None for nobody's, and for an account that was disabled."""
    accounts = schema.accounts.c
    rows = await store.read(
        select(accounts.id, accounts.name, accounts.role).where(
            accounts.token_hash == token_hash(token), accounts.disabled_at.is_(None)
        )
    )
    return Account(rows[0]["id"], rows[0]["name"], rows[0]["role"]) if rows else None


async def add(store: Store, name: str, role: Role) -> str:
    """A new account; its token. Raises AccountError for a name that is taken."""
    if name_key(name) == HOST.name:
        raise AccountError(f"the name {HOST.name!r} is that of who holds the server's own token: choose another")
    taken = f"there is an account named {name!r} already: see `voicetable user list`"
    if await store.read(select(schema.accounts.c.id).where(schema.accounts.c.name_key == name_key(name))):
        raise AccountError(taken)
    token, now = new_token(), time.time()
    made = Account(secrets.token_urlsafe(9), name, role)
    row = {"id": made.id, "name": name, "name_key": name_key(name), "role": role, "token_hash": token_hash(token)}
    try:
        await store.write(
            [
                insert(schema.accounts).values(**row, created_at=now, disabled_at=None),
                audit.entry(HOST.id, "account added", now, detail={"account": made.id, "role": role}),
            ]
        )
    except IntegrityError as error:
        raise AccountError(taken) from error
    return token


async def renew(store: Store, name: str) -> str:
    """A new token in place of the old one, which opens nothing any more; an account that was disabled is so no more.

    Raises AccountError where there is no such account.
    """
    row = await _known(store, name)
    token = new_token()
    await store.write(
        [
            update(schema.accounts)
            .where(schema.accounts.c.id == row["id"])
            .values(token_hash=token_hash(token), disabled_at=None),
            audit.entry(HOST.id, "account renewed", time.time(), detail={"account": row["id"]}),
        ]
    )
    return token


async def disable(store: Store, name: str) -> None:
    """Its token opens nothing any more, what it held is free again; what it did stays. Raises AccountError."""
    row = await _known(store, name)
    now = time.time()
    await store.write(
        [
            update(schema.accounts).where(schema.accounts.c.id == row["id"]).values(disabled_at=now),
            update(schema.flagged)
            .where(schema.flagged.c.claimed_by == row["id"])
            .values(claimed_by=None, claimed_until=None),
            audit.entry(HOST.id, "account disabled", now, detail={"account": row["id"]}),
        ]
    )


async def listed(store: Store) -> Sequence[RowMapping]:
    """All accounts in the order of their making: `name`, `role`, `created_at`, `disabled_at`."""
    accounts = schema.accounts.c
    return await store.read(
        select(accounts.id, accounts.name, accounts.role, accounts.created_at, accounts.disabled_at).order_by(
            accounts.created_at, accounts.id
        )
    )


def seats_of(account: Account) -> Select[tuple[str]]:
    """The tables at which this account is known to have sat: they and their cases are not for it to judge."""
    return select(schema.people.c.table).where(schema.people.c.account == account.id)


async def _known(store: Store, name: str) -> RowMapping:
    rows = await store.read(select(schema.accounts).where(schema.accounts.c.name_key == name_key(name)))
    if not rows:
        raise AccountError(f"there is no account named {name!r}: see `voicetable user list`")
    return rows[0]
