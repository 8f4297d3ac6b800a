"""Who or what a word is said of: read from the words around it, a bounded stretch to either side.

Speech has no quotation marks and a recogniser's commas can't be trusted, so the reading walks outward from the
word through words that carry no news (articles, adverbs, forms of "be") until something decides: a person, the
speaker, a thing, a negation or a verb of reporting.
"""

from dataclasses import dataclass
from enum import Enum, auto

from moderation.classes import (
    ARTICLE,
    BE,
    BOOST,
    CARDINAL,
    COMMAND,
    DEMONSTRATIVE,
    EXCLAIM,
    GENERIC,
    GROUP,
    LIKE,
    LINK,
    ME,
    ME_OBJECT,
    NEGATION,
    PASS,
    PASSIVE,
    PERSON,
    PREPOSITION,
    REPORT,
    REPORT_BASE,
    SEAT,
    SOMEBODY,
    THING,
    THINK,
    THIRD,
    WORD_TALK,
    YOU,
    YOU_OBJECT,
)
from moderation.line import Line
from moderation.reporting import called_names, closes, negates, own_words, says_next

REACH_LEFT = 10
REACH_RIGHT = 4
OWN_REACH = 4  # words back from a number to "we"
_PLURAL = ("s", "ы", "и")
_GENITIVE = ("ого", "его", "ой", "ей", "их", "ых", "ее")
_ANYTHING = ("it", "everything", "nothing", "anything", "something", "ничего")
_OBLIQUE = ("ам", "ами", "ах", "ом", "ов")
_STOP = ("stop", "quit")
_OURS = ("мой", "моя", "мое", "мои", "наш", "наша", "наше", "наши")
_SORRY = ("sorry", "apologies", "myself", "ourselves")
_ADJECTIVAL = ("ый", "ий", "ой", "ая", "яя", "ые", "ие", "ого", "ую")
_READ_THROUGH = COMMAND | GROUP | PASS | BE | LINK | BOOST | ARTICLE | LIKE | PREPOSITION | EXCLAIM | GENERIC | PASSIVE


class Aim(Enum):
    """Who the word is said of."""

    PERSON = auto()  # you, a seat, he or she, a name, "this ..."
    VOCATIVE = auto()  # called out with nobody named
    LOOSE = auto()  # "what a ...", "the ...", "some ..."
    NOBODY = auto()
    GENERIC = auto()  # "only a ... would"
    SELF = auto()
    THING = auto()


@dataclass(slots=True)
class Context:
    """The reading of one word's surroundings."""

    aim: Aim = Aim.NOBODY
    negated: bool = False
    quoted: bool = False
    admonished: bool = False  # "don't be a ..."
    boosted: bool = False
    hold: bool = False  # the walk met a word that a called-out name can't follow


def read(line: Line, first: int, last: int, *, noun: bool, stuff: bool = False) -> Context:
    """Read the surroundings of words `first` to `last` (half-open). `stuff`: a noun that is mostly said of things."""
    context = Context()
    _read_left(line, first, context, noun=noun, pointed=noun and not stuff)
    if not context.negated and not context.quoted:
        _read_right(line, first, last, context, noun=noun, stuff=stuff)
    if not stuff and context.aim is Aim.NOBODY and not context.hold and not context.quoted and not context.negated:
        _read_vocative(line, first, last, context, noun=noun)
    return context


def _read_left(line: Line, first: int, context: Context, *, noun: bool, pointed: bool) -> None:
    bits, words = line.bits, line.words
    me_object = commanded = False
    target = -1
    for at in range(first - 1, max(-1, first - 1 - REACH_LEFT), -1):
        here = bits[at]
        if here & COMMAND:
            commanded = True
        if here & NEGATION and commanded:
            break
        if here & NEGATION and words[at] in _STOP and at + 1 < first and bits[at + 1] & LINK:
            # "stop being such a ...": the speaker says that somebody is one.
            context.aim, context.admonished = Aim.PERSON, True
            return
        if here & NEGATION and negates(line, at, first):
            context.negated = True
            if at + 1 < first and bits[at + 1] & (BE | LINK) and target < 0:
                context.admonished = True
            return
        if here & WORD_TALK:
            context.quoted = True
            return
        if here & (REPORT | REPORT_BASE):
            if not own_words(line, at):
                context.quoted = True
                return
            continue
        if here & ME:
            if target >= 0:
                # "I never called you a ...": what the speaker does is read on, but the target stands.
                continue
            if noun or at + 1 == first or _has(bits, at + 1, first, BE | LINK | PASS | LIKE):
                context.aim = Aim.SELF
                target = at
            continue
        if here & ME_OBJECT and not here & SOMEBODY:
            me_object = True
            if noun and at + 1 == first and not words[at].isascii() and words[at] not in _OURS:
                context.aim = Aim.SELF  # "извини меня, идиота"
                target = at
                continue
            if at + 1 < first and bits[at + 1] & LIKE:
                context.aim = Aim.SELF
                target = at
            continue
        if here & THING and not (here & DEMONSTRATIVE and not _has(bits, at + 1, first, BE)):
            if target >= 0 and _has(bits, max(0, at - 2), at, PREPOSITION):
                continue  # "nobody at this table thinks you are ...": where it is said
            if target < 0 or _belongs(line, at, first):
                context.aim = Aim.THING
            return
        if here & (YOU | YOU_OBJECT | THIRD | SEAT | PERSON | DEMONSTRATIVE):
            if here & DEMONSTRATIVE and not pointed:
                context.hold = True
                continue
            if here & CARDINAL and at + 1 == first and _counts(line, at, first):
                # "мы с тобой два осла": the speaker counts himself in.
                context.aim = Aim.SELF if _has(bits, max(0, at - OWN_REACH), at, ME) else Aim.LOOSE
                context.hold = True
                return
            if target < 0 and context.aim in (Aim.NOBODY, Aim.LOOSE):
                context.aim = Aim.PERSON
                target = at
            continue
        if here & GENERIC and target < 0:
            context.aim = Aim.GENERIC
            context.hold = True
            return
        if here & EXCLAIM and target < 0:
            context.aim = Aim.LOOSE
            context.hold = True
        if here & BOOST:
            context.boosted = True
        if here & (ARTICLE | PREPOSITION) and target < 0:
            context.hold = True
            if here & PREPOSITION:
                if at and words[at - 1] in _SORRY:
                    context.aim = Aim.SELF
                return
        if here & LINK and target >= 0 and not here & (PASS | THINK):
            break
        if not here & _READ_THROUGH and line.entries[at] is None and not _descriptive(line, at, first):
            break
    if me_object and target < 0:
        context.hold = False


