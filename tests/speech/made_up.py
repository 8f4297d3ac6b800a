"""A recogniser that hears nothing: its text is the number that the sound begins with. What it does besides is its name.

`echo`: at once; `slow SECONDS`; `until PATH`: when there is a file; `grows PATH`: has 300 MB more when there is a
file; `loads PATH NAME`: our own, whose model is loaded when there is a file.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from models.recognition import Hypothesis
from voice.speech import windowed
from voice.speech.wire import Utterance

if TYPE_CHECKING:
    from models.recognition import Recogniser
    from models.vad import Samples
    from voice.speech.loading import Options

MODULE = "tests.speech.made_up"
GROWTH_BYTES = 300_000_000


def said(stream: int, seat: int, number: int, stage: str = "final", seconds: float = 1.0) -> Utterance:
    """An utterance that becomes `line NUMBER`."""
    pcm = np.zeros(round(16_000 * seconds), "<i2")
    pcm[0] = number
    now_s = time.monotonic()
    return Utterance(stream, seat, stage, number, 1, 0, pcm.tobytes(), now_s - seconds, now_s, seconds)


class MadeUp:
    """One of them, by its name."""

    def __init__(self, name: str) -> None:
        self._what, _, self._how = name.partition(" ")
        self._grown: list[bytes] = []

    def transcribe(self, audio: Samples, lang: str, *, words: bool = True) -> Hypothesis:
        """See models.recognition.Recogniser."""
        if np.any(audio):  # not when it is only tried
            self._act()
        return Hypothesis(f"line {round(32768 * float(audio[0]))}", (), 0.0, 0.0, loops=False)

    def _act(self) -> None:
        if self._what == "slow":
            time.sleep(float(self._how))
        elif self._what == "until":
            wait_for(self._how)
        elif self._what == "grows" and not self._grown and Path(self._how).exists():
            self._grown.append(b"x" * GROWTH_BYTES)


def wait_for(path: str) -> None:
    """Until there is a file; not standing still meanwhile."""
    while not Path(path).exists():
        work_until = time.process_time() + 0.001
        while time.process_time() < work_until:
            pass
        time.sleep(0.009)


def load(name: str, options: Options) -> Recogniser:
    """What `voice.speech.loading` asks for."""
    if name.startswith("loads "):
        _, path, real = name.split(" ")
        wait_for(path)
        return windowed.load(real, options)
    return MadeUp(name)
