"""The embedded model: how likely a line is harmless, an insult, hate or sexual.

A linear table over the line's words, parts of words and neighbours (`grams`), and a small layer over what the rules
see of it (`signs`) and, in the second stage, over what a sentence encoder makes of it (`models/sentences.py`).
Probabilities are calibrated on lines that the training did not see (`training/train.py`).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from models.weights import read_weights
from moderation.cues import cue_bits
from moderation.grams import between_rows, plain_words, word_row_array
from moderation.line import Finding, Line
from moderation.signs import signs
from moderation.verdict import CATEGORIES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OUTCOMES: Final = ("none", *CATEGORIES)
FAST, SECOND = "fast.npz", "second.npz"
# A long speech is scored in windows, or one bad sentence drowns in it.
WHOLE_WORDS, WINDOW_WORDS, STEP_WORDS = 24, 16, 8


SENTENCE_SCALE: Final = 20.0  # a sentence vector has length 1; its numbers are to count like the signs


def sentence_of(line: Line, first: int, last: int) -> str:
    """Words `first` to `last` (half-open) as the sentence encoder is given them: no capitals, no punctuation."""
    return " ".join(line.words[first:last]).encode("utf-8", "replace").decode()


def windows(words: int) -> list[tuple[int, int]]:
    """The stretches of a line of so many words that are scored: the whole of a short one, else overlapping windows."""
    if words <= WHOLE_WORDS:
        return [(0, words)]
    starts = range(0, words - STEP_WORDS, STEP_WORDS)
    return [(start, min(start + WINDOW_WORDS, words)) for start in starts]


def rows_of(line: Line, first: int, last: int) -> "NDArray[np.int32]":
    """The table's rows for words `first` to `last` (half-open)."""
    import numpy as np

    words = plain_words(line, first, last)
    between = np.asarray(between_rows(line, words, first, last), np.int32)
    return np.concatenate([between, *map(word_row_array, words)])


class Model:
    """Weights and what they say. `sentence_size` is 0 where no sentence vector is asked for."""

    def __init__(self, arrays: Mapping[str, "NDArray[Any]"]) -> None:
        import numpy as np

        self._table: NDArray[np.float32] = arrays["table"].astype(np.float32) * arrays["table_scale"]
        self._signs, self._hidden = arrays["signs"].astype(np.float32), arrays["hidden"].astype(np.float32)
        self._out, self._bias = arrays["out"].astype(np.float32), arrays["bias"].astype(np.float32)
        self._sentence = arrays["sentence"].astype(np.float32) if "sentence" in arrays else None
        self._sharpness = arrays["sharpness"].item()
        self._words = bytes(arrays["words"]).decode().split()
        self.sentence_size = 0 if self._sentence is None else len(self._sentence)

    def warm_up(self) -> None:
        """Read the words of the training now, some 0.2 s, so that no line waits for them."""
        for word in self._words:
            word_row_array(word)
            cue_bits(word)

    def probabilities(
        self,
        line: Line,
        findings: Sequence[Finding],
        first: int,
        last: int,
        sentence: "NDArray[np.float32] | None" = None,
    ) -> list[float]:
        """The probability of each of OUTCOMES for words `first` to `last`; `findings` are the rules' there."""
        rows = rows_of(line, first, last)
        hidden = self._signs.take(signs(line, findings, first, last), axis=0).sum(axis=0)
        hidden += self._hidden
        if self._sentence is not None and sentence is not None:
            hidden += (sentence * SENTENCE_SCALE) @ self._sentence
        logits = hidden.clip(0) @ self._out
        logits += self._bias
        logits += self._table.take(rows, axis=0).sum(axis=0) / len(rows) ** 0.5
        return _softmax((logits * self._sharpness).tolist())


def _softmax(logits: list[float]) -> list[float]:
    from math import exp

    highest = max(logits)
    raised = [exp(logit - highest) for logit in logits]
    whole = sum(raised)
    return [one / whole for one in raised]


@cache
def fast_model() -> Model:
    """The embedded fast model. Raises ModelError where its weights are not the pinned ones."""
    return Model(read_weights(resources.files("moderation") / "weights", FAST))


@cache
def second_model() -> Model:
    """The second stage's model, which wants a sentence vector. Raises ModelError as `fast_model`."""
    return Model(read_weights(resources.files("moderation") / "weights", SECOND))
