"""The surroundings of an abusive phrase: it names its own target, but may be denied or somebody else's words."""

from dataclasses import dataclass

from moderation.classes import (
    BE,
    COMMAND,
    DEMONSTRATIVE,
    GROUP,
    LIKE,
    LINK,
    ME,
    ME_OBJECT,
    NEGATION,
    PASS,
    PASSIVE,
    PREPOSITION,
    REPORT,
    REPORT_BASE,
    SOMEBODY,
    THING,
    THINK,
    WORD_TALK,
    YOUR,
)
from moderation.line import Line
from moderation.reporting import closes, negates, own_words, says_next

REACH_LEFT = 10


@dataclass(slots=True)
class PhraseContext:
    """The reading of a phrase's surroundings: a phrase names its own target."""

    negated: bool = False
    quoted: bool = False
    own: bool = False  # said of the speaker: "I am not the brightest"


def read_phrase(line: Line, first: int, last: int) -> PhraseContext:
    """Read the surroundings of the phrase in words `first` to `last` (half-open)."""
    context = PhraseContext()
    _read_phrase_left(line, first, context)
    if not context.negated and not context.quoted:
        context.quoted = _quoted_after(line, last)
    return context


def _read_phrase_left(line: Line, first: int, context: PhraseContext) -> None:
    bits = line.bits
    somebody = think = False
    for at in range(first - 1, max(-1, first - 1 - REACH_LEFT), -1):
        here = bits[at]
        if here & NEGATION:
            context.negated = at + 1 == first or (negates(line, at, first) and line.words[at] != "no")
            return
        if here & WORD_TALK or (here & LIKE and at and bits[at - 1] & THING):
            context.quoted = True
            return
        if here & (REPORT | REPORT_BASE):
            if not own_words(line, at):
                context.quoted = True
                return
            think = True
        elif here & ME:
            context.own = not somebody and not think
        elif here & SOMEBODY:
            somebody = True
        elif here & THINK:
            think = True
        elif not here & (
            PASS | BE | LINK | ME_OBJECT | PREPOSITION | PASSIVE | YOUR | DEMONSTRATIVE | COMMAND | GROUP | LIKE
        ):
            return


def _quoted_after(line: Line, last: int) -> bool:
    bits = line.bits
    for at in range(last, min(len(bits), last + 2)):
        here = bits[at]
        if here & WORD_TALK or (here & REPORT and closes(line, at)) or (here & SOMEBODY and says_next(line, at)):
            return True
        if not here & (PASS | BE):
            break
    return False
