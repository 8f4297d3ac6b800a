"""What a speaker may have wished for, by the words alone: a pure function of the text.

Whose words they are, whether it is their minute and whether the rules would take it is for the table to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from voice.spoken.book import book_of
from voice.spoken.tokens import ENDS, flat

if TYPE_CHECKING:
    import re

    from voice.spoken.book import Book, Phrase

BEFORE = 2  # words before a phrase in which it may be denied
BEFORE_SEVERAL = 5  # the same for what denies it in several words ("there is no way that I ...")


@dataclass(frozen=True, slots=True)
class Wish:
    """A command somebody may have spoken: `nominate` a `target`, `pass`, or `say` that one has a `card`."""

    do: str
    target: int = 0
    card: str = ""

    def command(self) -> dict[str, object]:
        """In the engine's form, without `seat`."""
        if self.do == "nominate":
            return {"do": "nominate", "target": self.target}
        if self.do == "say":
            return {"do": "say", "kind": "claim", "card": self.card}
        return {"do": self.do}


def wishes(text: str, lang: str, *, ended: bool = True) -> tuple[Wish, ...]:
    """The commands in `text`, in the order in which they were said, of each kind the last one.

    `ended`: nothing follows; without it what only counts as the last word of a speech is not looked for. What is
    denied, asked, or told of another's words is none.
    """
    said, book = flat(text), book_of(lang)
    found: dict[str, tuple[int, Wish]] = {}
    for phrase in book.phrases:
        if phrase.at_end and not ended:
            continue
        for match in phrase.pattern.finditer(said):
            if _holds(said, match, phrase, book) and match.start() >= found.get(phrase.do, (0, None))[0]:
                found[phrase.do] = (match.start(), _wish(phrase.do, match, book))
    return tuple(wish for _, wish in sorted(found.values(), key=lambda each: each[0]))


def _holds(said: str, match: re.Match[str], phrase: Phrase, book: Book) -> bool:
    before = said[: match.start()].split()
    last_end = max((place for place, word in enumerate(before) if word in ENDS), default=-1)
    sentence = before[last_end + 1 :]
    if _denied(_without_own(sentence, book.own), phrase.not_after):
        return False
    if phrase.do != "pass" and not book.conditions.isdisjoint(sentence):
        return False
    after = said[match.end() :].split()
    if any(" ".join(after[:words]) in phrase.not_before for words in range(1, BEFORE_SEVERAL)):
        return False
    # The mark that ends its sentence may be within the match, where that ends all that was said.
    mark = next((word for word in (*match.group().split()[-1:], *after) if word in ENDS), ".")
    return mark != "?"


def _without_own(sentence: list[str], own: tuple[str, ...]) -> list[str]:
    """What stands before a wish, less what says that it is the speaker's own ("as I said")."""
    text = " ".join(["", *sentence])
    return next((text.removesuffix(f" {words}").split() for words in own if text.endswith(f" {words}")), sentence)


def _denied(before: list[str], not_after: frozenset[str]) -> bool:
    if not not_after.isdisjoint(before[-BEFORE:]):
        return True
    near = f" {' '.join(before[-BEFORE_SEVERAL:])} "
    return any(f" {words} " in near for words in not_after if " " in words)


def _wish(do: str, match: re.Match[str], book: Book) -> Wish:
    groups = match.groupdict()
    if do == "pass":
        return Wish(do)
    for place in ("rather", "seat"):
        for way in ("", "_named", "_bare", "_alike"):
            if number := groups.get(place + way):
                return Wish(do, target=book.seat(number))
    return Wish(do, card=book.cards[groups["card"]] if groups.get("card") else "")
