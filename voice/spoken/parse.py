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
    if not phrase.not_after.isdisjoint(sentence[-BEFORE:]):
        return False
    if phrase.do != "pass" and not book.conditions.isdisjoint(sentence):
        return False
    after = said[match.end() :].split()
    if after and after[0] in phrase.not_before:
        return False
    # The mark that ends its sentence may be within the match, where that ends all that was said.
    mark = next((word for word in (*match.group().split()[-1:], *after) if word in ENDS), ".")
    return mark != "?"


def _wish(do: str, match: re.Match[str], book: Book) -> Wish:
    groups = match.groupdict()
    for name in ("rather", "rather_alike", "seat", "seat_alike"):
        if groups.get(name):
            return Wish(do, target=book.seat(groups[name]))
    return Wish(do, card=book.cards[groups["card"]] if groups.get("card") else "")
