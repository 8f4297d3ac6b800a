"""How long the words of a game are kept, and their deletion.

A line keeps its place in the log, so that the game still folds; its text and its words are gone from there. What the
moderators' queue holds is kept with its case, not here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog
from sqlalchemy import LargeBinary, cast, exists, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from voice.store import schema
from voice.table.records import without_words

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import RowMapping

    from voice.store import Store

logger = structlog.get_logger(__name__)

LINES_AT_ONCE: Final = 50  # in one transaction: other tables' events wait for it
ENDED: Final = ("over", "broken")


def kept_until(ended_at: float | None, created_at: float, keep_s: float) -> float:
    """Until when (wall clock, s) the words of a table that has ended are kept; it is not known when old ones ended."""
    return (created_at if ended_at is None else ended_at) + keep_s


def is_up(row: RowMapping, keep_s: float, now: float) -> bool:
    """Whether a table (its row) has ended so long before `now` (wall clock, s) that its words may not be there."""
    return row["state"] in ENDED and kept_until(row["ended_at"], row["created_at"], keep_s) <= now


async def forget_words(store: Store, keep_s: float, now: float, at_work: Collection[str] = ()) -> int:
    """Delete the words of every table that ended `keep_s` before `now` (wall clock, s); of how many.

    Those `at_work` are left for another time: they hold their lines in memory. One that fails does not keep the others.
    Raises SQLAlchemyError where none can be found.
    """
    tables, ends = schema.tables.c, func.coalesce(schema.tables.c.ended_at, schema.tables.c.created_at)
    due = select(tables.id).where(tables.state.in_(ENDED), tables.words_gone_at.is_(None), ends <= now - keep_s)
    gone = 0
    for table in [row["id"] for row in await store.read(due.order_by(ends))]:
        if table in at_work:  # by now: others may have been brought back meanwhile
            continue
        try:
            await forget(store, table, now)
        except SQLAlchemyError as error:  # the others' time is up all the same
            logger.error("the words of a table can't be deleted now", table=table, error=type(error).__name__)
            continue
        gone += 1
    return gone


async def forget(store: Store, table: str, now: float) -> None:
    """Delete the words of one table. Raises SQLAlchemyError."""
    log, row = schema.log, schema.tables
    body = cast(log.c.body, LargeBinary).label("body")  # a damaged one may be no text
    query = select(log.c.number, body).where(log.c.table == table, log.c.kind == "line").order_by(log.c.number)
    lines = await store.read(query)
    for first in range(0, len(lines), LINES_AT_ONCE):
        await store.write(
            [
                update(log)
                .where(log.c.table == table, log.c.number == line["number"])
                .values(body=without_words(line["body"]))
                for line in lines[first : first + LINES_AT_ONCE]
            ]
        )
    last = lines[-1]["number"] if lines else 0
    later = exists().where(log.c.table == table, log.c.kind == "line", log.c.number > last)
    # Somebody may have come back and spoken meanwhile: those words wait for the next time.
    await store.write([update(row).where(row.c.id == table, ~later).values(words_gone_at=now)])
    logger.info("the words of a table are deleted", table=table)
