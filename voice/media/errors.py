"""What the media plane says when it cannot do what it was asked."""

from __future__ import annotations


class MediaError(Exception):
    """An offer that can't be answered, or a media plane that can't run.

    `code` is stable and is what a client translates: `bad_sdp`, `no_audio`, `no_opus`, `too_many`, `busy`, `flood`,
    `superseded`, `closed`, `unsupported`, `media_failed`, `ports_full`. `message` says in English what was expected and
    what came.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
