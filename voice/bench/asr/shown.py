"""What was shown of one clip, when, and when each of its words was first there and then stayed: no clock, no model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from voice.bench.asr.words import followed, normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@dataclass(slots=True)
class Shown:
    """One clip at one table: its captions and lines in order, times in seconds from the clip's beginning."""

    captions: list[tuple[float, str, bool]] = field(default_factory=list)
    """When, what, and whether it is a line, which ends an utterance."""
    latency_s: list[float] = field(default_factory=list)
    """Of each line: from the utterance's end."""
    decode_s: list[float] = field(default_factory=list)
    length_s: list[float] = field(default_factory=list)
    endpoint_s: list[float] = field(default_factory=list)
    """Of the latency, until the endpointer called it over."""

    @property
    def text(self) -> str:
        """All its lines."""
        return " ".join(text for _, text, final in self.captions if final)


def first_seen(shown: Shown, said: Sequence[str], lang: str) -> dict[int, float]:
    """When each word of what is said was first in what is shown; by index, without those that never were."""
    return _first(said, _so_far(shown, lang))


def first_stable(shown: Shown, said: Sequence[str], lang: str) -> dict[int, float]:
    """As `first_seen`, where a caption counts as far as it agrees with the one before it, a line whole."""
    return _first(said, _agreed(shown, lang))


def _first(said: Sequence[str], texts: Iterable[tuple[float, list[str]]]) -> dict[int, float]:
    seen: dict[int, float] = {}
    for at_s, words in texts:
        for index in followed(said, words):
            seen.setdefault(index, at_s)
    return seen


def _so_far(shown: Shown, lang: str) -> Iterator[tuple[float, list[str]]]:
    lines: list[str] = []
    for at_s, text, final in shown.captions:
        words = normal(text, lang)
        yield at_s, lines + words
        if final:
            lines += words


def _agreed(shown: Shown, lang: str) -> Iterator[tuple[float, list[str]]]:
    lines: list[str] = []
    before: list[str] = []
    for at_s, text, final in shown.captions:
        words = normal(text, lang)
        if final:
            lines += words
            before = []
            yield at_s, list(lines)
        else:
            same = 0
            while same < min(len(before), len(words)) and before[same] == words[same]:
                same += 1
            before = words
            yield at_s, lines + words[:same]
