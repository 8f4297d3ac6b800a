"""Word forms written short: `дурак~k` is the stem with every ending of class `k`, `idiot~s` the same in English."""

from collections.abc import Iterator, Mapping

Endings = Mapping[str, tuple[str, ...]]


class LexiconError(ValueError):
    """A lexicon file holds something it must not; the message names the file's entry."""


def read_endings(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Ending classes of a file; `-` stands for the empty ending."""
    return {
        name: tuple("" if ending == "-" else ending for ending in endings.split()) for name, endings in table.items()
    }


def expand(spec: str, endings: Endings) -> Iterator[str]:
    """All forms that a space-separated `spec` of words and `stem~class` names, in order."""
    for item in spec.split():
        stem, mark, name = item.partition("~")
        if not mark:
            yield item.replace("ё", "е")
            continue
        if name not in endings:
            raise LexiconError(f"expected an ending class of this file ({', '.join(endings)}), got {item!r}")
        for ending in endings[name]:
            yield (stem + ending).replace("ё", "е")
