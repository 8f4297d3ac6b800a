"""The live speech path on audio that is there already: what the tap and the recogniser do, without processes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from models.silence import is_nothing
from voice.speech.audio import PACKET_S
from voice.speech.ear import RTP_RATE_HZ, Ear, Heard
from voice.speech.endpointer import EndpointRules, Stage
from voice.speech.jitter import SEQUENCE_MODULUS, TIMESTAMP_MODULUS, Arrived
from voice.speech.lines import Line, Timings, Word
from voice.speech.phrase import ending, silence_s

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from models.recognition import Hypothesis, Recogniser


def hear(
    packets: Iterable[bytes], rules: EndpointRules | None = None, wait_s: Callable[[Heard], float | None] | None = None
) -> Iterator[tuple[Heard, float]]:
    """What the endpointer says of Opus packets of 20 ms, and when: seconds from the first packet's beginning.

    The clock is the sound's own, as if each packet came when its last sample was spoken. `wait_s` tells of a likely end
    how much silence makes it the end, None for the usual.
    """
    ear = Ear(rules or EndpointRules())
    step = round(PACKET_S * RTP_RATE_HZ)
    now_s = 0.0
    for number, payload in enumerate(packets):
        now_s = (number + 1) * PACKET_S
        arrived = Arrived(number % SEQUENCE_MODULUS, number * step % TIMESTAMP_MODULUS, payload, now_s)
        for heard in ear.push(arrived):
            yield heard, now_s
            if wait_s is not None and heard.cut.stage is Stage.LIKELY:
                silence_s = wait_s(heard)
                if silence_s is not None:
                    for more in ear.wait(heard.cut.utterance, heard.cut.version, silence_s):
                        yield more, now_s
    for heard in ear.close():
        yield heard, now_s


def recognise(
    packets: Iterable[bytes], lang: str, recogniser: Recogniser, rules: EndpointRules | None = None, seat: int = 0
) -> Iterator[Line]:
    """The lines of Opus packets of 20 ms, times in seconds from the first packet's beginning.

    An utterance's text counts as there when live it would be on a machine with nothing else to do: a likely end is
    recognised while the endpointer still waits. What its text tells of the end is always in time here, so that the
    same sound gives the same utterances on any machine. Raises ModelError where the recogniser can't do `lang`.
    """
    rules = rules or EndpointRules()
    number = 0
    likely: dict[tuple[int, int], tuple[float, Hypothesis, float]] = {}
    clock_s = 0.0

    def decoded(heard: Heard) -> tuple[Hypothesis, float]:
        begun_s = time.perf_counter()
        found = recogniser.transcribe(heard.cut.audio, lang)
        return found, time.perf_counter() - begun_s

    def wait_s(heard: Heard) -> float | None:
        cut = heard.cut
        found, took_s = decoded(heard)
        likely.clear()
        likely[cut.utterance, cut.version] = clock_s, found, took_s
        confidences = [word.confidence for word in found.words]
        return silence_s(ending(found.text, lang, confidences, found.score, rules), rules)

    for heard, now_s in hear(packets, rules, wait_s):
        clock_s = now_s
        cut = heard.cut
        if cut.stage is not Stage.FINAL:
            continue
        known = likely.get((cut.utterance, cut.same_as))
        if known is None:
            hypothesis, decode_s = decoded(heard)
            text_s = now_s + decode_s
        else:
            likely_s, hypothesis, decode_s = known
            text_s = max(now_s, likely_s + decode_s)
        confidences = [word.confidence for word in hypothesis.words]
        if is_nothing(hypothesis.text, hypothesis.no_speech, hypothesis.score, heard.speech_s, confidences):
            continue
        number += 1
        start_s = heard.start_s
        yield Line(
            id=str(number),
            seat=seat,
            text=hypothesis.text,
            words=tuple(
                Word(word.text, start_s + word.start_s, start_s + word.end_s, word.confidence)
                for word in hypothesis.words
            ),
            start_s=start_s,
            end_s=max(start_s, heard.end_s),
            lang=lang,
            timings=Timings(max(0.0, text_s - heard.end_s), max(0.0, now_s - heard.end_s), decode_s),
            others=hypothesis.others,
        )
