"""A process of second opinions that thinks what a line tells it to: `python -m tests.second_opinions.made_up`."""

from __future__ import annotations

import os
import sys
import time

from voice.processes.child import Inbox, Pipe, become_child
from voice.second_opinions.wire import Failed, Ready, Thought, ToModel, Unable


def main(arguments: list[str]) -> None:
    descriptor, parent_pid, _, name, *_ = arguments
    become_child(int(parent_pid), 0)
    pipe = Pipe(int(descriptor), ToModel)
    inbox = Inbox(pipe)
    if name == "broken":
        pipe.send(Unable("the files are damaged"))
        return
    pipe.send(Ready("int8", ["insult"], 0.1))
    while (asks := inbox.receive(0.0, 16)) is not None:
        for ask in asks:
            if ask.text.startswith("die"):
                os._exit(3)
            if ask.text.startswith("hang"):
                time.sleep(1000)
            if ask.text.startswith("fail"):
                pipe.send(Failed(ask.number, "ValueError"))
                continue
            score = 0.9 if "rude" in ask.text else 0.1
            spans = [(0, len(ask.text), "model.detoxify", "insult")] if score > 0.5 else []
            pipe.send(Thought(ask.number, {"insult": score, "hate": 0.0, "sexual": 0.0}, spans, 0.01))


if __name__ == "__main__":
    main(sys.argv[1:])
