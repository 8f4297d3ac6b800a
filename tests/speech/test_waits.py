"""From the text of a likely end to the tap's wait: stream and tap without processes, by the test's own clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import msgspec
import numpy as np
import pytest

from tests.speech.sound import Clip, encode_opus
from voice.processes.wire import LENGTH, decoder
from voice.speech.endpointer import EndpointRules
from voice.speech.stream import SpeechStream
from voice.speech.tap import Tap
from voice.speech.wire import Mic, Open, Packet, Result, ToTap, Utterance, Wait

if TYPE_CHECKING:
    from voice.processes.wire import Message
    from voice.speech.job import Job
    from voice.speech.lines import Line
    from voice.speech.service import SpeechService

RULES = EndpointRules()
SILENCE = np.zeros(24_000, np.float32)
STEP_S = 0.02


class Queues:
    """A scheduler that keeps what it is given."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.at_once = True
        """Whether a recogniser takes a likely end as it comes."""

    def likely(self, job: Job) -> None:
        self.jobs.append(job)

    def at_work_on(self, job: Job) -> bool:
        return self.at_once and job in self.jobs

    def final(self, job: Job) -> None:
        self.jobs.append(job)

    def promote(self, job: Job) -> None:
        job.final = True

    def draft(self, job: Job) -> None:
        """Captions are nothing to this test."""


@dataclass
class Service:
    """What a stream needs of the service: here the tap takes a message in the call that sends it."""

    tap: Tap
    speculates: bool = True
    endpoint: EndpointRules = RULES
    scheduler: Queues = field(default_factory=Queues)
    waits: list[Wait] = field(default_factory=list)
    said: list[Message] = field(default_factory=list)
    latencies_s: list[float] = field(default_factory=list)

    def send_control(self, data: bytes) -> None:
        message = decoder(ToTap).decode(data[LENGTH.size :])
        if isinstance(message, Wait):
            self.waits.append(message)
        self.said += self.tap.handle(message)


class World:
    """One seat speaks; the recogniser has its text `decode_s` after a likely end, or never."""

    def __init__(self, text: str, decode_s: float | None, *, speculates: bool = True, at_once: bool = True) -> None:
        self.service = Service(Tap(RULES), speculates)
        self.service.scheduler.at_once = at_once
        self.lines: list[Line] = []
        stream = SpeechStream(cast("SpeechService", self.service), 1, "t", "en", self.lines.append, lambda *_: None)
        self.stream = stream
        self.text, self.decode_s = text, decode_s
        self.finals: list[tuple[float, Utterance]] = []
        self.likely: list[Utterance] = []
        self.service.tap.handle(Open(1))
        self.service.tap.handle(Mic(1, [4], 1))
        self._due: list[tuple[float, Job]] = []

    def play(self, pcm: Any) -> None:
        for number, payload in enumerate(encode_opus(pcm)):
            now_s = (number + 1) * STEP_S
            self._take(self.service.tap.handle(Packet(1, 4, 1, number, 960 * number, payload, now_s)), now_s)
            for due_s, job in list(self._due):
                if due_s <= now_s:
                    self._due.remove((due_s, job))
                    self.answer(job)
                    self._take(self.service.said, now_s)

    def answer(self, job: Job) -> None:
        words = [(word, 0.0, 0.1, 0.9) for word in self.text.split()]
        job.result = Result(1, self.text, words, 0.0, -0.2, 0.1, [])
        self.stream.done(job)

    def _take(self, said: list[Message], now_s: float) -> None:
        for message in list(said):
            if isinstance(message, Utterance):
                if message.stage == "final":
                    self.finals.append((now_s, message))
                if message.stage == "likely":
                    self.likely.append(message)
                self.stream.heard(message)
        self.service.said.clear()
        for job in self.service.scheduler.jobs:
            if self.decode_s is not None:
                self._due.append((now_s + self.decode_s, job))
        self.service.scheduler.jobs.clear()

    @property
    def waited_s(self) -> float:
        """From the last speech to the end of the only utterance, by its own clock."""
        ((now_s, utterance),) = self.finals
        return now_s - utterance.end_s


@pytest.fixture
def pcm(clips: dict[str, Clip]) -> Any:
    return np.concatenate([clips["table_en_022"].pcm, SILENCE])


@pytest.mark.parametrize(
    ("text", "decode_s", "silence_s"),
    [
        ("He is red.", 0.02, RULES.sentence_silence_s),
        ("He is red.", 0.12, RULES.likely_silence_s + 0.12),
        ("He is red.", 0.3, RULES.likely_silence_s + 0.3),
        ("He is red.", 0.6, RULES.unread_silence_s),
        ("He is red.", None, RULES.unread_silence_s),
        ("He is red", 0.02, RULES.end_silence_s),
        ("He is red", 0.3, RULES.likely_silence_s + 0.3),
        ("He is the", 0.02, RULES.hanging_silence_s),
        ("He is the", 0.3, RULES.hanging_silence_s),
        ("He is the", 0.6, RULES.unread_silence_s),
        ("", 0.3, RULES.likely_silence_s + 0.3),
    ],
)
def test_the_wait_follows_the_text_where_that_is_there_in_time(
    pcm: Any, text: str, decode_s: float | None, silence_s: float
) -> None:
    world = World(text, decode_s)
    world.play(pcm)
    assert silence_s - 0.01 <= world.waited_s <= silence_s + 0.1
    assert [line.text for line in world.lines] == ([text] if decode_s is not None and text else [])
    ((_, final),) = world.finals
    assert final.same_as == world.likely[-1].version


@pytest.mark.parametrize(
    ("text", "decode_s", "silence_s"),
    [
        ("He is red.", 0.12, RULES.likely_silence_s + 0.12),
        ("He is the", 0.3, RULES.end_silence_s),
        ("He is the", None, RULES.end_silence_s),
    ],
)
def test_where_no_recogniser_is_free_nothing_waits_for_one(
    pcm: Any, text: str, decode_s: float | None, silence_s: float
) -> None:
    world = World(text, decode_s, at_once=False)
    world.play(pcm)
    assert silence_s - 0.01 <= world.waited_s <= silence_s + 0.1


def test_without_speculation_nothing_is_known_before_the_end(pcm: Any) -> None:
    world = World("He is the", 0.02, speculates=False)
    world.play(pcm)
    assert world.service.waits == []
    assert RULES.end_silence_s <= world.waited_s <= RULES.end_silence_s + 0.1


def test_a_text_of_noise_tells_nothing(pcm: Any) -> None:
    world = World("...", 0.02)
    world.play(pcm)
    assert [wait.silence_s for wait in world.service.waits] == [RULES.unread_silence_s, RULES.end_silence_s]
    assert world.lines == []


def test_what_is_said_of_a_stranger_changes_nothing(pcm: Any) -> None:
    """Another table, seat, utterance or version; a tap that died and counts anew gets such messages."""
    world = World("He is red.", None)
    world.play(pcm[:29_500])
    (likely,) = world.likely[-1:]
    assert not world.finals
    right = Wait(1, 4, likely.utterance, likely.version, 0.2)
    for wrong in ({"stream": 2}, {"seat": 5}, {"utterance": likely.utterance + 1}, {"version": likely.version + 1}):
        assert world.service.tap.handle(msgspec.structs.replace(right, **wrong)) == []
    (final,) = world.service.tap.handle(right)
    assert isinstance(final, Utterance)
    assert final.stage == "final"
    assert world.service.tap.handle(right) == [], "once"
