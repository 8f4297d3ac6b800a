"""The server's secrets, kept in the data folder for its owner alone; invitations and tokens made with them."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, SignatureExpired, URLSafeTimedSerializer

if TYPE_CHECKING:
    from pathlib import Path


class KeyFileError(Exception):
    """A secret in the data folder can't be read or made; one line that says what to do."""


class InviteError(Exception):
    """An invitation that does not hold: `expired`, or not one of this server's."""

    def __init__(self, *, expired: bool) -> None:
        super().__init__("expired" if expired else "unknown")
        self.expired = expired


def kept(path: Path) -> str:
    """The secret in the file at `path`; made there, readable by its owner alone, where it is absent.

    Raises KeyFileError where the file can't be read or written, or holds no secret.
    """
    try:
        try:
            text = path.read_text().strip()
        except FileNotFoundError:
            text = secrets.token_urlsafe(32)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(text + "\n")
        path.chmod(0o600)
    except (OSError, UnicodeDecodeError) as error:
        raise KeyFileError(f"{path} can't be used ({error}): make it readable, or remove it for a new one") from error
    if len(text) < 32 or not all("!" <= char <= "~" for char in text):
        raise KeyFileError(
            f"{path} holds no secret (expected 32 ASCII characters or more, without spaces): remove it for a new one"
        )
    return text


class Keys:
    """Invitations, seat tokens and the moderators' token of one server."""

    def __init__(self, data: Path, invite_s: int) -> None:
        self._invite_s = invite_s
        self._serializer = URLSafeTimedSerializer(kept(data / "secret"), salt="invitation")
        self.moderator = kept(data / "moderator-token")

    def invite(self, table: str) -> str:
        """A signed invitation to a table, from now on for `invite_s` seconds."""
        return str(self._serializer.dumps(table))

    def invited(self, invite: str) -> str:
        """The table of an invitation. Raises InviteError."""
        try:
            table = self._serializer.loads(invite, max_age=self._invite_s)
        except SignatureExpired as error:
            raise InviteError(expired=True) from error
        except BadSignature as error:
            raise InviteError(expired=False) from error
        return str(table)

    def moderates(self, token: str) -> bool:
        """Whether it is the moderators' token."""
        return hmac.compare_digest(token.encode(), self.moderator.encode())


def new_id() -> str:
    """A name for a table or a person, that nobody can guess."""
    return secrets.token_urlsafe(9)


def new_token() -> str:
    """A seat token."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is kept of a token. A plain hash will do: the token is 256 random bits."""
    return hashlib.sha256(token.encode()).hexdigest()
