"""Figures of the check, and its rules in the shadow, over HTTP: for moderators, and admins, who place the rules."""

import time
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request
from sqlalchemy import func, select

from moderation.shadow import known_rules
from voice.cases.figures import figures
from voice.cases.shadow import in_shadow, put
from voice.store import schema
from voice.web.bodies import RuleState
from voice.web.cases_shown import account_names
from voice.web.errors import ApiError
from voice.web.moderators import check_moderator

if TYPE_CHECKING:
    from voice.web.house import House

DAY_S = 86_400.0
SHOWN = 200  # lines of one rule


def routes(house: "House") -> APIRouter:
    """The routes under /api/moderation."""
    router = APIRouter(prefix="/api/moderation")
    store = house.store

    @router.get("/figures")
    async def told(request: Request, days: Annotated[float, Query(gt=0, le=3650)] = 30.0) -> dict[str, Any]:
        await check_moderator(house, request)
        return await figures(store, time.time() - days * DAY_S)

    @router.get("/rules")
    async def rules(request: Request) -> dict[str, Any]:
        await check_moderator(house, request)
        names = await account_names(store)
        states, shadows = schema.rule_states.c, schema.shadows.c
        counts = {
            row["rule"]: row["count"]
            for row in await store.read(
                select(shadows.rule, func.count().label("count"))
                .join(schema.rule_states, (states.rule == shadows.rule) & (shadows.at >= states.at))
                .group_by(shadows.rule)
            )
        }
        rows = await store.read(select(schema.rule_states).order_by(states.at.desc()))
        return {
            "rules": [
                {
                    **{name: row[name] for name in ("rule", "state", "at")},
                    "by": names.get(row["by"], row["by"]),
                    "lines": counts.get(row["rule"], 0) if row["state"] == "shadow" else None,
                }
                for row in rows
            ]
        }

    @router.post("/rules")
    async def place(request: Request, body: RuleState) -> dict[str, Any]:
        who = await check_moderator(house, request, admin=True)
        if body.rule not in known_rules():
            raise ApiError(404, "no_rule", "there is no such rule")
        await put(store, body.rule, body.state, who, time.time())
        house.tables.docket.shadow = await in_shadow(store)
        house.tables.docket.ring()
        return {"rule": body.rule, "state": body.state}

    @router.get("/shadow")
    async def lines(request: Request, rule: Annotated[str, Query(max_length=128)]) -> dict[str, Any]:
        await check_moderator(house, request)
        shadows = schema.shadows.c
        rows = await store.read(
            select(schema.shadows)
            .where(shadows.rule == rule, shadows.text != "")
            .order_by(shadows.id.desc())
            .limit(SHOWN)
        )
        shown = ("lang", "text", "category", "severity", "flagged", "at")
        return {"lines": [{name: row[name] for name in shown} for row in rows]}

    return router
