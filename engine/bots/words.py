"""What bots say: short lines in English and Russian, by what they speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.bots import lines_en, lines_ru

if TYPE_CHECKING:
    from engine.bots.bot import Lang
    from engine.stream import Stream

LANGS: tuple[Lang, ...] = ("en", "ru")

LINES: dict[Lang, dict[str, tuple[str, ...]]] = {"en": lines_en.LINES, "ru": lines_ru.LINES}
REASONS: dict[Lang, dict[str, str]] = {"en": lines_en.REASONS, "ru": lines_ru.REASONS}

HOUSE_LINES = {"en": lines_en.LINES | lines_en.HOUSE_LINES, "ru": lines_ru.LINES | lines_ru.HOUSE_LINES}
HOUSE_REASONS = {"en": lines_en.REASONS | lines_en.HOUSE_REASONS, "ru": lines_ru.REASONS | lines_ru.HOUSE_REASONS}
"""The same where cards have no colours."""


class Voice:
    """One speaker's choice of words: seeded, and no line comes again before the topic's others have."""

    __slots__ = ("_lines", "_reasons", "_stream", "_used")

    def __init__(self, lang: Lang, stream: Stream, *, colours: bool) -> None:
        """colours: whether the game's cards are called red and black."""
        self._lines = LINES[lang] if colours else HOUSE_LINES[lang]
        self._reasons = REASONS[lang] if colours else HOUSE_REASONS[lang]
        self._stream = stream
        self._used: dict[str, list[int]] = {}

    def line(self, topic: str, seat: int | None = None, because: tuple[str, int] | None = None) -> str:
        """A line on a topic. because: a reason by its name, and the seat that the reason names."""
        lines = self._lines[topic]
        used = self._used.setdefault(topic, [])
        if len(used) == len(lines):
            used.clear()
        fresh = [place for place in range(len(lines)) if place not in used]
        place = self._stream.pick(fresh)
        used.append(place)
        text = lines[place]
        if because is None:
            return text.format(seat=seat)
        reason = self._reasons[because[0]].format(by=because[1])
        if text.endswith("? {reason}."):
            reason = reason[:1].upper() + reason[1:]  # a sentence of its own
        return text.format(seat=seat, reason=reason)
