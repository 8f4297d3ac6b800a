"""Patterns over the words of a line, and their matcher.

A pattern is elements parted by spaces:

    word          this word
    a|b|<class>   any of these; `<class>` is a word class of the lexicon, `stem~endings` an inflected word,
                  `$` among them the end of the line
    x?  x*        at most once; at most three times
    ..3           up to three words, whatever they are
    !x            what comes next is not x (takes no word)
    ^  $          the line begins here, ends here

Each pattern is indexed by the words of its rarest element, so a line costs time only for patterns whose
rarest word it holds, and each try looks at a bounded stretch of words: a line costs time linear in its length.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MAX_REPEAT = 3
_WRAPPED = re.compile(r"\|\s+")  # a line of a lexicon file may end after a bar
# An everyday word makes a poor anchor: it counts as this many rare ones.
COMMON_COST = 50


@dataclass(frozen=True, slots=True)
class Element:
    """One element: how many words it takes and which ones."""

    kind: str  # "word", "gap", "not", "start", "end"
    words: frozenset[str] = frozenset()
    bits: int = 0
    least: int = 1
    most: int = 1
    or_end: bool = False

    def takes(self, word: str, bits: int) -> bool:
        return self.kind == "gap" or word in self.words or bool(bits & self.bits)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern; `anchor` is the element by whose words it is indexed."""

    source: str
    elements: tuple[Element, ...]
    anchor: int
    before_least: int
    before_most: int

    def find(self, words: Sequence[str], bits: Sequence[int], at: int) -> tuple[int, int, list[int]] | None:
        """Match with the anchor at word `at`: first word, word after the last, words matched by name or class."""
        for start in range(max(0, at - self.before_most), at - self.before_least + 1):
            taken: list[int] = []
            end = self._match(words, bits, 0, start, at, taken)
            if end >= 0:
                return start, end, taken
        return None

    def _match(
        self, words: Sequence[str], bits: Sequence[int], index: int, at: int, anchored: int, taken: list[int]
    ) -> int:
        if index == len(self.elements):
            return at
        element = self.elements[index]
        if index == self.anchor and at != anchored:
            return -1
        if element.kind == "start":
            return self._match(words, bits, index + 1, at, anchored, taken) if at == 0 else -1
        if element.kind == "end":
            return self._match(words, bits, index + 1, at, anchored, taken) if at == len(words) else -1
        if element.kind == "not":
            if element.takes(words[at], bits[at]) if at < len(words) else element.or_end:
                return -1
            return self._match(words, bits, index + 1, at, anchored, taken)
        depth = len(taken)
        count = 0
        while True:
            if count >= element.least:
                end = self._match(words, bits, index + 1, at + count, anchored, taken)
                if end >= 0:
                    return end
            here = at + count
            if element.or_end and here == len(words):
                return self._match(words, bits, index + 1, here, anchored, taken)
            if count == element.most or here >= len(words) or not element.takes(words[here], bits[here]):
                del taken[depth:]
                return -1
            if element.kind == "word":
                taken.append(here)
            count += 1


def compile_pattern(
    source: str,
    expand: Callable[[str], Sequence[str]],
    class_bit: Callable[[str], int],
    class_words: Callable[[str], frozenset[str]],
    common: Callable[[str], bool],
) -> tuple[Pattern, frozenset[str]]:
    """Compile `source`; also the words under which to index it.

    `expand` gives an inflected word's forms, `class_bit` and `class_words` a class's bit and members (KeyError for
    an unknown one), `common` whether a word is an everyday one. Raises ValueError for a pattern without a word.
    """
    elements: list[Element] = []
    vocabularies: list[frozenset[str] | None] = []
    for item in _WRAPPED.sub("|", source).split():
        if item in ("^", "$"):
            elements.append(Element("start" if item == "^" else "end", least=0, most=0))
            vocabularies.append(None)
            continue
        if item.startswith(".."):
            elements.append(Element("gap", least=0, most=int(item[2:])))
            vocabularies.append(None)
            continue
        kind, least, most = "word", 1, 1
        if item.startswith("!"):
            kind, least, most, item = "not", 0, 0, item[1:]
        elif item.endswith("?"):
            least, item = 0, item[:-1]
        elif item.endswith("*"):
            least, most, item = 0, MAX_REPEAT, item[:-1]
        words: set[str] = set()
        bits = 0
        members: set[str] = set()
        or_end = False
        for atom in item.split("|"):
            if atom.startswith("<") and atom.endswith(">"):
                bits |= class_bit(atom[1:-1])
                members |= class_words(atom[1:-1])
            elif atom == "$":
                or_end = True
            else:
                words.update(expand(atom))
        elements.append(Element(kind, frozenset(words), bits, least, most, or_end))
        anchors = kind == "word" and least and not or_end
        vocabularies.append(frozenset(words | members) if anchors else None)
    choices = [
        (sum(COMMON_COST if common(word) else 1 for word in words), index)
        for index, words in enumerate(vocabularies)
        if words
    ]
    if not choices:
        raise ValueError(f"pattern {source!r}: expected at least one word that must be there")
    anchor = min(choices)[1]
    before = elements[:anchor]
    anchor_words = vocabularies[anchor] or frozenset()
    pattern = Pattern(source, tuple(elements), anchor, sum(e.least for e in before), sum(e.most for e in before))
    return pattern, anchor_words
