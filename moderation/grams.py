"""A line's words, parts of words and neighbouring words as rows of the model's table.

Rows are named by a checksum (CRC-32) of what they stand for, so no vocabulary is kept, and an unknown word has its
parts. A row of several things is shared between them.
"""

from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final
from zlib import crc32

from moderation.classes import (
    COMMAND,
    FUNCTION,
    GROUP,
    ME,
    ME_OBJECT,
    NEGATION,
    PERSON,
    REPORT,
    REPORT_BASE,
    SEAT,
    THING,
    THIRD,
    YOU,
    YOU_OBJECT,
    YOUR,
)
from moderation.cues import cue_bits, cues
from moderation.line import Line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROWS: Final = 1 << 17
PARTS: Final = (3, 4, 5)  # letters
LONGEST_WORD: Final = 24  # letters; what is longer is no word, and is not remembered whole
REMEMBERED = 1 << 15
_PART: Final = crc32(b"p")
_KINDS: Final = (
    (NEGATION, "N"),
    (REPORT | REPORT_BASE, "R"),
    (ME | ME_OBJECT, "M"),
    (YOU | YOU_OBJECT, "Y"),
    (YOUR, "H"),
    (SEAT, "#"),
    (THIRD, "T"),
    (PERSON, "P"),
    (GROUP, "G"),
    (THING, "O"),
    (COMMAND, "C"),
    (FUNCTION, "f"),
)


def row(name: str) -> int:
    """The row of the table for what `name` stands for."""
    return crc32(_encoded(name)) % ROWS


def word_rows(word: str) -> tuple[int, ...]:
    """A word and its parts."""
    rows = [row(f"w{word}")]
    if len(word) > PARTS[0]:
        marked = f"<{word}>"
        # The checksum of each "p" + part, from bytes that are made once.
        data = marked.encode("utf-8", "surrogatepass")
        widths = [1] * len(marked) if marked.isascii() else [len(c.encode("utf-8", "surrogatepass")) for c in marked]
        places = [0, *accumulate(widths)]
        for size in PARTS:
            for begin, end in zip(places, places[size:], strict=False):
                rows.append(crc32(data[begin:end], _PART) % ROWS)
    return tuple(rows)


@lru_cache(maxsize=REMEMBERED)
def word_row_array(word: str) -> "NDArray[np.int32]":
    """The same as an array, for the model."""
    import numpy as np

    return np.asarray(word_rows(word), np.int32)


@lru_cache(maxsize=REMEMBERED)
def _neighbour(word: str) -> tuple[int, int, bytes]:
    """A word as the left one of two neighbours, as the one before the left one (checksums), and as the right one."""
    return crc32(_encoded(f"n{word} ")), crc32(_encoded(f"s{word} ")), _encoded(word)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@lru_cache(maxsize=REMEMBERED)
def kind_rows(before: str, left: str, right: str) -> tuple[int, int]:
    """The kinds of two neighbouring words, and of three."""
    return row(f"k{left} {right}"), row(f"t{before} {left} {right}")


@lru_cache(maxsize=REMEMBERED)
def _kind(word: str, bits: int, strength: str) -> str:
    if strength:
        return strength
    for mask, kind in _KINDS:
        if bits & mask:
            return kind
    topics = cues().topics
    found = cue_bits(word)
    spoken_for = {topics[at].category or "sign" for at in range(len(topics)) if found >> at & 1}
    return min(spoken_for, default="-")


def plain_words(line: Line, first: int, last: int) -> list[str]:
    """Words `first` to `last` (half-open) as the table knows them: a seat is a seat, whichever it is."""
    bits = line.bits
    return ["#" if bits[at] & SEAT else line.words[at][:LONGEST_WORD] for at in range(first, last)]


def between_rows(line: Line, words: list[str], first: int, last: int) -> list[int]:
    """The rows of neighbouring words among `plain_words`, and of their kinds."""
    rows: list[int] = []
    before, left = _neighbour(""), _neighbour("^")
    kind_before, kind_left = "", "^"
    for at in range(first, last):
        word = words[at - first]
        right = _neighbour(word)
        entry = line.entries[at]
        kind = _kind(word, line.bits[at], entry.strength if entry is not None else "")
        # Two neighbouring words, and the word before the left one with the right one.
        rows.append(crc32(right[2], left[0]) % ROWS)
        rows.append(crc32(right[2], before[1]) % ROWS)
        rows += kind_rows(kind_before, kind_left, kind)
        before, left = left, right
        kind_before, kind_left = kind_left, kind
    rows.append(crc32(b"$", left[0]) % ROWS)
    rows.append(crc32(b"$", before[1]) % ROWS)
    return rows
