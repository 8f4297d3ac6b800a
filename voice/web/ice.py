"""The STUN and TURN servers that a client is told of, with a password of its own for the relay."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from voice.settings import Settings


def ice_servers(settings: Settings, person: str | None, now_s: float) -> list[dict[str, Any]]:
    """The `ice_servers` of one person's `welcome` (None: a moderator), as `RTCPeerConnection` takes them.

    `now_s`: seconds since 1970, which the TURN server compares the password's end with.
    """
    servers = [each.model_dump(exclude_none=True) for each in settings.ice_servers]
    if settings.turn:
        servers.append({"urls": list(settings.turn), **_credentials(settings, person or "moderator", now_s)})
    return servers


def _credentials(settings: Settings, person: str, now_s: float) -> dict[str, str]:
    if settings.turn_secret is None:
        return {"username": settings.turn_user or "", "credential": settings.turn_password or ""}
    return ephemeral(settings.turn_secret, person, int(now_s) + settings.turn_ttl_s)


def ephemeral(secret: str, user: str, until_s: int) -> dict[str, str]:
    """A user and password that a TURN server with the same secret takes until `until_s` (seconds since 1970).

    The scheme of "A REST API for access to TURN services" (draft-uberti-behave-turn-rest-00), coturn's
    `use-auth-secret`: the user is `until:user`, the password base64 of the user's HMAC-SHA1.
    """
    username = f"{until_s}:{user}"
    mac = hmac.new(secret.encode(), username.encode(), hashlib.sha1).digest()
    return {"username": username, "credential": base64.b64encode(mac).decode()}