def _descriptive(line: Line, at: int, first: int) -> bool:
    """An unknown word to read through: a Russian adjective, or the verb before "like a ..."."""
    word = line.words[at]
    if len(word) > 4 and word.endswith(_ADJECTIVAL):
        return True
    return at + 1 < first and bool(line.bits[at + 1] & LIKE)


def _belongs(line: Line, thing: int, first: int) -> bool:
    """Whether the person after the thing at `thing` is whose thing it is: "the version of four", "версия пятого"."""
    for at in range(thing + 1, first):
        here = line.bits[at]
        if here & (YOU_OBJECT | PREPOSITION):
            return True
        if here & (SEAT | THIRD | PERSON) and line.words[at].endswith(_GENITIVE):
            return True
    return False


def _has(bits: list[int], first: int, last: int, wanted: int) -> bool:
    return any(here & wanted for here in bits[first:last])


def _counts(line: Line, at: int, first: int) -> bool:
    """Whether a number right before the word counts ("two idiots") and names no seat ("number two, idiot")."""
    if at and line.bits[at - 1] & SEAT:
        return False
    return line.words[first].endswith(_PLURAL) or line.words[at] in ("one", "1", "один", "одна", "два", "две", "три")


def _read_right(line: Line, first: int, last: int, context: Context, *, noun: bool, stuff: bool) -> None:
    bits, words = line.bits, line.words
    named = called_names(line, first, last)
    if named is not None:
        context.negated, context.quoted = named, not named
        return
    negation = False
    for at in range(last, min(len(words), last + REACH_RIGHT)):
        here = bits[at]
        near = at == last
        if here & NEGATION:
            negation = True
            continue
        if here & (REPORT | REPORT_BASE):
            if negation:
                context.negated = True
            elif closes(line, at, loosely=context.aim is not Aim.PERSON):
                context.quoted = True
            return
        if here & THING and not here & DEMONSTRATIVE:
            if words[at] in _ANYTHING:
                return  # "so stupid it hurts": a new thought
            if noun and near and words[at].endswith("s"):
                return  # "what idiot votes ...": a verb
            if near or line.entries[at - 1] is not None or bits[at - 1] & BOOST:
                context.aim = Aim.THING
            return
        if here & WORD_TALK:
            context.quoted = True
            return
        if here & ME and near and context.aim in (Aim.NOBODY, Aim.LOOSE) and not words[first].endswith(_PLURAL):
            context.aim = Aim.SELF
            return
        if here & SOMEBODY and context.aim in (Aim.NOBODY, Aim.LOOSE, Aim.GENERIC):
            if here & YOU and at > last and bits[at - 1] & LIKE:
                context.aim = Aim.PERSON
            elif says_next(line, at):
                context.quoted = True
            elif context.aim is Aim.GENERIC:
                return
            elif stuff:
                context.aim = Aim.PERSON if near and here & YOU else context.aim
            elif noun or here & PERSON or _predicate(line, last, at):
                context.aim = Aim.PERSON
            return
        if here & SOMEBODY:
            if says_next(line, at):
                context.quoted = True
            elif not noun and here & PERSON and context.aim is not Aim.SELF:
                context.aim = Aim.PERSON
            return
        if here & BOOST:
            context.boosted = True
        if not here & (PASS | BE | BOOST | LIKE | PREPOSITION | ARTICLE) and line.entries[at] is None:
            return


def _predicate(line: Line, last: int, at: int) -> bool:
    """An adjective said of somebody to its right: "how stupid are you", "тупые вы все"."""
    return at == last or bool(line.bits[at - 1] & (BE | PASS)) or line.entries[at - 1] is not None


def _read_vocative(line: Line, first: int, last: int, context: Context, *, noun: bool) -> None:
    if first and line.bits[first - 1] & COMMAND:
        context.aim = Aim.PERSON
    elif noun and not line.words[first].endswith(_OBLIQUE) and (last == len(line.words) or _calls(line, first, last)):
        context.aim = Aim.VOCATIVE


def _calls(line: Line, first: int, last: int) -> bool:
    """Whether the word opens the line and somebody is spoken to: "idiot, you ...", not "fools rush in"."""
    after = line.bits[last] & (SOMEBODY | COMMAND | DEMONSTRATIVE)
    return first == 0 and (bool(after) or line.entries[last] is not None)
