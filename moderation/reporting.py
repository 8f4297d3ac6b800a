"""Whose words, and whether they are denied: negations and verbs of reporting around an abusive word."""

from moderation.classes import (
    BE,
    CARDINAL,
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
    THIRD,
    YOU,
    YOU_OBJECT,
)
from moderation.line import Line

_INSTRUMENTAL = ("ом", "ем", "ой", "ей", "ым", "им", "ами", "ями", "ыми", "ими")


def negates(line: Line, at: int, first: int) -> bool:
    """Whether the negation at `at` reaches the word: not "no, you are ...", "isn't he ...", "it's not you, ..."."""
    word = line.words[at]
    following = line.bits[at + 1] if at + 1 < len(line.words) else 0
    if at + 1 == first:
        return True
    if word in ("no", "not", "нет") or word.endswith("nt"):
        subject = following & (ME | ME_OBJECT | YOU | THIRD | SEAT | PERSON)
        if word == "no":
            return line.entries[at + 1] is not None or following & CARDINAL != 0
        if word == "not" or (word.endswith("nt") and word in ("isnt", "arent", "aint", "wasnt", "werent")):
            return not subject
    return True


def own_words(line: Line, at: int) -> bool:
    """Whether the verb of reporting at `at` is the speaker's own ("I want to say that ...")."""
    bits = line.bits
    passive = False
    for back in range(at - 1, max(-1, at - 7), -1):
        here = bits[back]
        if here & PASSIVE:
            passive = True
        elif here & ME:
            return not passive
        elif here & (YOU | THIRD | SEAT | PERSON):
            return False
        elif here & (REPORT | REPORT_BASE):
            continue
        elif not here & (PASS | BE | PREPOSITION | NEGATION | ME_OBJECT):
            break
    if bits[at] & REPORT_BASE and not passive:
        # "say", "call": an order or the speaker's own wish, unless somebody is its subject or object.
        after = bits[at + 1] if at + 1 < len(bits) else 0
        return not after & ME_OBJECT
    return False


def closes(line: Line, at: int, *, loosely: bool = True) -> bool:
    """Whether a verb of reporting closes a quotation: "... говорит мне шестой"; loosely also "... called me"."""
    bits = line.bits
    if not bits[at] & REPORT:
        return False
    after = bits[at + 1] if at + 1 < len(bits) else ME_OBJECT
    further = bits[at + 2] if at + 2 < len(bits) else 0
    if after & ME_OBJECT and further & (THIRD | SEAT | PERSON):
        return True
    return bool(after & (THIRD | SEAT | PERSON)) or (loosely and bool(after & (ME_OBJECT | YOU_OBJECT)))


def says_next(line: Line, at: int) -> bool:
    """Whether the person at `at` is the one who said it: "... number six told me"."""
    bits = line.bits
    for ahead in range(at + 1, min(len(bits), at + 4)):
        if bits[ahead] & (REPORT | REPORT_BASE):
            after = bits[ahead + 1] if ahead + 1 < len(bits) else ME_OBJECT
            return bool(after & ME_OBJECT)
        if not bits[ahead] & (SEAT | PASS | BE):
            return False
    return False


def called_names(line: Line, first: int, last: int) -> bool | None:
    """For a Russian instrumental ("идиотом меня назвал ..."): None where no verb of naming follows.

    Else whether the naming is denied ("никто тебя идиотом не называл").
    """
    if not line.words[first].endswith(_INSTRUMENTAL):
        return None
    for at in range(last, min(len(line.words), last + 4)):
        if line.bits[at] & (REPORT | REPORT_BASE):
            return any(bits & NEGATION for bits in line.bits[last:at])
    return None
