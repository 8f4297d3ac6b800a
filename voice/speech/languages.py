"""The languages that tables want recognised, and what is wrong with those that can't be."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import structlog

from voice.speech.wire import Loaded, NotLoaded

if TYPE_CHECKING:
    from collections.abc import Collection

log = structlog.get_logger(__name__)

LOADS_AT_MOST: Final = 3
"""A language whose model kills so many processes in a row, while it is loaded, can't be recognised."""


class Languages:
    """`problems` has, for the host to read, why a language can't be recognised."""

    def __init__(self) -> None:
        self._wanted: dict[str, None] = {}
        self._died: Counter[str] = Counter()
        self.problems: dict[str, str] = {}

    def want(self, lang: str) -> None:
        """A table speaks it: what was wrong with it may be mended by now."""
        self._wanted[lang] = None
        self._died.pop(lang, None)
        self.problems.pop(lang, None)

    def lacking(self, loaded: Collection[str]) -> str | None:
        """The first language that is wanted, can be recognised as far as is known, and isn't among `loaded`."""
        return next((lang for lang in self._wanted if lang not in loaded and lang not in self.problems), None)

    def came(self, message: Loaded | NotLoaded) -> None:
        """What came of loading a language's model."""
        if isinstance(message, Loaded):
            self._died.pop(message.lang, None)
            log.info("speech model ready", lang=message.lang, model=message.model, took_s=round(message.took_s, 2))
        else:
            self.problems[message.lang] = message.reason
            log.error("speech model can't be used", lang=message.lang, model=message.model, reason=message.reason)

    def died(self, lang: str, ready: bool) -> None:
        """A process died while it loaded a language's model; `ready`: another one has it."""
        self._died[lang] += 1
        if self._died[lang] >= LOADS_AT_MOST and not ready:
            self.problems[lang] = "the recogniser process dies while the model loads: see the log"
