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


class Voice:
    """One speaker's choice of words: seeded, and no line comes again before the topic's others have."""

    __slots__ = ("_lang", "_stream", "_used")

    def __init__(self, lang: Lang, stream: Stream) -> None:
        self._lang: Lang = lang
        self._stream = stream
        self._used: dict[str, list[int]] = {}

    def line(self, topic: str, seat: int | None = None, because: tuple[str, int] | None = None) -> str:
        """A line on a topic. because: a reason by its name, and the seat that the reason names."""
        lines = LINES[self._lang][topic]
        used = self._used.setdefault(topic, [])
        if len(used) == len(lines):
            used.clear()
        fresh = [place for place in range(len(lines)) if place not in used]
        place = self._stream.pick(fresh)
        used.append(place)
        reason = REASONS[self._lang][because[0]].format(by=because[1]) if because is not None else ""
        text = lines[place].format(seat=seat, reason=reason)
        # A reason that begins a sentence of its own is written with a capital.
        return text if "? " not in text else "? ".join(part[:1].upper() + part[1:] for part in text.split("? "))
