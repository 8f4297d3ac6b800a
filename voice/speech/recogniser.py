"""The recogniser process: `python -m voice.speech.recogniser DESCRIPTOR PARENT ARGUMENTS...`, as `main` takes them.

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
from models.vad import SAMPLE_RATE_HZ, Samples
from voice.processes.child import Pipe, become_child
from voice.speech.loading import Options, loader
from voice.speech.wire import Job, Load, Loaded, NotLoaded, Ping, Pong, Result, ToRecogniser

if TYPE_CHECKING:
    from collections.abc import Callable

    from models.recognition import Recogniser
    from voice.processes.wire import Message

NICENESS = 5


class Desk:
    """The loaded models and the work on them. `load` makes a recogniser of a model's name, or raises ModelError."""

    def __init__(self, load: Callable[[str], Recogniser]) -> None:
        self._load_model = load
        self._by_name: dict[str, Recogniser] = {}
        self._by_language: dict[str, Recogniser] = {}

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
                model = self._load_model(load.model)
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
        others = None if found.others is None else [(reading.text, reading.share) for reading in found.others]
        took_s = time.monotonic() - begun
        return Result(job.number, found.text, words, found.no_speech, found.score, took_s, others)


def main(arguments: list[str]) -> None:
    """Serve until the server is gone."""
    descriptor, parent_pid, data_dir, device, compute_type, threads, window, module = arguments
    become_child(int(parent_pid), NICENESS)
    options = Options(Path(data_dir), device, compute_type or None, int(threads), float(window) if window else None)
    desk = Desk(lambda name: loader(module)(name, options))
    pipe = Pipe(int(descriptor), ToRecogniser)
    while True:
        messages = pipe.receive(None)
        if messages is None:
            return
        for message in messages:
            pipe.send(desk.handle(message))


if __name__ == "__main__":
    main(sys.argv[1:])
