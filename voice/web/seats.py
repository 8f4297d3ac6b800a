"""Whose seat token a request came with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from voice.store import schema
from voice.web.errors import ApiError
from voice.web.guard import client_of
from voice.web.keys import token_hash
from voice.web.moderators import bearer

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from voice.web.house import House


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody at a table whose cards are dealt. `person`: their id."""

    person: str
    number: int


async def seated(house: House, request: HTTPConnection, table: str) -> Seat:
    """Who asks, with the token of a seat at this very table. Raises ApiError 401, 404 or 429."""
    people, shown = schema.people.c, token_hash(bearer(request) or "")
    # Who gave the seat up may still appeal, and have their data; who wants these deleted has nothing more to ask.
    theirs = or_(people.token_hash == shown, people.left_hash == shown) & people.erase_at.is_(None)
    rows = await house.store.read(select(people.id, people.table, people.seat).where(theirs))
    if not rows:
        if not await house.limiter.allows("wrong token", client_of(request)):
            raise ApiError(429, "too_many", "too many wrong tokens: wait a minute", {"retry-after": "60"})
        raise ApiError(401, "bad_token", "only who sat at this table can ask that", {"www-authenticate": "Bearer"})
    if rows[0]["table"] != table or rows[0]["seat"] is None:
        raise ApiError(404, "no_table", "there is no game of yours here")
    return Seat(rows[0]["id"], rows[0]["seat"])
