"""Which of the endpointer's drafts are sent on: it gives them as often as there ever are, and load wants fewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from models.vad import SAMPLE_RATE_HZ
from voice.speech.endpointer import Stage

if TYPE_CHECKING:
    from voice.speech.endpointer import Cut


class Thinned:
    """The drafts of one seat."""

    def __init__(self) -> None:
        self._utterance = 0
        self._told_samples = 0

    def wanted(self, cut: Cut, every_s: float) -> bool:
        """Whether to send a cut: every one that is no draft, and a draft `every_s` after the last one; 0: none."""
        if cut.utterance != self._utterance:
            self._utterance, self._told_samples = cut.utterance, 0
        if cut.stage is Stage.DRAFT:
            new = len(cut.audio) - self._told_samples
            if not every_s or new < round(every_s * SAMPLE_RATE_HZ):
                return False
        self._told_samples = len(cut.audio)
        return True
