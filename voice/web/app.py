"""The server's ASGI application."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from fastapi import FastAPI, WebSocket

from voice.web import (
    cases_api,
    doctor_api,
    errors,
    figures_api,
    moderation_api,
    own_cases_api,
    own_data_api,
    pages,
    rules_api,
    tables_api,
    transcript_api,
)
from voice.web.console_socket import presence, serve_console
from voice.web.guard import Guard
from voice.web.socket import serve_socket

if TYPE_CHECKING:
    from voice.web.house import House


def create_app(house: House) -> FastAPI:
    """All routes of one server."""
    app = FastAPI(title="voicetable", docs_url=None, redoc_url=None, openapi_url=None)
    errors.install(app)
    app.add_middleware(Guard, origins=house.origins, tls=house.settings.tls_cert is not None)

    @app.get("/api/health")
    async def health() -> dict[str, object]:
        return {"ok": True, "version": installed_version()}

    @app.websocket("/ws")
    async def socket(websocket: WebSocket) -> None:
        await serve_socket(house, websocket)

    present = presence(house)

    @app.websocket("/ws/moderation")
    async def console(websocket: WebSocket) -> None:
        await serve_console(house, present, websocket)

    app.include_router(tables_api.routes(house))
    app.include_router(moderation_api.routes(house))
    app.include_router(cases_api.routes(house))
    app.include_router(own_cases_api.routes(house))
    app.include_router(own_data_api.routes(house))
    app.include_router(figures_api.routes(house))
    app.include_router(doctor_api.routes(house))
    app.include_router(rules_api.routes(house))
    app.include_router(transcript_api.routes(house))
    pages.install(app)
    return app


def installed_version() -> str:
    """The version of the installed package; `0` in a checkout that was never installed."""
    try:
        return version("voicetable")
    except PackageNotFoundError:
        return "0"
