"""The recogniser process: `python -m voice.speech.recogniser DESCRIPTOR PARENT DATA DEVICE COMPUTE_TYPE`.

Takes one job at a time and gives its text. It may be killed at any moment: it holds nothing that the server can't send
again, and writes nothing but a joined model and its checksums.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from models.errors import ModelError
from models.store import locate
from models.vad import SAMPLE_RATE_HZ, Samples
from models.whisper import WindowedWhisper
from voice.processes.child import Pipe, become_child
from voice.speech.wire import Job, Load, Loaded, NotLoaded, Ping, Pong, Result, ToRecogniser

if TYPE_CHECKING:
    from voice.processes.wire import Message

NICENESS = 5


class Desk:
    """The loaded models and the work on them."""

    def __init__(self, data_dir: Path, device: str, compute_type: str | None) -> None:
        self._data_dir = data_dir
        self._device = device
        self._compute_type = compute_type
        self._by_name: dict[str, WindowedWhisper] = {}
        self._by_language: dict[str, WindowedWhisper] = {}

    def handle(self, message: ToRecogniser) -> Message:
        """Act on a message; return the answer."""
        if isinstance(message, Ping):
            return Pong(message.number)
        if isinstance(message, Load):
            return self._load(message)
        return self._recognise(message)

    def _load(self, load: Load) -> Message:
        begun = time.monotonic()
        try:
            model = self._by_name.get(load.model)
            if model is None:
                located = locate(load.model, self._data_dir)
                model = WindowedWhisper(located, device=self._device, compute_type=self._compute_type)
            # The first run after loading is slow; it also finds a model that can't do the language.
            model.transcribe(np.zeros(SAMPLE_RATE_HZ, np.float32), load.lang, words=False)
        except ModelError as error:
            return NotLoaded(load.lang, load.model, str(error))
        self._by_name[load.model] = self._by_language[load.lang] = model
        return Loaded(load.lang, load.model, time.monotonic() - begun)

    def _recognise(self, job: Job) -> Result:
        begun = time.monotonic()
        audio: Samples = np.frombuffer(job.pcm, "<i2").astype(np.float32) / 32768.0
        found = self._by_language[job.lang].transcribe(audio, job.lang, words=job.words)
        words = [(word.text, word.start_s, word.end_s, word.confidence) for word in found.words]
        took_s = time.monotonic() - begun
        return Result(job.number, found.text, words, found.no_speech, found.score, took_s)


def main(arguments: list[str]) -> None:
    """Serve until the server is gone."""
    descriptor, parent_pid, data_dir, device, compute_type = arguments
    become_child(int(parent_pid), NICENESS)
    desk = Desk(Path(data_dir), device, compute_type or None)
    pipe = Pipe(int(descriptor), ToRecogniser)
    while True:
        messages = pipe.receive(None)
        if messages is None:
            return
        for message in messages:
            pipe.send(desk.handle(message))


if __name__ == "__main__":
    main(sys.argv[1:])
