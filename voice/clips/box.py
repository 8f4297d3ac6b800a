"""Clips at rest: encrypted with a key that is not in the database (AES-256-GCM, of the library `cryptography`)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import secrets
from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12


class ClipKeyError(Exception):
    """The file with the keys can't be read or made; one line that says what to do."""


class ClipLostError(Exception):
    """A clip can't be opened: its key is gone, or it was changed."""


class Box:
    """Seals and opens clips. The first key seals; each of them opens what it once sealed."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._ciphers = {_name(key): AESGCM(key) for key in keys}
        self._first = _name(keys[0])

    @classmethod
    def new(cls) -> Box:
        """A box whose key nobody keeps: what it seals is lost with it."""
        return cls([secrets.token_bytes(KEY_BYTES)])

    @classmethod
    def kept(cls, path: Path) -> Box:
        """A box with the keys of a file, one a line, the newest first; made with a new key where it is absent.

        Raises ClipKeyError.
        """
        try:
            try:
                text = path.read_text()
            except FileNotFoundError:
                text = base64.urlsafe_b64encode(secrets.token_bytes(KEY_BYTES)).decode() + "\n"
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(descriptor, "w") as file:
                    file.write(text)
            path.chmod(0o600)
        except (OSError, UnicodeDecodeError) as error:
            raise ClipKeyError(
                f"{path} can't be used ({error}): make it readable, or remove it for a new one"
            ) from error
        return cls(_keys(text, path))

    def seal(self, clip: bytes, about: str) -> tuple[str, bytes]:
        """The name of the key, and the clip as it is kept. `about` says whose clip it is: it opens for that alone."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return self._first, nonce + self._ciphers[self._first].encrypt(nonce, clip, about.encode())

    def open(self, key: str, kept: bytes, about: str) -> bytes:
        """The clip again. Raises ClipLostError."""
        cipher = self._ciphers.get(key)
        if cipher is None:
            raise ClipLostError(f"the key {key!r} of this clip is not here")
        try:
            return cipher.decrypt(kept[:NONCE_BYTES], kept[NONCE_BYTES:], about.encode())
        except (InvalidTag, ValueError) as error:  # ValueError: cut off before its nonce ends
            raise ClipLostError("this clip was changed, or is another line's") from error


def _keys(text: str, path: Path) -> list[bytes]:
    keys = []
    for number, line in enumerate(text.split(), 1):
        try:
            key = base64.b64decode(line, altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            key = b""
        if len(key) != KEY_BYTES:
            raise ClipKeyError(f"{path}: key {number} is none: expected {KEY_BYTES} bytes in base64")
        keys.append(key)
    if not keys:
        raise ClipKeyError(f"{path} holds no key: remove it for a new one, and with it what its key could open")
    return keys


def _name(key: bytes) -> str:
    """What is kept beside a clip to find its key again; says nothing of the key."""
    return hashlib.sha256(b"clip key " + key).hexdigest()[:16]
