"""The lexicon stage: abusive words, weighed by who they are said of."""

from collections.abc import Iterator

from moderation.context import Aim, Context, read
from moderation.line import SCORES, Finding, Level, Line
from moderation.vocabulary import Entry


def find_words(line: Line) -> Iterator[Finding]:
    """Findings for each word of the lexicon that its context does not excuse."""
    for index, entry in line.hits():
        context = read(line, index, index + 1, noun=entry.kind != "adjective", stuff=entry.kind == "stuff")
        level = _weigh(line, index, entry, context)
        if level is not None:
            yield Finding(index, index + 1, (index,), entry.id, entry.category, level, SCORES[level])


def _weigh(line: Line, index: int, entry: Entry, context: Context) -> Level | None:
    excused = context.negated or context.quoted or context.aim is Aim.SELF
    if entry.strength == "slur":
        return Level.REVIEW if excused and not context.admonished else Level.CLEAR
    if context.admonished:
        reach = context.aim is Aim.PERSON or entry.strength == "strong"
        return Level.LIKELY if reach and entry.kind != "adjective" else None
    if excused or context.aim is Aim.THING:
        return None
    if entry.kind == "adjective":
        return _adjective(entry, context)
    if entry.kind == "stuff" and context.aim is not Aim.PERSON:
        return None
    if entry.strength == "strong":
        return _strong(context)
    if entry.strength == "mild":
        return _mild(line, context)
    if entry.strength == "curse":
        return _curse(line, index, context)
    return Level.LIKELY if context.aim is Aim.PERSON else Level.REVIEW


def _strong(context: Context) -> Level:
    if context.aim is Aim.PERSON:
        return Level.CLEAR
    return Level.REVIEW if context.aim is Aim.GENERIC else Level.LIKELY


def _mild(line: Line, context: Context) -> Level | None:
    if context.aim is Aim.PERSON:
        return Level.CLEAR if context.boosted else Level.LIKELY
    if context.aim is Aim.VOCATIVE:
        return Level.LIKELY
    if context.aim is Aim.LOOSE:
        return Level.LIKELY if len(line.words) <= 4 else Level.REVIEW
    return None


def _adjective(entry: Entry, context: Context) -> Level | None:
    if context.aim is not Aim.PERSON:
        return None
    return Level.CLEAR if context.boosted or entry.strength == "strong" else Level.LIKELY


def _curse(line: Line, index: int, context: Context) -> Level | None:
    """A word that is mostly mere swearing: abuse only where it stands as the last word said of somebody."""
    if context.aim is not Aim.PERSON:
        return None
    closes = index + 1 == len(line.words) or line.entries[index + 1] is not None
    return Level.CLEAR if closes else Level.LIKELY
