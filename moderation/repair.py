"""A recogniser splits words it does not know and runs others together: one more try with the cut undone."""

from moderation.classes import FUNCTION
from moderation.line import Line
from moderation.tokens import Token
from moderation.vocabulary import JOINABLE, Entry, Lexicon

# Shorter words come out of harmless neighbours too easily ("pen is", "mor on").
MIN_JOINED = 6
MIN_JOINED_RUSSIAN = 5
MAX_PARTS = 3
_FIRST_WORDS = (
    *("you", "your", "the", "fucking", "are", "he", "is", "an", "a"),
    *("ты", "те", "ти", "вы", "он", "она", "вот", "эй", "заткнись", "какой", "ахты", "нуты"),
)
MIN_PARTED = 5


def recut(line: Line, lexicon: Lexicon) -> Line | None:
    """The line with split words joined and run-together words parted, or None where nothing changes."""
    tokens: list[Token] = []
    changed = False
    at = 0
    while at < len(line.tokens):
        parts = _joins(line, at, lexicon)
        if parts:
            joined = "".join(line.words[at : at + parts])
            tokens.append(Token(joined, line.tokens[at].start, line.tokens[at + parts - 1].end))
            at += parts
            changed = True
            continue
        token = line.tokens[at]
        parted = _parts(line, at, lexicon)
        if parted is not None:
            tokens.extend(Token(word, token.start, token.end) for word in parted)
            changed = True
        else:
            tokens.append(token)
        at += 1
    return line.with_words(tokens, lexicon) if changed else None


def _joins(line: Line, at: int, lexicon: Lexicon) -> int:
    """How many words from `at` on are the pieces of one strong word; 0 for none."""
    joined = line.words[at]
    if joined not in lexicon.beginnings or at in line.masked:
        return 0
    plain = mixed = bool(line.bits[at] & FUNCTION)
    for parts in range(2, MAX_PARTS + 1):
        if at + parts > len(line.words):
            return 0
        joined += line.words[at + parts - 1]
        here = bool(line.bits[at + parts - 1] & FUNCTION)
        plain, mixed = plain and here, mixed or here
        # A short Russian word is joined where no piece of it is a small word of its own.
        if plain or len(joined) < (MIN_JOINED if joined.isascii() or mixed else MIN_JOINED_RUSSIAN):
            continue
        if _joinable(lexicon.entries.get(joined)):
            return parts
    return 0


def _joinable(entry: Entry | None) -> bool:
    return entry is not None and entry.strength in JOINABLE


def _parts(line: Line, at: int, lexicon: Lexicon) -> tuple[str, str] | None:
    """A run-together "youidiot" as its two words."""
    word = line.words[at]
    if line.bits[at] or len(word) > 32 or not word.startswith(_FIRST_WORDS):
        return None
    for first in _FIRST_WORDS:
        rest = word[len(first) :]
        if len(rest) >= MIN_PARTED and word.startswith(first) and _joinable(lexicon.entries.get(rest)):
            return first, rest
    return None
