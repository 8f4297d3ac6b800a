"""The deletion of what is kept of somebody who sat at a table.

Their name, their words, the sound of their cases, what they wrote and whom they reported are gone; the game still
folds: a seat spoke, from when to when. A case that waits for a person keeps its words until it is decided, so that
nobody gets rid of the evidence, and for the declared time at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog
from sqlalchemy import LargeBinary, and_, cast, delete, exists, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from voice.cases import audit
from voice.cases.claims import waiting
from voice.cases.retention import forget_where
from voice.store import schema
from voice.table.records import spoken_by, without_words

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import RowMapping

    from voice.store import Store

logger = structlog.get_logger(__name__)

LINES_AT_ONCE: Final = 50
GONE: Final = "—"
"""The name of who was erased, wherever names are shown."""

_PEOPLE = schema.people.c
_CASE = schema.flagged.c


async def ask(store: Store, person: str, who: str, now: float) -> None:
    """Somebody wants their data deleted: from now on the seat's token opens nothing. `who` asks, for the audit."""
    await store.write(
        [
            update(schema.people)
            .where(_PEOPLE.id == person, _PEOPLE.erase_at.is_(None))
            .values(erase_at=now, token_hash=None, left_hash=None),
            audit.entry(who, "erasure asked", now, detail={"person": person}),
        ]
    )


async def erase_due(store: Store, now: float, at_work: Collection[str] = ()) -> int:
    """Delete the data of all who asked for it, whose tables have ended and are not `at_work`; of how many people.

    One that fails does not keep the others. Raises SQLAlchemyError where none can be found.
    """
    theirs = and_(_CASE.table == _PEOPLE.table, _CASE.seat == _PEOPLE.seat)
    rows = await store.read(
        select(schema.people)
        .join(schema.tables, schema.tables.c.id == _PEOPLE.table)
        .where(
            _PEOPLE.erase_at.is_not(None),
            schema.tables.c.state.in_(("over", "broken")),
            or_(_PEOPLE.name != GONE, exists().where(theirs, _CASE.words_gone_at.is_(None), ~waiting())),
        )
    )
    gone = 0
    for row in rows:
        if row["table"] in at_work:
            continue
        try:
            await _erase(store, row, now)
        except SQLAlchemyError as error:
            logger.error("a person's data can't be deleted now", table=row["table"], error=type(error).__name__)
            continue
        gone += 1
    return gone


async def _erase(store: Store, row: RowMapping, now: float) -> None:
    table, seat, log = row["table"], row["seat"], schema.log
    if seat is not None:
        body = cast(log.c.body, LargeBinary).label("body")  # a damaged one may be no text
        lines = await store.read(select(log.c.number, body).where(log.c.table == table, log.c.kind == "line"))
        own = [line for line in lines if spoken_by(line["body"]) == seat]
        for first in range(0, len(own), LINES_AT_ONCE):
            await store.write(
                [
                    update(log)
                    .where(log.c.table == table, log.c.number == line["number"])
                    .values(body=without_words(line["body"]))
                    for line in own[first : first + LINES_AT_ONCE]
                ]
            )
        await forget_where(store, and_(_CASE.table == table, _CASE.seat == seat, ~waiting()), now)
        shadows = schema.shadows.c
        await store.write([update(schema.shadows).where(shadows.table == table, shadows.seat == seat).values(text="")])
    if row["name"] == GONE:
        return
    await store.write(
        [
            delete(schema.reports).where(schema.reports.c.table == table, schema.reports.c.person == row["id"]),
            update(schema.people)
            .where(_PEOPLE.id == row["id"])
            .values(name=GONE, name_key=f"gone {row['id']}", account=None, token_hash=None, left_hash=None),
            audit.entry(audit.SERVER, "erased", now, table=table, detail={"person": row["id"]}),
        ]
    )
    logger.info("a person's data are deleted", table=table)
