"""A process of second opinions: `python -m voice.second_opinions.process DESCRIPTOR PARENT DATA MODEL DEVICE THREADS`.

Loads its model, Detoxify's or the one that knows sentences, then takes lines and gives opinions. It may be killed at
any moment: it holds nothing that the server can't send again, and writes nothing but a fetched model and its checksums.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from models.errors import ModelError
from voice.processes.child import Inbox, Pipe, become_child
from voice.second_opinions.opinions import load
from voice.second_opinions.wire import Ask, Failed, Ready, Thought, ToModel, Unable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from voice.second_opinions.opinions import Opinions

NICENESS = 10
"""Recognisers have 5: a second opinion can wait."""
MOST_AT_ONCE = 16


def answer(model: Opinions, asks: Sequence[Ask]) -> Iterator[Thought | Failed]:
    """What is thought of lines that came together. Raises what leaves a process that is good for nothing."""
    begun = time.monotonic()
    try:
        found = model.of([(ask.text, ask.lang) for ask in asks])
    except Exception as error:  # whatever a library does with somebody's words
        if isinstance(error, MemoryError) or "cuda" in str(error).lower():
            raise
        if len(asks) > 1:
            for ask in asks:
                yield from answer(model, [ask])
        else:
            yield Failed(asks[0].number, type(error).__name__)
        return
    took_s = (time.monotonic() - begun) / len(asks)
    for ask, opinion in zip(asks, found, strict=True):
        spans = [(hit.start, hit.end, hit.rule, str(hit.category)) for hit in opinion.why]
        yield Thought(ask.number, {str(name): score for name, score in opinion.scores.items()}, spans, took_s)


def main(arguments: list[str]) -> None:
    """Serve until the server is gone."""
    descriptor, parent_pid, data_dir, name, device, threads = arguments
    become_child(int(parent_pid), NICENESS)
    pipe = Pipe(int(descriptor), ToModel)
    inbox = Inbox(pipe)
    begun = time.monotonic()
    try:
        model = load(Path(data_dir), name, device, int(threads))
    except Exception as error:  # a library that does not load here, and whatever it says of that; nobody's words yet
        kind = "" if isinstance(error, ModelError) else f"{type(error).__name__}: "
        pipe.send(Unable(kind + " ".join(str(error).split())[:400]))
        return
    pipe.send(Ready(model.precision, list(model.labels), time.monotonic() - begun))
    while (asks := inbox.receive(0.0, MOST_AT_ONCE)) is not None:
        for thought in answer(model, asks):
            pipe.send(thought)


if __name__ == "__main__":
    main(sys.argv[1:])
