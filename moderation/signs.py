"""What the rules see of a stretch of a line, as yes-or-no signs for the model.

The signs are of no language: a Russian word and an English one of a class set the same sign, so what the model
learns of one language serves the other.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from moderation.cues import cue_bits, cues
from moderation.line import Finding, Line
from moderation.verdict import CATEGORIES
from moderation.vocabulary import lexicon

# Word classes of the lexicon that are signs.
CLASSES: Final = (
    *("me", "me_object", "you", "you_object", "your", "third", "demonstrative", "seat", "person", "negation"),
    *("report", "report_base", "thing", "generic", "exclaim", "command", "like", "word_talk", "passive", "group"),
    *("boost", "womankind", "beast", "vile", "brain", "bare", "pet_name", "relative", "mother", "simple_mind"),
)
STRENGTHS: Final = ("strong", "mild", "slur", "touchy", "curse")
SHORT, LONG = 4, 16  # words
REMEMBERED = 1 << 12


def names() -> tuple[str, ...]:
    """The signs in order: what their numbers in `signs` stand for."""
    findings = tuple(f"found.{category}.{level}" for category in CATEGORIES for level in (1, 2, 3))
    topics = tuple(f"cue.{topic.id}" for topic in cues().topics)
    return (*CLASSES, *STRENGTHS, *findings, *topics, "excused", "short", "long")


def signs(line: Line, findings: Sequence[Finding], first: int, last: int) -> tuple[int, ...]:
    """The signs of words `first` to `last` (half-open), ascending; `findings` are what the rules found there."""
    mask = cue = strengths = 0
    excused = False
    for bits in line.bits[first:last]:
        mask |= bits
    for word in line.words[first:last]:
        cue |= cue_bits(word)
    for at in range(first, last):
        entry = line.entries[at]
        if entry is not None:
            if at in line.masked:
                excused = True
            else:
                strengths |= 1 << STRENGTHS.index(entry.strength)
    found = 0
    for finding in findings:
        found |= 1 << (CATEGORIES.index(finding.category) * 3 + finding.level - 1)
    length = last - first
    tail = excused | (length <= SHORT) << 1 | (length >= LONG) << 2
    return _classes(mask & _class_mask()) + _others(strengths, found, cue, tail)


@cache
def _class_bits() -> tuple[int, ...]:
    known = lexicon().classes
    return tuple(known[name] for name in CLASSES)


@cache
def _class_mask() -> int:
    mask = 0
    for bit in _class_bits():
        mask |= bit
    return mask


@lru_cache(maxsize=REMEMBERED)
def _classes(mask: int) -> tuple[int, ...]:
    return tuple(number for number, bit in enumerate(_class_bits()) if mask & bit)


@lru_cache(maxsize=REMEMBERED)
def _others(strengths: int, found: int, cue: int, tail: int) -> tuple[int, ...]:
    numbers: list[int] = []
    start = len(CLASSES)
    for field, width in (
        (strengths, len(STRENGTHS)),
        (found, 3 * len(CATEGORIES)),
        (cue, len(cues().topics)),
        (tail, 3),
    ):
        numbers.extend(start + at for at in range(width) if field >> at & 1)
        start += width
    return tuple(numbers)
