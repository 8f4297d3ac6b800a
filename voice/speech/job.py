"""One utterance on its way to being text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voice.speech.wire import Result, Utterance

PCM_BYTES_PER_S = 32_000


@dataclass(slots=True, eq=False)
class Job:
    """An utterance to be recognised: a draft, a likely end (`words`), or whole (`final`).

    `final` may come true while it waits or runs. `called_s` is when the endpointer's word on its end came (monotonic).
    `tap_life` says which of the tap's lives counted the utterance. `attempts` counts the processes that it was given
    to. `lost` comes true where no result will.
    """

    utterance: Utterance
    lang: str
    final: bool
    words: bool
    called_s: float = 0.0
    tap_life: int = 0
    attempts: int = 0
    lost: bool = False
    result: Result | None = None

    @property
    def audio_s(self) -> float:
        """How long its sound is."""
        return len(self.utterance.pcm) / PCM_BYTES_PER_S

    @property
    def draft(self) -> bool:
        """Whether it is of speech that goes on: for captions alone."""
        return not self.final and not self.words
