"""How long the words of a game are kept, and their deletion.

A line keeps its place in the log, so that the game still folds; its text and its words are gone from there. What the
moderators' queue holds is kept with its case, not here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog
from sqlalchemy import LargeBinary, cast, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from voice.store import schema
from voice.table.records import without_words

if TYPE_CHECKING:
    from collections.abc import Collection

    from voice.store import Store

logger = structlog.get_logger(__name__)

LINES_AT_ONCE: Final = 50  # in one transaction: other tables' events wait for it
TABLES_AT_ONCE: Final = 100


def kept_until(ended_at: float | None, created_at: float, keep_s: float) -> float:
    """Until when (wall clock, s) the words of a table that has ended are kept; it is not known when old ones ended."""
    return (created_at if ended_at is None else ended_at) + keep_s


async def forget_words(store: Store, keep_s: float, now: float, at_work: Collection[str] = ()) -> int:
    """Delete the words of every table that ended `keep_s` before `now` (wall clock, s); of how many.

    Those `at_work` are left for another time: they hold their lines in memory. One that fails does not keep the others.
    Raises SQLAlchemyError where none can be found.
    """
    tables, ends = schema.tables.c, func.coalesce(schema.tables.c.ended_at, schema.tables.c.created_at)
    due = (
        select(tables.id)
        .where(tables.state.in_(("over", "broken")), tables.words_gone_at.is_(None), ends <= now - keep_s)
        .order_by(ends)
        .limit(TABLES_AT_ONCE + len(at_work))
    )
    found = [row["id"] for row in await store.read(due) if row["id"] not in at_work]
    gone = 0
    for table in found:
        try:
            await _forget(store, table, now)
        except SQLAlchemyError as error:  # the others' time is up all the same
            logger.error("the words of a table can't be deleted now", table=table, error=type(error).__name__)
            continue
        logger.info("the words of a table are deleted", table=table)
        gone += 1
    return gone


async def _forget(store: Store, table: str, now: float) -> None:
    log = schema.log
    body = cast(log.c.body, LargeBinary).label("body")  # a damaged one may be no text
    lines = await store.read(select(log.c.number, body).where(log.c.table == table, log.c.kind == "line"))
    for first in range(0, len(lines), LINES_AT_ONCE):
        await store.write(
            [
                update(log)
                .where(log.c.table == table, log.c.number == line["number"])
                .values(body=without_words(line["body"]))
                for line in lines[first : first + LINES_AT_ONCE]
            ]
        )
    await store.write([update(schema.tables).where(schema.tables.c.id == table).values(words_gone_at=now)])
