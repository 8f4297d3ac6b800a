"""What the server and a process of second opinions say to each other, framed by `voice.processes.wire`."""

from __future__ import annotations

from voice.processes.wire import Message


class Ask(Message, tag="ask"):
    """To the process: what is thought of this line?"""

    number: int
    text: str
    lang: str


class Ready(Message, tag="ready"):
    """From the process, once: the model is loaded, and computes in that precision."""

    precision: str
    labels: list[str]
    load_s: float


class Unable(Message, tag="unable"):
    """From the process, in place of Ready: the model can't be used, and why."""

    reason: str


class Thought(Message, tag="thought"):
    """From the process: scores by category, and the spans, rules and categories for which a person is asked."""

    number: int
    scores: dict[str, float]
    spans: list[tuple[int, int, str, str]]
    took_s: float


class Failed(Message, tag="failed"):
    """From the process: this line can't be done; the error's kind, as its message may have the line in it."""

    number: int
    reason: str


ToModel = Ask
FromModel = Ready | Unable | Thought | Failed
