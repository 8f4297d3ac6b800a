"""A second opinion on a line: asked for when the line is on the disk, and mailed to its table when it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from voice.table.flagging import with_second
from voice.table.mail import Thought

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from moderation import Verdict
    from voice.table.flagging import Opinion
    from voice.table.parts import Second
    from voice.table.records import Spoken

logger = structlog.get_logger(__name__)


def ask_second(ask: Second | None, judged: Iterable[tuple[Spoken, Opinion]], post: Callable[[Thought], bool]) -> None:
    """Ask about each line, with what the rules said of it; `post` leaves an answer in the table's mailbox."""
    if ask is not None:
        for line, first in judged:
            ask(line.text, line.lang, _Teller(line.line, first, post))


class _Teller:
    """Takes the answers about one line, one of each model that was asked, and adds them up."""

    def __init__(self, line: str, first: Opinion, post: Callable[[Thought], bool]) -> None:
        self._line = line
        self._found = first
        self._post = post

    def __call__(self, verdict: Verdict) -> None:
        before, self._found = self._found, with_second(self._found, verdict)
        if not self._post(Thought(self._line, before, self._found)):
            logger.warning("second opinion dropped: the mailbox is full, or the table is closed", line=self._line)
