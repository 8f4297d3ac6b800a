"""The HTTP side: make a table, join one by its invitation."""

from __future__ import annotations

import asyncio
import json
import ssl
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

TIMEOUT_S = 10.0


class DoorError(Exception):
    """The server refused, or could not be reached; `code` is the server's, or `unreachable`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class SeatKey:
    """What a person holds of a table: its id, the token of their own seat, and the invitation where they made it."""

    table: str
    token: str
    invite: str | None = None


async def make_table(
    server: str,
    *,
    name: str,
    display_name: str,
    lang: str,
    ruleset: str = "sport",
    options: dict[str, object] | None = None,
) -> SeatKey:
    """Make a table at `server` (`http://host:port`) as its owner. Raises DoorError."""
    body = {
        "name": name,
        "lang": lang,
        "display_name": display_name,
        "ruleset": ruleset,
        "options": options or {},
        "consent": True,
    }
    said = await asyncio.to_thread(_post, f"{server}/api/tables", body)
    return SeatKey(said["table"], said["token"], said["invite"])


async def join_table(server: str, invite: str, display_name: str) -> SeatKey:
    """Join by invitation. Raises DoorError."""
    body = {"display_name": display_name, "consent": True}
    said = await asyncio.to_thread(_post, f"{server}/api/invites/{invite}/join", body)
    return SeatKey(said["table"], said["token"])


async def kept_days(server: str) -> tuple[float | None, float | None]:
    """For how many days a server keeps what was said in a game, and a flagged line with its sound; None where it does
    not tell."""
    try:
        told = await asyncio.to_thread(_ask, f"{server}/api/privacy", None, None)
        return float(told["transcript_days"]), float(told["evidence_days"])
    except (DoorError, KeyError, TypeError, ValueError):
        return None, None


async def get_flagged(server: str, moderator: str, state: str = "open") -> list[dict[str, Any]]:
    """The flagged lines as the moderators' queue has them, 200 at most: those that wait (`open`) oldest first, others
    newest first. Raises DoorError."""
    said = await asyncio.to_thread(_ask, f"{server}/api/moderation/lines?state={state}", None, moderator)
    return list(said["lines"])


async def get_clip(server: str, moderator: str, case: int) -> bytes:
    """The sound of a flagged line, Opus in Ogg. Raises DoorError, `no_clip` where there is none."""
    return await asyncio.to_thread(_fetch, f"{server}/api/moderation/lines/{case}/clip", None, moderator)


async def get_stats(server: str, moderator: str) -> dict[str, Any]:
    """What the server's voice and speech counted: `tables` and `speech`. Raises DoorError."""
    return await asyncio.to_thread(_ask, f"{server}/api/moderation/stats", None, moderator)


async def is_up(server: str) -> bool:
    """Whether a voicetable server answers there."""
    try:
        return bool((await asyncio.to_thread(_ask, f"{server}/api/health", None, None))["ok"])
    except DoorError:
        return False


def ask(url: str, body: dict[str, Any] | None, token: str | None) -> dict[str, Any]:
    """One request, with a bearer token where it needs one; blocks. Raises DoorError."""
    return _ask(url, None if body is None else json.dumps(body).encode(), token)


def _post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    return _ask(url, json.dumps(body).encode(), None)


def _ask(url: str, body: bytes | None, token: str | None) -> dict[str, Any]:
    return dict(json.loads(_fetch(url, body, token)))


def _fetch(url: str, body: bytes | None, token: str | None) -> bytes:
    if not url.startswith(("http://", "https://")):
        raise DoorError("unreachable", f"a server's address begins with http:// or https://, not {url!r}")
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(url, body, headers)  # noqa: S310 -- the scheme was looked at above
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S, context=ssl.create_default_context()) as answer:  # noqa: S310
            return bytes(answer.read())
    except urllib.error.HTTPError as refused:
        with refused:
            try:
                error = json.load(refused)["error"]
                raise DoorError(str(error["code"]), str(error["message"])) from None
            except (ValueError, KeyError, TypeError):
                raise DoorError("unreachable", f"{url} answered {refused.code} {refused.reason}") from None
    except (urllib.error.URLError, TimeoutError, ConnectionError) as why:
        reason = why.reason if isinstance(why, urllib.error.URLError) else why
        raise DoorError("unreachable", f"no server answers at {url}: {reason}") from why
