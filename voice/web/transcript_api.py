"""The transcript of a game over HTTP, for those who took part; and what this server keeps of what is said."""

import time
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from sqlalchemy import or_, select

from engine.review.log import LogError
from voice.store import schema
from voice.table.names import bot_name
from voice.table.records import LogCorruptError, Started, from_row
from voice.table.retention import ENDED, is_up, kept_until
from voice.table.transcript import Reader, may_read, transcript
from voice.web.errors import ApiError
from voice.web.guard import client_of
from voice.web.keys import token_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import RowMapping

    from voice.table.records import Entry
    from voice.web.house import House


def routes(house: "House") -> APIRouter:
    """The transcript asks for the token of a seat at that table."""
    router = APIRouter(prefix="/api")

    @router.get("/privacy")
    async def privacy(request: Request) -> dict[str, float]:
        await house.limiter.check("look", request)
        told = house.settings
        return {
            "transcript_days": told.transcript_days,
            "evidence_days": told.evidence_days,
            "sound_s": told.clip_memory_s,
        }

    @router.get("/tables/{table}/transcript")
    async def read(request: Request, table: str) -> dict[str, Any]:
        await house.limiter.check("look", request)
        reader = await _reader(house, request)
        (row,) = await house.store.read(select(schema.tables).where(schema.tables.c.id == reader.table))
        ended = row["state"] in ENDED
        if not may_read(reader, table, over=ended):
            raise ApiError(404, "no_table", "there is no game here that you may read")
        assert reader.seat is not None, "who may read has a seat"
        if row["words_gone_at"] is not None or is_up(row, house.tables.keep_words_s, time.time()):
            raise ApiError(410, "transcript_gone", "the time for which the words are kept is over")
        try:
            entries = [from_row(each, i) for i, each in enumerate(await house.store.read_log(table), 1)]
            people = await house.store.read(select(schema.people).where(schema.people.c.table == table))
            seated = _seated(row["lang"], entries, people)
            lines = transcript(entries, reader.seat)
        except (LogCorruptError, LogError) as error:
            raise ApiError(409, "table_broken", "the log of this game can't be read") from error
        return {
            "table": table,
            "name": row["name"],
            "lang": row["lang"],
            "ruleset": row["ruleset"],
            "code": row["code"],
            "state": row["state"],
            "seat": reader.seat,
            "people": seated,
            "ended_at": row["ended_at"],
            "kept_until": kept_until(row["ended_at"], row["created_at"], house.tables.keep_words_s) if ended else None,
            "lines": lines,
        }

    return router


async def _reader(house: "House", request: Request) -> Reader:
    """Whose seat token the request has. Raises ApiError 401 or 429 where it has none of this server's."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    people, shown = schema.people.c, token_hash(token.strip())
    theirs = or_(people.token_hash == shown, people.left_hash == shown) & people.erase_at.is_(None)
    query = select(people.table, people.seat, people.left_hash).where(theirs)
    rows = await house.store.read(query) if kind.lower() == "bearer" else []
    if not rows:
        if not await house.limiter.allows("wrong token", client_of(request)):
            raise ApiError(429, "too_many", "too many wrong tokens: wait a minute", {"retry-after": "60"})
        raise ApiError(401, "bad_token", "only who sat at this table can read it", {"www-authenticate": "Bearer"})
    return Reader(rows[0]["table"], rows[0]["seat"], left=rows[0]["left_hash"] is not None)


def _seated(lang: str, entries: "Sequence[Entry]", people: "Sequence[RowMapping]") -> dict[str, dict[str, Any]]:
    """Who sat where, by seat, as `seated` told it. Raises LogCorruptError for a log without a deal."""
    started = entries[0].body if entries else None
    if not isinstance(started, Started):
        raise LogCorruptError("the log does not begin with a deal")
    names = {person["id"]: person["name"] for person in people}
    return {
        str(seat): {
            "name": names.get(started.seats.get(seat, ""), bot_name(seat, lang)),
            "bot": seat in started.bots,
        }
        for seat in range(1, len(started.seats) + len(started.bots) + 1)
    }
