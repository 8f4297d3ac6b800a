"""Tokens as words, and when each word was said."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models import guards
from models.recognition import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.inside import Aligned

STEP_S = 0.02
_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class Spelled:
    """One word before its times are known: text and text tokens."""

    text: str
    tokens: tuple[int, ...]


def spell(tokenizer: Any, tokens: list[int]) -> list[Spelled]:
    """Text tokens as words: what does not begin with a space, or has no letter or digit, belongs to its neighbour."""
    words: list[Spelled] = []
    for text, parts in zip(*tokenizer.split_to_word_tokens(tokens), strict=True):
        glued = not text.startswith(" ") or not guards.bare(text)
        if words and (glued or not guards.bare(words[-1].text)):
            words[-1] = Spelled(words[-1].text + text, words[-1].tokens + tuple(parts))
        else:
            words.append(Spelled(text, tuple(parts)))
    return words


def text_of(spelled: Sequence[Spelled]) -> str:
    """The words as they are shown."""
    return "".join(word.text for word in spelled).strip()


def tokens_of(spelled: Sequence[Spelled]) -> list[int]:
    """All tokens of the words."""
    return [token for word in spelled for token in word.tokens]


def timed(tokenizer: Any, spelled: Sequence[Spelled], aligned: Aligned, audio_s: float) -> tuple[Word, ...]:
    """The words with their times, in order and within the audio, and their confidences."""
    tokens = tokens_of(spelled)
    # The aligner's row after the last token is the end of text.
    starts_s = [audio_s] * (len(tokens) + 1)
    for token, step in reversed(aligned.path):
        if token < len(starts_s):
            starts_s[token] = min(audio_s, step * STEP_S)
    words = []
    first = 0
    for word in spelled:
        after = first + len(word.tokens)
        confidence = _confidence(tokenizer, tokens[first:after], aligned.token_probs[first:after])
        words.append(Word(word.text.strip(), starts_s[first], starts_s[after], confidence))
        first = after
    return tuple(words)


def _confidence(tokenizer: Any, tokens: Sequence[int], shares: Sequence[float]) -> float:
    """The geometric mean of the probabilities of those tokens that carry letters, digits or a part of a letter."""
    weights = [
        math.log(min(1.0, max(share, _LEAST)))
        for token, share in zip(tokens, shares, strict=False)
        if guards.bare(text := tokenizer.decode([token])) or "\ufffd" in text
    ]
    return min(1.0, math.exp(sum(weights) / len(weights))) if weights else 0.0
