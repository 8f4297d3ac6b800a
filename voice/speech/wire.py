"""What the server and its two speech processes say to each other, framed by `voice.processes.wire`."""

from __future__ import annotations

from voice.processes.wire import Message


class Open(Message, tag="open"):
    """To the tap: a table's stream begins, every microphone closed."""

    stream: int


class Mic(Message, tag="mic"):
    """To the tap: exactly these seats are open now."""

    stream: int
    seats: list[int]
    epoch: int


class Packet(Message, tag="packet"):
    """To the tap: one Opus packet that the gate let through."""

    stream: int
    seat: int
    epoch: int
    sequence: int
    timestamp: int
    payload: bytes
    arrival: float


class Drafts(Message, tag="drafts"):
    """To the tap: from now on a draft is wanted each so many seconds of speech, and no more often; 0: none is."""

    every_s: float


class Close(Message, tag="close"):
    """To the tap: a table's stream ends; what is pending is forgotten."""

    stream: int


class Ping(Message, tag="ping"):
    """Asks for a Pong with the same number, after all that was sent before it."""

    number: int


class Wait(Message, tag="wait"):
    """To the tap: how much silence ends an utterance, by the text of its likely end with this version.

    Void where the utterance has ended or its speaker has gone on; without it the tap waits as long as it always does.
    """

    stream: int
    seat: int
    utterance: int
    version: int
    silence_s: float


class Utterance(Message, tag="utterance"):
    """From the tap: an utterance so far (`draft`, `likely`) or whole (`final`); `pcm` is 16 bit, 16 kHz, mono."""

    stream: int
    seat: int
    stage: str
    utterance: int
    version: int
    same_as: int
    pcm: bytes
    start_s: float
    end_s: float
    speech_s: float


class SeatCounts(Message, tag="counts"):
    """From the tap: what it counted of one seat since it began."""

    stream: int
    seat: int
    counts: dict[str, int]


class Pong(Message, tag="pong"):
    """The answer to Ping."""

    number: int


class Load(Message, tag="load"):
    """To the recogniser: make ready for a language with this model."""

    lang: str
    model: str


class Job(Message, tag="job"):
    """To the recogniser: one utterance; `words` asks for each word's times and confidence."""

    number: int
    lang: str
    pcm: bytes
    words: bool


class Loaded(Message, tag="loaded"):
    """From the recogniser: a language is ready; `warm_s` is what the longest utterance took, of silence."""

    lang: str
    model: str
    took_s: float
    warm_s: float


class NotLoaded(Message, tag="not_loaded"):
    """From the recogniser: why a language can't be done; for the host to read."""

    lang: str
    model: str
    reason: str


class Result(Message, tag="result"):
    """From the recogniser: a job's text; `words` are (text, start_s, end_s, confidence) from its first sample.

    `others` are further readings and their shares (0 to 1); None where the recogniser does not tell.
    """

    number: int
    text: str
    words: list[tuple[str, float, float, float]]
    no_speech: float
    score: float
    decode_s: float
    others: list[tuple[str, float]] | None


class Failed(Message, tag="failed"):
    """From the recogniser: a job that can't be done, and why, for the host to read; the process is well."""

    number: int
    reason: str


ToTap = Open | Mic | Packet | Wait | Close | Drafts | Ping
FromTap = Utterance | SeatCounts | Pong
ToRecogniser = Load | Job | Ping
FromRecogniser = Loaded | NotLoaded | Result | Failed | Pong
