"""Who asks: the holder of the server's own token, or a moderator with an account; and at which tables they sit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import or_, select, update

from voice.accounts import HOST, Account, by_token, seats_of
from voice.cases import audit
from voice.store import schema
from voice.web.errors import ApiError
from voice.web.guard import client_of
from voice.web.keys import token_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import HTTPConnection

    from voice.web.house import House


async def account_of(house: House, token: str) -> Account | None:
    """Whose token it is; None for nobody's."""
    if not token:
        return None
    return HOST if house.keys.moderates(token) else await by_token(house.store, token)


async def check_moderator(house: House, request: HTTPConnection, *, admin: bool = False) -> Account:
    """Who asks, a moderator. `admin`: an admin. Raises ApiError 401, 403 or 429."""
    who = await account_of(house, bearer(request) or "")
    if who is None:
        if not await house.limiter.allows("wrong token", client_of(request)):
            raise ApiError(429, "too_many", "too many wrong tokens: wait a minute", {"retry-after": "60"})
        raise ApiError(401, "bad_token", "open the moderators' link of this server", {"www-authenticate": "Bearer"})
    await house.limiter.check("moderate", request)
    if not who.moderates:
        raise ApiError(403, "not_a_moderator", "this account does not moderate")
    if admin and not who.hosts:
        raise ApiError(403, "not_an_admin", "only an admin can do that")
    return who


def bearer(request: HTTPConnection) -> str | None:
    """The token that a request came with; None without one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


async def sat_at(house: House, who: Account, table: str) -> bool:
    """Whether `who` is known to have sat at the table."""
    return bool(await house.store.read(seats_of(who).where(schema.people.c.table == table).limit(1)))


async def bind_seats(house: House, who: Account, tokens: Sequence[str], now: float) -> list[str]:
    """These seat tokens are `who`'s: the tables at which they sit now, as far as this was news.

    What they watch there is closed, and what they have in hand of there is free again.
    """
    people, hashes = schema.people.c, [token_hash(token) for token in tokens]
    theirs = or_(people.token_hash.in_(hashes), people.left_hash.in_(hashes)) & people.account.is_(None)
    tables = [row["table"] for row in await house.store.read(select(people.table).where(theirs).distinct())]
    if tables:
        cases = schema.flagged.c
        await house.store.write(
            [
                update(schema.people).where(theirs).values(account=who.id),
                update(schema.flagged)
                .where(cases.claimed_by == who.id, cases.table.in_(tables))
                .values(claimed_by=None, claimed_until=None),
                *(audit.entry(who.id, "sat down", now, table=table) for table in tables),
            ]
        )
        for table in tables:
            house.watching.close(who.id, table)
        house.tables.docket.ring()
    return tables


class Watching:
    """Which tables are watched by whom, so that nobody watches the table at which they play."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], set[Callable[[], None]]] = {}

    def add(self, who: str, table: str, close: Callable[[], None]) -> None:
        """`who` watches; `close` ends that."""
        self._open.setdefault((who, table), set()).add(close)

    def remove(self, who: str, table: str, close: Callable[[], None]) -> None:
        """Not any more."""
        calls = self._open.get((who, table))
        if calls is not None:
            calls.discard(close)
            if not calls:
                del self._open[who, table]

    def close(self, who: str, table: str) -> None:
        """End whatever `who` watches of the table."""
        for close in list(self._open.get((who, table), ())):
            close()
