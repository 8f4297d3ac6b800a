"""The pattern stage: phrases that are abuse as a whole, and phrases that excuse the words in them."""

from collections.abc import Iterator

from moderation.classes import FUNCTION
from moderation.line import SCORES, Finding, Level, Line
from moderation.phrase import read_phrase
from moderation.vocabulary import Lexicon, Rule

_LEVELS = {"clear": Level.CLEAR, "likely": Level.LIKELY, "review": Level.REVIEW}

Match = tuple[int, int, tuple[int, ...], Rule]


def match_rules(line: Line, lexicon: Lexicon) -> list[Match]:
    """Every rule of the lexicon that matches somewhere: first word, word after the last, evidence, rule."""
    found: dict[tuple[str, int], Match] = {}
    index = lexicon.index
    words, bits = line.words, line.bits
    for at, word in enumerate(words):
        for pattern, rule in index.get(word, ()):
            if (rule.id, at) in found:
                continue
            match = pattern.find(words, bits, at)
            if match is not None:
                first, last, taken = match
                telling = tuple(word_at for word_at in taken if not bits[word_at] & FUNCTION)
                found[rule.id, at] = (first, last, telling or tuple(taken), rule)
    return list(found.values())


def mask_harmless(line: Line, matches: list[Match]) -> None:
    """Excuse the words that stand in a harmless phrase ("pain in the ass", "козёл отпущения")."""
    for first, last, _, rule in matches:
        if rule.outcome == "harmless":
            line.masked.update(range(first, last))


def find_phrases(line: Line, matches: list[Match]) -> Iterator[Finding]:
    """Findings for each abusive phrase that is neither denied nor somebody else's words."""
    for first, last, evidence, rule in matches:
        if rule.category is None or rule.outcome == "harmless" or line.masked.issuperset(evidence):
            continue
        level = _LEVELS[rule.outcome]
        context = read_phrase(line, first, last)
        if context.negated and rule.negatable:
            continue
        if context.own and rule.own_excused:
            continue
        if context.quoted:
            if rule.category != "hate":
                continue
            level = Level.REVIEW
        yield Finding(first, last, evidence, rule.id, rule.category, level, SCORES[level])
