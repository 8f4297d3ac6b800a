"""A recogniser that hears nothing: its text is the number that the sound begins with. What it does besides is its name.

`echo`: at once; `slow SECONDS`; `until PATH`: when there is a file; `grows PATH`: has 300 MB more when there is a file;
`leaks BYTES`: has so much more after each utterance; `loads PATH NAME`: our own, whose model is loaded when there is a
file. `odd`: can't do odd numbers; `heavy`: no GPU's memory for an even one; `few PATH N`: N processes can load it, each
of which leaves its mark in the folder; `together PATH`: when there is a file, several at once, its text the number and
how many those were.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from models.errors import ModelError
from models.recognition import Hypothesis
from voice.speech import windowed
from voice.speech.wire import Utterance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.recognition import Ask, Recogniser
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
            self._act(number_of(audio))
        return heard(f"line {number_of(audio)}")

    def _act(self, number: int) -> None:
        if self._what == "slow":
            time.sleep(float(self._how))
        elif self._what == "until":
            wait_for(self._how)
        elif self._what == "grows" and not self._grown and Path(self._how).exists():
            self._grown.append(b"x" * GROWTH_BYTES)
        elif self._what == "leaks":
            self._grown.append(b"x" * int(self._how))
        elif self._what == "odd" and number % 2:
            raise ValueError(f"somebody's words: {number}")
        elif self._what == "heavy" and number % 2 == 0:
            raise RuntimeError("CUDA failed with error out of memory")


class Together(MadeUp):
    """One that takes several at once."""

    def __init__(self, path: str) -> None:
        super().__init__("together")
        self._path = path

    def transcribe_batch(self, asks: Sequence[Ask]) -> list[Hypothesis]:
        """See models.recognition.BatchRecogniser."""
        wait_for(self._path)
        return [heard(f"{number_of(ask.audio)} of {len(asks)}") for ask in asks]


def heard(text: str) -> Hypothesis:
    """A text of which it is sure."""
    return Hypothesis(text, (), 0.0, 0.0, loops=False)


def number_of(audio: Samples) -> int:
    """What `said` made it of."""
    return round(32768 * float(audio[0]))


def wait_for(path: str) -> None:
    """Until there is a file; not standing still meanwhile."""
    while not Path(path).exists():
        work_until = time.process_time() + 0.001
        while time.process_time() < work_until:
            pass
        time.sleep(0.009)


def alive(pid: str) -> bool:
    """Whether there is such a process."""
    return Path("/proc", pid).exists()


def load(name: str, options: Options) -> Recogniser:
    """What `voice.speech.loading` asks for."""
    if name.startswith("loads "):
        _, path, real = name.split(" ")
        wait_for(path)
        return windowed.load(real, options)
    if name.startswith("few "):
        _, folder, most = name.split(" ")
        (Path(folder) / str(os.getpid())).touch()
        others = [each.name for each in Path(folder).iterdir() if alive(each.name)]
        if len(others) > int(most):
            raise ModelError("no memory for one more")
    if name.startswith("together "):
        return Together(name.partition(" ")[2])
    return MadeUp(name)
