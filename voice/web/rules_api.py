"""The rules over HTTP: of each ruleset, and of a table by the short code of its rules, as a page and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from engine import GameError
from engine.code import read_code
from engine.rulebook import Lang, Page, rulebook
from engine.rulesets import names
from voice.rules.html import html
from voice.rules.style import CSS
from voice.web.errors import ApiError

if TYPE_CHECKING:
    from voice.web.house import House

STYLE: Final = "/rules/style.css"
"""The page's style has an address of its own, as the server allows none within a page."""

ICON: Final = "/favicon.svg"

Language = Annotated[Lang, Query()]


def routes(house: House) -> APIRouter:
    """The routes under /rules and /api/rules. `code` is a ruleset's name or code, such as `quick1:seats=8,runoff`."""
    router = APIRouter()

    @router.get("/api/rules/{code}")
    async def as_json(request: Request, code: str, lang: Language = "en") -> dict[str, Any]:
        await house.limiter.check("look", request)
        return _page(code, lang).to_json()

    @router.get(STYLE, include_in_schema=False)
    async def style() -> Response:
        return Response(CSS, media_type="text/css")

    @router.get("/rules/{code}", include_in_schema=False)
    async def one(request: Request, code: str, lang: Language = "en") -> Response:
        await house.limiter.check("look", request)
        return HTMLResponse(html([_page(code, lang)], STYLE, ICON))

    @router.get("/rules", include_in_schema=False)
    async def every(request: Request, lang: Language = "en") -> Response:
        await house.limiter.check("look", request)
        return HTMLResponse(html([rulebook(name, None, lang) for name in names()], STYLE, ICON))

    return router


def _page(code: str, lang: Lang) -> Page:
    try:
        ruleset, options = (code, {}) if code in names() else read_code(code)
        return rulebook(ruleset, options, lang)
    except GameError as why:
        raise ApiError(404, "not_found", str(why)) from why
