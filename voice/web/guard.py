"""What stands before every request: whose page it comes from, how much and how often, and headers for the browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import structlog
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter

from voice.table.faults import place
from voice.web.errors import ApiError, body

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, MutableMapping
    from typing import Any

    from starlette.requests import HTTPConnection
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = structlog.get_logger(__name__)

BODY_LIMIT: Final = 64 * 1024

LIMITS: Final[Mapping[str, RateLimitItem]] = {
    "create": RateLimitItemPerMinute(30),
    "join": RateLimitItemPerMinute(60),
    "look": RateLimitItemPerMinute(240),
    "moderate": RateLimitItemPerMinute(240),
    "wrong token": RateLimitItemPerMinute(20),
    "connect": RateLimitItemPerMinute(120),
}

HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "style-src-attr 'unsafe-inline'",  # a seat's place on the table is a style of its element
            "img-src 'self' data:",
            "font-src 'self'",
            "media-src 'self' blob:",
            "worker-src 'self' blob:",
            "connect-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "microphone=(self), camera=(), geolocation=()",
}
HSTS: Final = "max-age=31536000"


class Limiter:
    """How often one address may do a thing; per process, in memory."""

    def __init__(self, *, on: bool) -> None:
        self._on = on
        self._limiter = FixedWindowRateLimiter(MemoryStorage())

    async def allows(self, what: str, client: str) -> bool:
        """Count one more `what` (a key of LIMITS) of `client`; False when it is too often."""
        return not self._on or await self._limiter.hit(LIMITS[what], what, client)

    async def check(self, what: str, connection: HTTPConnection) -> None:
        """The same for a request. Raises ApiError 429."""
        if not await self.allows(what, client_of(connection)):
            raise ApiError(429, "too_many", "too many requests: wait a minute", {"retry-after": "60"})


class Open:
    """How many connections each address has open; who has none is not kept."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, key: str, most: int) -> bool:
        """One more of `key`; False, and not counted, where there are `most`."""
        count = self._counts.get(key, 0)
        if count >= most:
            return False
        self._counts[key] = count + 1
        return True

    def remove(self, key: str) -> None:
        """One less of `key`."""
        count = self._counts.pop(key, 0) - 1
        if count > 0:
            self._counts[key] = count


def client_of(connection: HTTPConnection) -> str:
    """The address that a connection came from."""
    return connection.client.host if connection.client is not None else "unknown"


class Origins:
    """The pages that may talk to this server: its own, and those it was told of."""

    def __init__(self, more: Iterable[str]) -> None:
        self._more = frozenset(_origin(each) for each in more)

    def allow(self, headers: Mapping[str, str]) -> bool:
        """Whether the request is of an allowed page. What is no page (a program) sends no `Origin`, and no cookies
        or other standing rights that another page could borrow exist here."""
        origin = headers.get("origin")
        if origin is None:
            return True
        try:
            return _origin(origin) in self._more or urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
        except ValueError:  # no address at all
            return False


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


class Guard:
    """ASGI middleware: headers on every answer, bodies of at most BODY_LIMIT, no requests of other pages."""

    def __init__(self, app: ASGIApp, origins: Origins, *, tls: bool) -> None:
        self._app = app
        self._origins = origins
        extra = {**HEADERS, **({"strict-transport-security": HSTS} if tls else {})}
        self._headers = [(name.encode(), value.encode()) for name, value in extra.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}

        begun = False

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = [*message.get("headers", []), *self._headers, *_caching(scope)]
            await send(message)

        if scope["method"] not in ("GET", "HEAD") and not self._origins.allow(headers):
            await _refuse(with_headers, 403, "bad_origin", "this server does not take requests of other pages")
            return
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > BODY_LIMIT:
            await _refuse(with_headers, 413, "too_large", f"a body has at most {BODY_LIMIT} bytes")
            return
        try:
            await self._app(scope, _Measured(receive), with_headers)
        except (
            Exception
        ) as error:  # a fault in one request: told without its message, which may hold what somebody wrote
            logger.error("a request failed", error=type(error).__name__, place=place(error))
            if not begun:
                await _refuse(with_headers, 500, "fault", "the server failed at this: try again, or tell its host")


class _Measured:
    """A request's body, cut off (as if the client had gone) when it is longer than it may be."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._left = BODY_LIMIT

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                return {"type": "http.disconnect"}
        return message


def _caching(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Answers of the API are never kept; a built file has its content's hash in its name."""
    if scope["path"].startswith("/api/"):
        return [(b"cache-control", b"no-store")]
    if scope["path"].startswith("/assets/"):
        return [(b"cache-control", b"public, max-age=31536000, immutable")]
    return [(b"cache-control", b"no-cache")]


async def _refuse(send: Send, status: int, code: str, message: str) -> None:
    content = json.dumps(body(code, message)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
