"""The recogniser process: `python -m voice.speech.recogniser DESCRIPTOR PARENT ARGUMENTS...`, as `main` takes them.

Takes jobs and gives their texts: those that have come together go through the model together, where the model can do
that. It may be killed at any moment: it holds nothing that the server can't send again, and writes nothing but a joined
model and its checksums.
"""

from __future__ import annotations

import itertools
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from models.errors import ModelError
from models.recognition import Ask, BatchRecogniser, SettlingRecogniser
from models.vad import SAMPLE_RATE_HZ
from voice.processes.child import Inbox, Pipe, become_child
from voice.speech.loading import Options, loader
from voice.speech.wire import Failed, Job, Load, Loaded, NotLoaded, Pong, Result, ToRecogniser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from models.recognition import Hypothesis, Recogniser
    from voice.processes.wire import Message

NICENESS = 5
GATHER_S = 0.002
"""Where several go through a model together: what follows within this is waited for. As places get free, it follows."""
WARM_UP_S = 12.0
"""As long as an utterance gets: what a decode takes of memory and time is known before the first one."""
MOST_AT_ONCE = 16
"""Utterances that go through a model together, at most: what they need of a GPU's memory is bounded by it."""


class Desk:
    """The loaded models and the work on them. `load` makes a recogniser of a model's name, or raises ModelError."""

    def __init__(self, load: Callable[[str], Recogniser]) -> None:
        self._load_model = load
        self._by_name: dict[str, Recogniser] = {}
        self._by_language: dict[str, Recogniser] = {}

    def handle(self, messages: Sequence[ToRecogniser]) -> Iterator[Message]:
        """Act on messages in their order, and give the answers; jobs next to each other are one batch."""
        for kind, some in itertools.groupby(messages, type):
            if kind is Job:
                yield from self._recognise_all([message for message in some if isinstance(message, Job)])
            else:
                yield from (self._do(message) for message in some)

    def _do(self, message: ToRecogniser) -> Message:
        if isinstance(message, Load):
            return self._load(message)
        return Pong(message.number)

    def _load(self, load: Load) -> Message:
        begun = time.monotonic()
        try:
            model = self._by_name.get(load.model)
            if model is None:
                model = self._load_model(load.model)
            # The first run after loading is slow; it also finds a model that can't do the language.
            model.transcribe(np.zeros(SAMPLE_RATE_HZ, np.float32), load.lang, words=False)
            longest = np.zeros(round(WARM_UP_S * SAMPLE_RATE_HZ), np.float32)
            model.transcribe(longest, load.lang, words=True)
            if isinstance(model, SettlingRecogniser):
                model.settle()
            warm = time.monotonic()
            model.transcribe(longest, load.lang, words=True)
        except ModelError as error:
            return NotLoaded(load.lang, load.model, str(error))
        self._by_name[load.model] = self._by_language[load.lang] = model
        now = time.monotonic()
        return Loaded(load.lang, load.model, now - begun, now - warm)

    def _recognise_all(self, jobs: Sequence[Job]) -> Iterator[Result | Failed]:
        by_model: dict[int, list[Job]] = {}
        for job in jobs:
            by_model.setdefault(id(self._by_language[job.lang]), []).append(job)
        for some in by_model.values():
            model = self._by_language[some[0].lang]
            at_once = MOST_AT_ONCE if isinstance(model, BatchRecogniser) else 1
            for first in range(0, len(some), at_once):
                yield from _recognise(model, some[first : first + at_once])


def _recognise(model: Recogniser, jobs: Sequence[Job]) -> Iterator[Result | Failed]:
    """What came of jobs of one model. Where one of several can't be done, each is tried alone.

    Raises what leaves a process that is good for nothing: no memory, no GPU.
    """
    try:
        found = _results(model, jobs)
    except Exception as error:  # whatever somebody else's module, or a library, does
        if _ruins(error):
            raise
        if len(jobs) > 1:
            for job in jobs:
                yield from _recognise(model, [job])
        else:
            yield Failed(jobs[0].number, _said(error))
    else:
        yield from found


def _ruins(error: BaseException) -> bool:
    """Whether a process that met this had better begin anew."""
    said = str(error).lower()
    ruined = isinstance(error, MemoryError) or any(
        sign in said for sign in ("cuda", "cublas", "cudnn", "out of memory")
    )
    return ruined or (error.__cause__ is not None and _ruins(error.__cause__))


def _said(error: Exception) -> str:
    """One line for the host; of what is not meant for one the kind alone, as somebody's words may be in it."""
    if isinstance(error, ModelError):
        return " ".join(str(error).split())[:400]
    return type(error).__name__


def _results(model: Recogniser, jobs: Sequence[Job]) -> list[Result]:
    """The results of jobs of one model; a job's time is its share of what all of them took."""
    begun = time.monotonic()
    asks = [
        Ask(np.frombuffer(job.pcm, "<i2").astype(np.float32) / np.float32(32768), job.lang, job.words) for job in jobs
    ]
    if isinstance(model, BatchRecogniser):
        found = model.transcribe_batch(asks)
    else:
        found = [model.transcribe(ask.audio, ask.lang, words=ask.words) for ask in asks]
    took_s = (time.monotonic() - begun) / len(jobs)
    return [_result(job, hypothesis, took_s) for job, hypothesis in zip(jobs, found, strict=True)]


def _result(job: Job, found: Hypothesis, took_s: float) -> Result:
    words = [(word.text, word.start_s, word.end_s, word.confidence) for word in found.words]
    others = None if found.others is None else [(reading.text, reading.share) for reading in found.others]
    return Result(job.number, found.text, words, found.no_speech, found.score, took_s, others)


def main(arguments: list[str]) -> None:
    """Serve until the server is gone."""
    descriptor, parent_pid, data_dir, device, compute_type, threads, window, module, together = arguments
    become_child(int(parent_pid), NICENESS)
    options = Options(Path(data_dir), device, compute_type or None, int(threads), float(window) if window else None)
    desk = Desk(lambda name: loader(module)(name, options))
    pipe = Pipe(int(descriptor), ToRecogniser)
    inbox = Inbox(pipe)
    gather_s = GATHER_S if int(together) > 1 else 0.0
    # What has come meanwhile belongs to the same batch.
    while (messages := inbox.receive(gather_s, int(together))) is not None:
        for answer in desk.handle(messages):
            pipe.send(answer)


if __name__ == "__main__":
    main(sys.argv[1:])
