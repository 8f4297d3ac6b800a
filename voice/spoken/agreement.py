"""When text that may still change counts: as far as two hypotheses in a row agree on it, word by word.

Source: LocalAgreement-2 of Macháček, Dabre and Bojar, "Turning Whisper into Real-Time Transcription System" (2023).
"""

from __future__ import annotations

from typing import NamedTuple

from voice.spoken.tokens import words_of


class Agreed(NamedTuple):
    """The text two hypotheses share from their beginning. `whole`: they are the same to the last word."""

    text: str
    whole: bool


class Agreement:
    """The hypotheses of one seat's present utterance."""

    def __init__(self) -> None:
        self._last: list[str] | None = None

    def hear(self, text: str) -> Agreed:
        """The next hypothesis: what of it the one before had too."""
        words = words_of(text)
        before, self._last = self._last, [word for word, _ in words]
        if before is None:
            return Agreed("", whole=False)
        shared = 0
        for (word, _), other in zip(words, before, strict=False):
            if word != other:
                break
            shared += 1
        end = words[shared - 1][1] if shared else 0
        return Agreed(text[:end], whole=bool(shared) and shared == len(words) == len(before))

    def forget(self) -> None:
        """The utterance is over: the next hypothesis is of another."""
        self._last = None
