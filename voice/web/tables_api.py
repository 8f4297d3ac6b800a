"""Tables over HTTP: make one, look at an invitation, join."""

import time
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request

from engine import GameError
from voice.table.mail import Person, TableError
from voice.table.rules import offered
from voice.web.bodies import Joining, NewTable
from voice.web.errors import ApiError
from voice.web.keys import InviteError, new_id, new_token, token_hash
from voice.web.moderators import account_of, bearer, bind_seats

if TYPE_CHECKING:
    from voice.table.table import Table
    from voice.web.house import House


def routes(house: "House") -> APIRouter:
    """The routes under /api that make and join tables."""
    router = APIRouter(prefix="/api")

    @router.get("/rulesets")
    async def rulesets(request: Request) -> dict[str, Any]:
        await house.limiter.check("look", request)
        return {"rulesets": offered()}

    @router.post("/tables", status_code=201)
    async def create(request: Request, body: NewTable) -> dict[str, str]:
        await house.limiter.check("create", request)
        token = new_token()
        owner = Person(new_id(), body.display_name, 1, token_hash(token))
        try:
            table = await house.tables.create(new_id(), body.name, body.lang, body.ruleset, body.options, owner)
        except GameError as error:
            raise ApiError(422, "bad_options", str(error)) from error
        await _known(house, request, token)
        return {"table": table.id, "token": token, "invite": house.keys.invite(table.id)}

    @router.get("/invites/{invite}")
    async def look(request: Request, invite: str) -> dict[str, Any]:
        await house.limiter.check("look", request)
        table = await _invited(house, invite)
        people = sorted(table.people.values(), key=lambda person: person.place)
        return {
            "table": table.id,
            "name": table.name,
            "lang": table.lang,
            "ruleset": table.ruleset,
            "code": table.rules.code,
            "state": table.state,
            "people": [person.name for person in people],
            "seats": table.seats,
        }

    @router.post("/invites/{invite}/join", status_code=201)
    async def join(request: Request, invite: str, body: Joining) -> dict[str, str]:
        await house.limiter.check("join", request)
        table = await _invited(house, invite)
        if table.state == "broken":
            raise TableError("table_broken", f"this table had to be closed: {table.reason}")
        if table.state != "waiting":
            raise TableError("table_started", "the game at this table has begun")
        token = new_token()
        await table.join(Person(new_id(), body.display_name, 0, token_hash(token)))
        await _known(house, request, token)
        return {"table": table.id, "token": token}

    return router


async def _known(house: "House", request: Request, token: str) -> None:
    """Who sits down with an account does so as themselves: the seat is theirs, and not for them to judge."""
    account = await account_of(house, bearer(request) or "")
    if account is not None:
        await bind_seats(house, account, [token], time.time())


async def _invited(house: "House", invite: str) -> "Table":
    try:
        table = await house.tables.find(house.keys.invited(invite))
    except InviteError as error:
        if error.expired:
            raise ApiError(410, "invite_expired", "this invitation has expired: ask for a new one") from error
        raise ApiError(404, "invite_unknown", "this is not an invitation of this server") from error
    if table is None:
        raise ApiError(404, "no_table", "this table is gone: make a new one")
    return table
