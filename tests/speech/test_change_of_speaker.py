"""The tap at a change of speaker: what was begun ends at once, and the next is heard as if nobody had spoken before."""

from __future__ import annotations

import numpy as np
import pytest

from tests.speech.sound import Clip, encode_opus
from voice.speech.endpointer import EndpointRules
from voice.speech.tap import Tap
from voice.speech.wire import Mic, Open, Packet, Utterance

SILENCE = np.zeros(8_000, np.float32)


def opened() -> Tap:
    tap = Tap(EndpointRules())
    tap.handle(Open(1))
    return tap


def hear(tap: Tap, payloads: list[bytes], seat: int, epoch: int, begin_s: float) -> list[Utterance]:
    """What the tap says of packets of a seat that is open."""
    said = [
        message
        for number, payload in enumerate(payloads)
        for message in tap.handle(Packet(1, seat, epoch, number, 960 * number, payload, begin_s + 0.02 * (number + 1)))
    ]
    return [message for message in said if isinstance(message, Utterance)]


@pytest.mark.parametrize(("first", "second"), [(3, 7), (3, 3)])
def test_the_next_speaker_is_heard_as_if_nobody_had_spoken(clips: dict[str, Clip], first: int, second: int) -> None:
    one = encode_opus(clips["table_en_037"].pcm)[:70]
    other = encode_opus(np.concatenate([clips["table_en_022"].pcm, SILENCE]))
    fresh = opened()
    fresh.handle(Mic(1, [second], 9))
    alone = hear(fresh, other, second, 9, 200.0)
    assert [each.stage for each in alone][-1] == "final"

    tap = opened()
    tap.handle(Mic(1, [first], 1))
    begun = hear(tap, one, first, 1, 100.0)
    assert not [each for each in begun if each.stage == "final"], "the first is in the middle of a sentence"
    closed = [
        each for each in tap.handle(Mic(1, [second] if second != first else [], 2)) if isinstance(each, Utterance)
    ]
    (final,) = closed
    assert (final.seat, final.stage) == (first, "final"), "at once, in the answer to the gate's move"
    assert final.end_s <= 100.0 + 0.02 * len(one) + 0.001
    tap.handle(Mic(1, [second], 3))

    after = hear(tap, other, second, 3, 200.0)
    assert [(each.stage, each.pcm, each.start_s, each.end_s) for each in after] == [
        (each.stage, each.pcm, each.start_s, each.end_s) for each in alone
    ]
    assert {each.utterance for each in after}.isdisjoint({final.utterance})


def test_who_speaks_as_the_microphone_opens_loses_nothing(clips: dict[str, Clip]) -> None:
    """No silence before the first word: the utterance begins with the first sample."""
    pcm = clips["table_en_022"].pcm
    loud = int(np.argmax(np.abs(pcm) > 0.1))
    tap = opened()
    tap.handle(Mic(1, [4], 1))
    said = hear(tap, encode_opus(np.concatenate([pcm[loud:], SILENCE])), 4, 1, 100.0)
    (final,) = [each for each in said if each.stage == "final"]
    assert final.start_s == pytest.approx(100.0, abs=0.04)
