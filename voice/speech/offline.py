"""The live speech path on audio that is there already: what the tap and the recogniser do, without processes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from models.guards import is_hallucination
from voice.speech.audio import PACKET_S
from voice.speech.ear import RTP_RATE_HZ, Ear, Heard
from voice.speech.endpointer import EndpointRules, Stage
from voice.speech.jitter import SEQUENCE_MODULUS, TIMESTAMP_MODULUS, Arrived
from voice.speech.lines import Line, Timings, Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from models.recognition import Recogniser


def hear(packets: Iterable[bytes], rules: EndpointRules | None = None) -> Iterator[tuple[Heard, float]]:
    """What the endpointer says of Opus packets of 20 ms, and when: seconds from the first packet's beginning.

    The clock is the sound's own, as if each packet came when its last sample was spoken.
    """
    ear = Ear(rules or EndpointRules())
    step = round(PACKET_S * RTP_RATE_HZ)
    now_s = 0.0
    for number, payload in enumerate(packets):
        now_s = (number + 1) * PACKET_S
        arrived = Arrived(number % SEQUENCE_MODULUS, number * step % TIMESTAMP_MODULUS, payload, now_s)
        for heard in ear.push(arrived):
            yield heard, now_s
    for heard in ear.close():
        yield heard, now_s


def recognise(
    packets: Iterable[bytes], lang: str, recogniser: Recogniser, rules: EndpointRules | None = None, seat: int = 0
) -> Iterator[Line]:
    """The lines of Opus packets of 20 ms, times in seconds from the first packet's beginning.

    An utterance's text counts as there when live it would be on a machine with nothing else to do: a decode that could
    begin at the likely end runs while the endpointer still waits. Raises ModelError where the recogniser can't do
    `lang`.
    """
    number = 0
    likely_s: dict[tuple[int, int], float] = {}
    for heard, now_s in hear(packets, rules):
        cut = heard.cut
        if cut.stage is Stage.LIKELY:
            likely_s = {(cut.utterance, cut.version): now_s}
        if cut.stage is not Stage.FINAL:
            continue
        begun_s = time.perf_counter()
        hypothesis = recogniser.transcribe(cut.audio, lang)
        decode_s = time.perf_counter() - begun_s
        if is_hallucination(hypothesis.text, hypothesis.no_speech, hypothesis.score, heard.speech_s):
            continue
        number += 1
        start_s = heard.start_s
        text_s = max(now_s, likely_s.get((cut.utterance, cut.same_as), now_s) + decode_s)
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
