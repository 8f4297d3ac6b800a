"""A seat's lines come in the order in which they were said, each once, whichever of them is recognised first."""

from __future__ import annotations

import time
from collections import deque
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.media.packet import AcceptedPacket
from voice.speech.endpointer import EndpointRules
from voice.speech.stream import SpeechStream
from voice.speech.wire import Result, Utterance

if TYPE_CHECKING:
    from voice.speech.job import Job
    from voice.speech.lines import Line


class Recognisers:
    """As many processes as there are jobs: each is done when the test says so."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def final(self, job: Job) -> None:
        self.jobs.append(job)

    def likely(self, job: Job) -> None:
        self.jobs.append(job)

    def at_work_on(self, job: Job) -> bool:
        return job in self.jobs

    def draft(self, job: Job) -> None:
        self.jobs.append(job)

    def promote(self, job: Job) -> None:
        job.final = True


def utterance(seat: int, number: int, stage: str = "final", version: int = 1, same_as: int = -1) -> Utterance:
    return Utterance(1, seat, stage, number, version, same_as, b"\0" * 32000, float(number), number + 0.5, 0.5)


def result(text: str) -> Result:
    return Result(1, text, [], 0.0, 0.0, 0.1, [])


def opened() -> tuple[SpeechStream, Recognisers, list[Line], list[tuple[int, str]]]:
    recognisers, lines, interims = Recognisers(), [], []
    service: Any = SimpleNamespace(
        scheduler=recognisers,
        latencies_s=deque(),
        speculates=True,
        endpoint=EndpointRules(),
        send_control=lambda _: None,
    )
    stream = SpeechStream(service, 1, "t", "en", lines.append, lambda *said: interims.append(said[:2]))
    return stream, recognisers, lines, interims


@given(data=st.data(), count=st.integers(1, 8), seats=st.integers(1, 3))
def test_lines_are_in_the_order_of_saying_and_none_is_lost(data: st.DataObject, count: int, seats: int) -> None:
    stream, recognisers, lines, _ = opened()
    for number in range(1, count + 1):
        for seat in range(1, seats + 1):
            stream.heard(utterance(seat, number))
    lost = 0
    for job in data.draw(st.permutations(recognisers.jobs)):
        if data.draw(st.booleans()):
            job.result = result(f"line {job.utterance.utterance}")
            stream.done(job)
        else:
            job.lost = True
            lost += 1
            stream.lost(job)
    assert len(lines) == count * seats - lost
    assert stream.counts["lines_dropped"] == lost
    for seat in range(1, seats + 1):
        own = [line.start_s for line in lines if line.seat == seat]
        assert own == sorted(set(own))


def test_a_seat_waits_for_nobody_elses_line() -> None:
    stream, recognisers, lines, _ = opened()
    stream.heard(utterance(1, 1))
    stream.heard(utterance(2, 1))
    recognisers.jobs[1].result = result("quick")
    stream.done(recognisers.jobs[1])
    assert [line.text for line in lines] == ["quick"]


def test_a_likely_end_that_was_the_end_waits_for_the_line_before_it() -> None:
    stream, recognisers, lines, _ = opened()
    stream.heard(utterance(1, 1))
    stream.heard(utterance(1, 2, "likely", version=7))
    first, second = recognisers.jobs
    second.result = result("second")
    stream.done(second)
    stream.heard(utterance(1, 2, "final", version=8, same_as=7))
    assert lines == []
    first.result = result("first")
    stream.done(first)
    assert [line.text for line in lines] == ["first", "second"]


def test_what_is_empty_takes_its_interim_back_in_its_turn() -> None:
    stream, recognisers, lines, interims = opened()
    stream.heard(utterance(1, 1, "likely", version=3))
    recognisers.jobs[0].result = result("something")
    stream.done(recognisers.jobs[0])
    assert interims == [(1, "something")]
    stream.heard(utterance(1, 1))
    recognisers.jobs[1].result = result("")
    stream.done(recognisers.jobs[1])
    assert interims == [(1, "something"), (1, "")]
    assert lines == []
    assert stream.counts["utterances_empty"] == 1


@pytest.mark.parametrize("text", ["late", ""])
def test_a_line_that_comes_late_takes_no_caption_of_later_words_away(text: str) -> None:
    stream, recognisers, lines, interims = opened()
    stream.heard(utterance(1, 1))
    stream.heard(utterance(1, 2, "draft"))
    first, draft = recognisers.jobs
    draft.result = result("and now")
    stream.done(draft)
    first.result = result(text)
    stream.done(first)
    assert interims == [(1, "and now")]
    assert [line.text for line in lines] == [text] * bool(text)
    stream.heard(utterance(1, 2))
    recognisers.jobs[-1].result = result("")
    stream.done(recognisers.jobs[-1])
    assert interims == [(1, "and now"), (1, "")], "its own end still takes it back"


def test_a_caption_tells_where_its_utterance_began_as_its_line_does() -> None:
    told: list[tuple[int, str, float]] = []
    stream, recognisers, lines, _ = opened()
    stream._on_interim = lambda *said: told.append(said)
    stream.heard(utterance(1, 3, "draft"))
    recognisers.jobs[0].result = result("so far")
    stream.done(recognisers.jobs[0])
    stream.heard(utterance(1, 3))
    recognisers.jobs[1].result = result("so far so good")
    stream.done(recognisers.jobs[1])
    assert told == [(1, "so far", lines[0].start_s)]


@given(data=st.data(), utterances=st.integers(1, 3), versions=st.integers(1, 4), life=st.integers(0, 12))
def test_a_caption_never_goes_back(data: st.DataObject, utterances: int, versions: int, life: int) -> None:
    """Whichever process is done first, and whenever the tap begins anew and counts from 1 again."""
    stream, recognisers, _, interims = opened()
    for number in range(1, utterances + 1):
        for version in range(1, versions + 1):
            stream.heard(utterance(1, number, "draft", version))
    order = data.draw(st.permutations(recognisers.jobs))
    for at, job in enumerate(order):
        if at == life:
            stream.tap_began_anew()
            stream.heard(utterance(1, 1, "draft", 1))
            again = recognisers.jobs[-1]
            again.result = result("9 9")
            stream.done(again)
        job.result = result(f"{job.utterance.utterance} {job.utterance.version}")
        stream.done(job)
    shown = [text for _, text in interims]
    if life < len(order):
        assert shown[-1] == "9 9", "what an earlier life of the tap heard is old"
        assert shown[:-2] == [] or shown[-2] == "", "what the tap had may never be said again: it is taken back"
        shown = [text for text in shown[:-1] if text]
    assert shown == sorted(shown)


def test_a_line_of_the_tap_before_keeps_no_caption_of_the_new_one_back() -> None:
    stream, recognisers, lines, interims = opened()
    stream.heard(utterance(1, 40))
    stream.tap_began_anew()
    before = recognisers.jobs[0]
    before.result = result("line 40")
    stream.done(before)
    stream.heard(utterance(1, 1, "draft"))
    draft = recognisers.jobs[1]
    draft.result = result("and now")
    stream.done(draft)
    assert [line.text for line in lines] == ["line 40"]
    assert interims == [(1, "and now")]


def test_what_a_tap_that_hangs_can_not_take_is_there_for_the_next_one() -> None:
    stream, _, _, _ = opened()
    service: Any = stream._service
    service.send_packet = lambda _: False
    stream.mic({1}, 1)
    stream.feed(AcceptedPacket(seat=1, epoch=1, sequence=1, timestamp=960, payload=b"opus", arrival=time.monotonic()))
    assert stream.counts["packets_dropped"] == 1
    assert b"opus" in stream.memory.messages()[-1]
