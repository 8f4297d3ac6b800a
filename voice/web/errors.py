"""An error as HTTP tells it: the status and `{"error": {"code", "message"}}`."""

from typing import TYPE_CHECKING, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from voice.table.mail import TableError

if TYPE_CHECKING:
    from collections.abc import Mapping

STATUS: Final[dict[str, int]] = {
    "table_started": 409,
    "table_full": 409,
    "name_taken": 409,
    "table_broken": 409,
    "busy": 503,
    "server_full": 503,
}
CODES: Final[dict[int, str]] = {400: "bad_request", 404: "not_found", 405: "method_not_allowed"}


class ApiError(Exception):
    """An answer other than success."""

    def __init__(self, status: int, code: str, message: str, headers: "Mapping[str, str] | None" = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers


def body(code: str, message: str) -> dict[str, dict[str, str]]:
    """The form of every error."""
    return {"error": {"code": code, "message": message}}


def install(app: FastAPI) -> None:
    """Make every error of the app take that form."""

    @app.exception_handler(ApiError)
    async def api(_request: Request, error: ApiError) -> JSONResponse:
        return JSONResponse(body(error.code, error.message), error.status, error.headers)

    @app.exception_handler(TableError)
    async def table(_request: Request, error: TableError) -> JSONResponse:
        return JSONResponse(body(error.code, error.message), STATUS.get(error.code, 409))

    @app.exception_handler(OperationalError)
    async def unwritable(_request: Request, _error: OperationalError) -> JSONResponse:
        # The disk is full, or another program holds the file; the store has logged it.
        return JSONResponse(body("busy", "the server can't write now: try again in a moment"), 503)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")
        message = f"{where or 'the body'}: {first['msg'].removeprefix('Value error, ')}"
        code = "consent_needed" if where == "consent" else "bad_request"
        return JSONResponse(body(code, message), 422)

    @app.exception_handler(HTTPException)
    async def http(_request: Request, error: HTTPException) -> JSONResponse:
        code = CODES.get(error.status_code, "http")
        return JSONResponse(body(code, str(error.detail)), error.status_code, error.headers)
