"""Complaints about where an utterance ends, and about times that are told of it. Numbered as in docs/speech.md."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from models.recognition import Hypothesis
from tests.speech.complaints.sounds import RATE_HZ, noises, only_speech, silence
from tests.speech.sound import encode_opus
from voice.speech.ear import MAX_AHEAD_S, Ear
from voice.speech.endpointer import EndpointRules, Stage
from voice.speech.jitter import Arrived
from voice.speech.offline import hear, recognise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.speech.complaints.conftest import Live
    from tests.speech.sound import Clip, Samples
    from voice.speech.ear import Heard

RULES = EndpointRules()


@pytest.mark.parametrize("noise", ["breath", "clicks", "keyboard", "pink"])
@pytest.mark.parametrize("name", ["table_en_009", "table_ru_053"])
def test_15_what_is_no_speech_keeps_no_utterance_open(noise: str, name: str, clips: dict[str, Clip]) -> None:
    speech = only_speech(clips[name])
    sound = np.concatenate([silence(0.3), speech, noises(4.0)[noise]])
    spoken_s = 0.3 + len(speech) / RATE_HZ
    ends_s = [now_s for heard, now_s in hear(encode_opus(sound)) if heard.cut.stage is Stage.FINAL]
    assert ends_s
    assert ends_s[-1] <= spoken_s + 1.0


def test_15_speech_without_an_end_is_cut(clips: dict[str, Clip]) -> None:
    speech = np.tile(only_speech(clips["table_en_037"]), 30)[: 50 * RATE_HZ]
    finals = [heard.cut for heard, _ in hear(encode_opus(speech)) if heard.cut.stage is Stage.FINAL]
    assert len(finals) >= 4
    assert all(len(cut.audio) <= (RULES.max_utterance_s + RULES.preroll_s) * RATE_HZ for cut in finals)
    assert sum(len(cut.audio) for cut in finals) >= 0.95 * len(speech)


def pieces(ear: Ear, payloads: Sequence[bytes], begin_s: float, sequence: int, timestamp: int) -> list[Heard]:
    heard = [
        found
        for number, payload in enumerate(payloads)
        for found in ear.push(
            Arrived(
                (sequence + number) % 65_536,
                (timestamp + 960 * number) % 2**32,
                payload,
                begin_s + 0.02 * (number + 1),
            )
        )
    ]
    return [found for found in heard if found.cut.stage is Stage.FINAL]


@pytest.mark.parametrize("pause", ["no packets", "a new stream", "a stalled clock"])
def test_19_an_end_is_told_by_the_sound_before_it_however_long_nothing_came(pause: str, clips: dict[str, Clip]) -> None:
    """Minutes without a packet, with timestamps that go on, begin anew, or say nothing of the pause."""
    said = encode_opus(np.concatenate([only_speech(clips["table_en_009"]), silence(1.0)]))
    ear = Ear(RULES)
    (first,) = pieces(ear, said, 100.0, 1_000, 5_000)
    later_s = 100.0 + 0.02 * len(said) + 250.0
    sequence, timestamp = {
        "no packets": (1_000 + len(said), 5_000 + 960 * len(said) + 48_000 * 250),
        "a new stream": (40_000, 3_000_000_000),
        "a stalled clock": (1_000 + len(said), 5_000 + 960 * len(said)),
    }[pause]
    (second,) = pieces(ear, said, later_s, sequence, timestamp)
    for heard, begin_s in ((first, 100.0), (second, later_s)):
        # A network that stalls holds sound back for as long as MAX_AHEAD_S: no start is told to be earlier than that.
        assert begin_s - 0.6 - MAX_AHEAD_S <= heard.start_s < heard.end_s <= begin_s + 0.02 * len(said)


class Takes:
    """A recogniser that says something, whatever it hears."""

    def transcribe(self, audio: Samples, lang: str, *, words: bool = True) -> Hypothesis:
        return Hypothesis("one two three", (), 0.0, -0.1, loops=False)


def test_19_times_of_lines_are_neither_negative_nor_stale(clips: dict[str, Clip]) -> None:
    speech = only_speech(clips["table_en_009"])
    sound = np.concatenate([silence(90.0), speech, silence(1.0), speech])
    begun_s = time.monotonic()
    lines = list(recognise(encode_opus(sound), "en", Takes()))
    took_s = time.monotonic() - begun_s
    assert len(lines) >= 2
    for line in lines:
        assert 0.0 <= line.timings.endpoint_s <= line.timings.end_to_text_s <= 1.5 + took_s


@pytest.mark.speech
@pytest.mark.asyncio(loop_scope="package")
async def test_19_a_tables_latency_is_of_the_line_itself(live: Live, clips: dict[str, Clip]) -> None:
    """Also of one that comes after a long silence: no more than passed since its own sound came."""
    speech = only_speech(clips["table_en_009"])
    table = live.open("en")
    table.stream.mic({1}, 1)
    begun_s = time.monotonic()
    await live.say(table, 1, 1, speech, silence(60.0), speech, silence(1.0))
    await live.service.settled()
    passed_s = time.monotonic() - begun_s
    assert len(table.lines) == 2
    before, after = (line.timings.end_to_text_s for line in table.lines)
    length_s = 2 * len(speech) / RATE_HZ + 61.0
    assert 0.0 <= before <= passed_s + length_s
    assert 0.0 <= after <= passed_s + 1.2
