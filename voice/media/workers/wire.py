"""What the server and a media worker say to each other, framed by `voice.processes.wire`.

`room` is a number that the server gives to each table's voice and never twice; `call` names a question, whose answer
carries it back. `serial` counts the moves of one room's gate as the worker is told them, tellings anew included: each
packet that comes back carries the one under which it was let in.
"""

from __future__ import annotations

from typing import Any

from voice.media.settings import MediaSettings  # noqa: TC001 - the decoder reads the types of the fields
from voice.processes.wire import Message


class Begin(Message, tag="begin"):
    """The first message: how to work. Without a word from the server for `stall_s` every gate closes."""

    settings: MediaSettings
    stall_s: float


class Open(Message, tag="open"):
    """A table's voice begins, every microphone closed."""

    room: int
    table: str


class Move(Message, tag="move"):
    """Exactly these seats' microphones are open from now on."""

    room: int
    seats: list[int]
    serial: int


class Connect(Message, tag="connect"):
    """An offer; answered by Answer or Refused."""

    room: int
    call: int
    viewer: int | str
    sdp: str


class Disconnect(Message, tag="disconnect"):
    """End a viewer's connection; answered by Done."""

    room: int
    call: int
    viewer: int | str


class Shut(Message, tag="shut"):
    """A table's voice ends; answered by Done."""

    room: int
    call: int


class Beat(Message, tag="beat"):
    """The server lives; answered by Alive."""

    number: int


class Ready(Message, tag="ready"):
    """The worker takes offers."""


class Answer(Message, tag="answer"):
    """The answer to an offer."""

    call: int
    sdp: str


class Refused(Message, tag="refused"):
    """A MediaError."""

    call: int
    code: str
    message: str


class Done(Message, tag="done"):
    """It is ended."""

    call: int


class Linked(Message, tag="linked"):
    """Exactly these seats' voice links are alive."""

    room: int
    seats: list[int]


class Slots(Message, tag="slots"):
    """The number of the change, and the seat in each slot (None: nobody), for all who hear that many slots."""

    room: int
    change: int
    seats: list[int | None]


class Accepted(Message, tag="accepted"):
    """Packets that were let in: seat, sequence, timestamp, Opus payload, arrival (monotonic seconds)."""

    room: int
    serial: int
    packets: list[tuple[int, int, int, bytes, float]]


class Counts(Message, tag="counts"):
    """A room's counters since it was opened in this process."""

    room: int
    counts: dict[str, Any]


class Alive(Message, tag="alive"):
    """The answer to Beat, with what the worker's own event loop was late by (`voice.lag`)."""

    number: int
    lag: dict[str, float]


class Stalled(Message, tag="stalled"):
    """The server was silent for too long: every gate is closed, and stays so until it is told anew."""


ToWorker = Begin | Open | Move | Connect | Disconnect | Shut | Beat
FromWorker = Ready | Answer | Refused | Done | Linked | Slots | Accepted | Counts | Alive | Stalled
