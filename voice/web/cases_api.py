"""The moderators' cases over HTTP: flagged and reported lines, who has which in hand, their sound, and the rulings."""

import time
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from sqlalchemy import func, or_, select

from voice.cases import audit, claims
from voice.cases.docket import clip_of
from voice.cases.history import history
from voice.cases.outcomes import concerned
from voice.cases.rulings import ruling
from voice.clips.box import ClipLostError
from voice.store import schema
from voice.table import frames
from voice.table.mail import TableError
from voice.web import cases_shown
from voice.web.bodies import Ruling
from voice.web.errors import ApiError
from voice.web.moderators import check_moderator

if TYPE_CHECKING:
    from sqlalchemy import RowMapping, Select

    from voice.accounts import Account
    from voice.web.house import House

PAGE = 200  # cases of one answer
CaseId: TypeAlias = Annotated[int, Path(ge=0, lt=2**63)]  # what the database can hold
Text: TypeAlias = Annotated[str | None, Query(max_length=128)]
State: TypeAlias = Literal["open", "ruled", "appeals", "all"]

_CASE = schema.flagged.c


def routes(house: "House") -> APIRouter:
    """The routes under /api/moderation/lines; each asks for a moderator's token."""
    router = APIRouter(prefix="/api/moderation/lines")
    store = house.store

    @router.get("")
    async def listed(
        request: Request,
        state: State = "open",
        category: Text = None,
        lang: Text = None,
        source: Text = None,
        rule: Text = None,
        table: Text = None,
        moderator: Text = None,
        before: Annotated[int | None, Query(ge=0, lt=2**63)] = None,
    ) -> dict[str, Any]:
        who = await check_moderator(house, request)
        now = time.time()
        query = _in_state(cases_shown.JOINED.where(claims.anothers(who)), state, before)
        for column, value in ((_CASE.category, category), (_CASE.lang, lang), (_CASE.source, source)):
            query = query if value is None else query.where(column == value)
        if table is not None:
            query = query.where(_CASE.table == table)
        if rule is not None:
            query = query.where(func.instr(_CASE.why, f'"rule": "{rule}"') > 0)
        if moderator is not None:
            query = query.where(or_(_CASE.ruled_by == moderator, _CASE.ruled_by.in_(_named(moderator))))
        waiting = await store.read(
            select(func.count().label("count"))
            .select_from(schema.flagged)
            .where(claims.waiting(), claims.judgeable(who), claims.free(now))
        )
        own = await store.read(
            select(func.count().label("count"))
            .select_from(schema.flagged)
            .where(claims.waiting(), ~claims.anothers(who))
        )
        return {
            "lines": await cases_shown.shown(store, await store.read(query), who, now),
            "waiting": waiting[0]["count"],
            "own_tables": own[0]["count"],
        }

    @router.post("/claim")
    async def claim_next(request: Request) -> dict[str, Any]:
        who = await check_moderator(house, request)
        case = await claims.claim_oldest(store, who, time.time())
        house.tables.docket.ring()
        return {"line": None if case is None else await _detail(house, case, who)}

    @router.get("/{case}")
    async def one(request: Request, case: CaseId) -> dict[str, Any]:
        who = await check_moderator(house, request)
        return await _detail(house, case, who)

    @router.post("/{case}/claim")
    async def claim(request: Request, case: CaseId) -> dict[str, Any]:
        who = await check_moderator(house, request)
        try:
            await claims.claim(store, case, who, time.time())
        except claims.ClaimError as error:
            raise _api(error) from error
        finally:
            house.tables.docket.ring()
        return await _detail(house, case, who)

    @router.post("/{case}/release")
    async def release(request: Request, case: CaseId) -> dict[str, Any]:
        who = await check_moderator(house, request)
        if await claims.held_by(store, who, time.time()) == case:
            await claims.release(store, who, time.time(), why="let go")
            house.tables.docket.ring()
        return await _detail(house, case, who)

    @router.post("/{case}/ruling")
    async def rule(request: Request, case: CaseId, body: Ruling) -> dict[str, Any]:
        who = await check_moderator(house, request)
        row = await _row(house, case, who)
        try:
            await claims.hold(store, case, who, time.time())
        except claims.ClaimError as error:
            raise _api(error) from error
        await _carry_out(house, row, body, who)
        return await _detail(house, case, who)

    @router.get("/{case}/clip")
    async def clip(request: Request, case: CaseId) -> Response:
        who = await check_moderator(house, request)
        row = await _row(house, case, who)
        clips = schema.clips.c
        rows = await store.read(select(schema.clips).where(clips.table == row["table"], clips.line == row["line"]))
        if not rows:
            raise ApiError(404, "no_clip", "there is no sound of this line")
        try:
            sound = house.tables.docket.box.open(rows[0]["key"], rows[0]["body"], clip_of(row["table"], row["line"]))
        except ClipLostError as error:
            raise ApiError(410, "clip_lost", f"the sound of this line can't be decrypted: {error}") from error
        await store.write([audit.entry(who.id, "listened", time.time(), case=case), claims.renewed(who, time.time())])
        return Response(sound, media_type="audio/ogg")

    return router


def _in_state(query: "Select[Any]", state: State, before: int | None) -> "Select[Any]":
    """What waits comes oldest first, what is decided newest first."""
    if state == "open":
        return query.where(claims.waiting()).order_by(_CASE.queued_at, _CASE.id).limit(PAGE)
    if state == "appeals":
        query = query.where(_CASE.appeal_state.is_not(None))
    elif state == "ruled":
        query = query.where(_CASE.state != "open")
    if before is not None:
        query = query.where(_CASE.id < before)
    return query.order_by(_CASE.id.desc()).limit(PAGE)


def _named(name: str) -> "Select[tuple[str]]":
    return select(schema.accounts.c.id).where(schema.accounts.c.name == name)


async def _carry_out(house: "House", row: "RowMapping", body: Ruling, who: "Account") -> None:
    """Keep the ruling, let the game have it where it is still at work, and tell whom it concerns."""
    kept = ruling(row["id"], who, body.uphold, body.reason, time.time())
    table = await house.tables.find(row["table"])
    try:
        if table is None or table.ended.is_set() or table.running is None:
            raise TableError("busy", "closed")
        await table.rule(row["line"], body.uphold, row["category"], kept)
    except TableError:
        # The table is closed for good: the ruling is kept with the line all the same.
        if table is not None and table.running is not None and not table.ended.is_set():
            raise
        await house.store.write(kept)
    if table is not None and not table.ended.is_set():
        people = await concerned(house.store, row["table"], row["line"], row["seat"])
        table.audience.put_to(people, "cases", frames.cases())
    house.tables.docket.ring()


async def _row(house: "House", case: int, who: "Account") -> "RowMapping":
    rows = await house.store.read(cases_shown.JOINED.where(_CASE.id == case))
    if not rows:
        raise ApiError(404, "no_line", "there is no such line")
    if not await house.store.read(select(_CASE.id).where(_CASE.id == case, claims.anothers(who))):
        raise ApiError(403, "own_table", "you sat at this table: somebody else must judge its cases")
    row: RowMapping = rows[0]
    return row


async def _detail(house: "House", case: int, who: "Account") -> dict[str, Any]:
    row = await _row(house, case, who)
    (found,) = await cases_shown.shown(house.store, [row], who, time.time())
    return {
        **found,
        "earlier": await cases_shown.earlier(house.store, row),
        "history": await history(house.store, case),
    }


def _api(error: claims.ClaimError) -> ApiError:
    return ApiError(
        404 if error.code == "no_line" else 403 if error.code.startswith("own") else 409, error.code, error.message
    )
