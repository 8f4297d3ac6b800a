"""What else an utterance may have been: the other readings that a beam search ended with, and how likely each is.

A recogniser that does not know a word writes the everyday ones that sound like it; the word itself is often among
what it nearly wrote. Source of the shares: posterior probabilities over a list of N best hypotheses, as in Wessel,
Schlüter, Macherey and Ney, "Confidence Measures for Large Vocabulary Continuous Speech Recognition" (2001).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from models.guards import bare
from models.recognition import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence


def others(found: Sequence[tuple[str, float]]) -> tuple[Reading, ...] | None:
    """The readings that say other words than the first, likeliest first.

    `found`: each reading's text and the logarithm of its probability, the chosen one first. Those that differ in marks,
    letter case and ё alone are one reading, and their probabilities add up. All shares, the first one's included,
    make 1. None where the search ended with one sequence: it says nothing of what else it may have been.
    """
    if len(found) < 2:
        return None
    most = max(log for _, log in found)
    shares: dict[tuple[str, ...], float] = {}
    texts: dict[tuple[str, ...], str] = {}
    for text, log in found:
        key = tuple(filter(None, (bare(word).replace("ё", "е") for word in text.split())))
        shares[key] = shares.get(key, 0.0) + math.exp(log - most)
        texts.setdefault(key, text)
    whole = sum(shares.values())
    chosen = next(iter(shares))
    rest = [Reading(texts[key], share / whole) for key, share in shares.items() if key != chosen and key]
    return tuple(sorted(rest, key=lambda reading: -reading.share))
