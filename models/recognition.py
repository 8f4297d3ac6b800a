"""What speech recognition gives, whatever model does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.vad import Samples


@dataclass(frozen=True, slots=True)
class Word:
    """One word as shown, punctuation included; seconds on its text's clock; confidence 0 to 1.

    The confidence is the geometric mean of the probabilities of the tokens that carry the word's letters or digits.
    """

    text: str
    start_s: float
    end_s: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Reading:
    """Something else that an utterance may have been; `share`: how likely, among all that were considered, 0 to 1."""

    text: str
    share: float


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What was recognised in one utterance, times counted from its first sample.

    `no_speech` is the model's probability that nobody spoke; `score` the mean log probability of a token; `loops` says
    that the decoder was caught repeating itself and what it repeated was taken out. `others` are further readings, the
    likeliest first, which say other words than `text`; None where the search does not tell.
    """

    text: str
    words: tuple[Word, ...]
    no_speech: float
    score: float
    loops: bool
    others: tuple[Reading, ...] | None = None


class Recogniser(Protocol):
    """A model that hears one utterance at a time."""

    def transcribe(self, audio: Samples, lang: str, *, words: bool = True) -> Hypothesis:
        """Recognise mono 16 kHz PCM; `words` asks for each word's times and confidence, at some cost.

        Raises ModelError where the model can't do `lang`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Ask:
    """One utterance to be recognised, of several: the arguments of `Recogniser.transcribe`."""

    audio: Samples
    lang: str
    words: bool = True


@runtime_checkable
class BatchRecogniser(Protocol):
    """A recogniser that can hear several utterances at once."""

    def transcribe_batch(self, asks: Sequence[Ask]) -> list[Hypothesis]:
        """What `transcribe` gives, for each of them and in their order; utterances of several languages may be mixed.

        Raises ModelError where the model can't do the language of any.
        """
        ...


@runtime_checkable
class SettlingRecogniser(Protocol):
    """A recogniser that lays its memory out anew when it has heard its first utterances."""

    def settle(self) -> None:
        """Called when a language was loaded, in a process that is at rest; may take some seconds."""
        ...
